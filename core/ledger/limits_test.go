package ledger_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/ledger"
)

// usesOf returns the peaks of users and groups as text.
func usesOf(w *ledger.Limits) string {
	var lines []string
	for _, p := range w.Peaks() {
		lines = append(lines, fmt.Sprintf("%s group %t %s: %d %% at %v, %v of %v, %d of %d applications, in the end %v",
			p.Queue, p.Group, p.Name, p.Share/1e7, p.At, p.Used, p.Max, p.Applications, p.MaxApplications, p.Final))
	}
	return strings.Join(lines, "\n")
}

const limited = `partitions:
- name: default
  queues:
  - name: root
    limits: [{groups: [dev], maxresources: {vcore: %d}}]
    queues:
    - {name: a, limits: [{users: ["*"], maxresources: {vcore: %d}, maxapplications: 4}]}
    - {name: b}
- name: gpu
  queues:
  - {name: a, limits: [{users: [ann], maxapplications: 2}]}
`

func TestLimitsAreShownAsTheyWereNearest(t *testing.T) {
	p := play(fmt.Sprintf(limited, 20, 8))
	w := ledger.WatchLimits(p.books, p)
	app := func(id, queue, partition, user string) {
		p.apply(core.Input{Event: &core.AddApp{ID: id, Queue: queue, Partition: partition, User: user, Groups: []string{"dev"}}})
	}
	p.apply(node(100))
	app("x", "root.a", "", "ann")
	app("y", "root.b", "", "bob")
	p.apply(member("x1", "x", 6, core.Ask{}), member("y1", "y", 4, core.Ask{}))
	p.until(time.Second)
	p.apply(core.Input{Event: &core.ReleaseAllocation{ID: "x1"}}, member("x2", "x", 2, core.Ask{}))
	p.until(2 * time.Second)
	app("gpu", "root.a", "gpu", "ann")
	app("idle", "root.a", "", "cat")
	p.apply(core.Input{Event: &core.AddNode{ID: "gpu", Partition: "gpu", Capacity: cores(1)}}, member("g1", "gpu", 1, core.Ask{}))
	p.until(3 * time.Second)
	p.books.Finish()
	const before = `root.a group false ann: 75 %% at 0s, [{vcore 6000}] of [{vcore 8000}], 1 of 4 applications, in the end [{vcore %s}]
[gpu]root.a group false ann: 50 %% at 2s, [] of [], 1 of 2 applications, in the end []
root group true dev: 50 %% at 0s, [{vcore 10000}] of [{vcore 20000}], 2 of 0 applications, in the end [{vcore %s}]`
	if want, found := fmt.Sprintf(before, "2000", "6000"), usesOf(w); found != want {
		t.Errorf("expected\n%s\nfound\n%s", want, found)
	}
	// A lowered limit causes no preemption, but usage counts against it from the reload on, without another allocation.
	p.apply(core.Input{Event: &core.SetConfig{Config: fmt.Sprintf(limited, 4, 8)}})
	p.until(4 * time.Second)
	if found := usesOf(w); !strings.HasPrefix(found, "root group true dev: 150 % at 3s, [{vcore 6000}] of [{vcore 4000}]") {
		t.Errorf("after the reload:\n%s", found)
	}
	// Another limit applies in another queue.
	p.apply(core.Input{Event: &core.SetConfig{Config: fmt.Sprintf(limited, 40, 8)}})
	p.until(5 * time.Second)
	p.apply(core.Input{Event: &core.MoveApp{ID: "y", Queue: "root.a"}})
	p.until(6 * time.Second)
	if found := usesOf(w); !strings.Contains(found, "root.a group false bob: 50 % at 5s, [{vcore 4000}] of [{vcore 8000}]") {
		t.Errorf("after the move:\n%s", found)
	}
}

func TestLedger_ListsUsersNearestToTheirLimits(t *testing.T) {
	p := play(`partitions: [{name: default, queues: [{name: a, limits: [{users: ["*"], maxresources: {vcore: 5000}}]}]}]`)
	w := ledger.WatchLimits(p.books, p)
	p.apply(node(10_000_000))
	for i := range 2500 {
		id := fmt.Sprintf("user%04d", i)
		p.apply(core.Input{Event: &core.AddApp{ID: id, Queue: "root.a", User: id}}, member(id, id, int64((i*7)%2500+1), core.Ask{}))
		p.until(time.Duration(i+1) * time.Second)
	}
	peaks := w.Peaks()
	if len(peaks) != 1000 {
		t.Errorf("expected 1000 users, found %d", len(peaks))
	}
	for i, peak := range peaks {
		if want := int64(2500-i) * 1000; peak.Used[0].Value != want {
			t.Fatalf("user %d of those nearest to their limits uses %d, expected %d", i, peak.Used[0].Value, want)
		}
	}
}

func TestWhatAQueueGaveBackIsCountedByRounds(t *testing.T) {
	const config = `partitions: [{name: default, preemption: {quotapreemptionenabled: true}, queues: [{name: root, queues: [
  {name: a, resources: {max: {vcore: %d}}, properties: {quota.preemption.delay: 10s}}, {name: b, resources: {max: {vcore: 9}}}]}]}]`
	p := play(fmt.Sprintf(config, 9))
	p.apply(node(20), core.Input{Event: &core.AddApp{ID: "x", Queue: "root.a"}})
	for i := range 4 {
		p.apply(member(fmt.Sprint(i), "x", 2, core.Ask{}))
	}
	p.until(time.Second)
	for i, most := range []int{5, 3} {
		p.apply(core.Input{Event: &core.SetConfig{Config: fmt.Sprintf(config, most)}})
		p.until(time.Duration(i+1) * time.Minute)
	}
	if found, want := fmt.Sprint(p.summary().Quotas), "[{root.a 2 3 [{vcore 6000}]}]"; found != want {
		t.Errorf("expected %s, found %s", want, found)
	}
}
