package ledger_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/ledger"
)

// servicesOf returns how long gangs and applications waited and served, as text.
func servicesOf(s ledger.Summary) string {
	text := ""
	values := func(w *ledger.Waits) (all []time.Duration) {
		for _, c := range w.Counts() {
			for range c.Times {
				all = append(all, c.Value)
			}
		}
		return all
	}
	for i := range s.Gangs {
		text += fmt.Sprint("gangs waited ", values(&s.Gangs[i].Waits), ", served ", values(&s.Gangs[i].Services), "\n")
	}
	j := &s.Applications
	return text + fmt.Sprintf("%d started, %d wait, %d withdrawn: waited %v, served %v", j.Started, j.Waiting, j.Withdrawn, values(&j.Waits), values(&j.Services))
}

func (p played) expectServices(t *testing.T, want string) {
	t.Helper()
	if found := servicesOf(p.summary()); found != want {
		t.Errorf("expected\n%s\nfound\n%s", want, found)
	}
}

func release(id string, failed bool) core.Input {
	return core.Input{Event: &core.ReleaseAllocation{ID: id, Failed: failed}}
}

func addApp(id string) core.Input { return core.Input{Event: &core.AddApp{ID: id, Queue: "root.a"}} }

func TestService_OfAGangThatIsRepaired(t *testing.T) {
	p := play(twoLeaves)
	ofTwo := core.Ask{Gang: &core.Gang{ID: "g", Min: 2}}
	p.apply(addApp("x"), member("1", "x", 1, ofTwo), member("2", "x", 1, ofTwo))
	p.until(10 * time.Second)
	p.expectServices(t, "gangs waited [], served []\n0 started, 1 wait, 0 withdrawn: waited [], served []")
	p.apply(node(2))
	p.until(30 * time.Second)
	p.expectServices(t, "gangs waited [10s], served [20s]\n1 started, 0 wait, 0 withdrawn: waited [10s], served [20s]")
	p.apply(release("2", true)) // broken for 5 seconds
	p.until(35 * time.Second)
	p.apply(member("3", "x", 1, ofTwo))
	p.until(40 * time.Second)
	p.expectServices(t, "gangs waited [10s], served [25s]\n1 started, 0 wait, 0 withdrawn: waited [10s], served [30s]")
	p.apply(release("1", false)) // has succeeded, so the gang is whole still
	p.until(50 * time.Second)
	p.apply(release("3", false))
	p.until(2 * time.Minute)
	p.expectServices(t, "gangs waited [10s], served [35s]\n1 started, 0 wait, 0 withdrawn: waited [10s], served [40s]")
}

func TestService_OfAGangThatEndsAndWaitsAgain(t *testing.T) {
	p := play(twoLeaves)
	ofTwo := core.Ask{Gang: &core.Gang{ID: "g", Min: 2, Repair: core.Repair{Bounded: true, Within: 5 * time.Second}}}
	p.apply(node(2), addApp("x"), member("1", "x", 1, ofTwo), member("2", "x", 1, ofTwo))
	p.until(10 * time.Second)
	p.apply(core.Input{Event: &core.RemoveNode{ID: "n"}})
	p.until(11 * time.Second)
	p.apply(node(2), member("3", "x", 1, ofTwo), member("4", "x", 1, ofTwo))
	p.until(20 * time.Second)
	p.expectServices(t, "gangs waited [0s 0s], served [9s 10s]\n1 started, 0 wait, 0 withdrawn: waited [0s], served [19s]")
	p.apply(release("3", true)) // broken at 20 s, ended at 25 s
	p.until(22 * time.Second)
	p.apply(core.Input{Event: &core.DrainNode{ID: "n"}}, member("5", "x", 1, ofTwo))
	p.until(30 * time.Second)
	p.apply(release("4", false)) // it was told to leave
	p.apply(core.Input{Event: &core.ResumeNode{ID: "n"}}, member("6", "x", 1, ofTwo))
	p.until(40 * time.Second)
	p.expectServices(t, "gangs waited [0s 0s 5s], served [9s 10s 10s]\n1 started, 0 wait, 0 withdrawn: waited [0s], served [39s]")
}

func TestService_OfAGangThatIsPreemptedWhole(t *testing.T) {
	p := play("partitions: [{name: default, queues: [{name: a}, {name: b, resources: {guaranteed: {vcore: 2}}}]}]")
	ofTwo := core.Ask{Gang: &core.Gang{ID: "g", Min: 2}}
	p.apply(node(2), addApp("x"), member("1", "x", 1, ofTwo), member("2", "x", 1, ofTwo))
	p.until(10 * time.Second)
	p.apply(core.Input{Event: &core.AddApp{ID: "y", Queue: "root.b"}}, member("big", "y", 2, core.Ask{}), member("3", "x", 1, ofTwo))
	p.until(2 * time.Minute)
	s := p.summary()
	if s.Preempted != 2 {
		t.Fatalf("%d are preempted", s.Preempted)
	}
	wait := s.Applications.Waits.Max()
	p.expectServices(t, fmt.Sprintf("gangs waited [0s], served [%v]\n2 started, 0 wait, 0 withdrawn: waited [0s %v], served [%v %v]",
		10*time.Second+wait, wait, 10*time.Second+wait, 110*time.Second-wait))
	if g := s.Longest[0]; g.Outcome != ledger.GangWaits || g.Since != 10*time.Second+wait { // 3 waits for a fourth
		t.Errorf("%+v", g)
	}
}

func TestService_OfAGangByPlaceholders(t *testing.T) {
	p := play(twoLeaves)
	hold := core.Ask{Placeholder: true, TaskGroup: "g"}
	p.apply(core.Input{Event: &core.AddApp{ID: "x", Queue: "root.a", Placeholders: &core.Placeholders{Ask: cores(2)}}}, member("h1", "x", 1, hold), member("h2", "x", 1, hold))
	p.until(5 * time.Second)
	p.apply(node(2))
	p.until(10 * time.Second)
	p.apply(member("t1", "x", 1, core.Ask{TaskGroup: "g"}))
	p.until(20 * time.Second)
	p.expectServices(t, "gangs waited [5s], served [15s]\n1 started, 0 wait, 0 withdrawn: waited [10s], served [10s]")
	p.apply(release("t1", false), release("h2", false))
	p.until(2 * time.Minute)
	p.expectServices(t, "gangs waited [5s], served [15s]\n1 started, 0 wait, 0 withdrawn: waited [10s], served [10s]")
}

func TestService_OfApplications(t *testing.T) {
	p := play(twoLeaves)
	p.apply(node(1), addApp("x"), addApp("y"), addApp("idle"))
	p.until(time.Second)
	p.apply(member("x1", "x", 1, core.Ask{}), member("x2", "x", 1, core.Ask{}), member("y1", "y", 1, core.Ask{}))
	p.until(11 * time.Second)
	p.apply(release("x1", false))
	p.until(12 * time.Second)
	p.apply(release("x2", false))
	p.until(14 * time.Second)
	p.expectServices(t, "2 started, 0 wait, 0 withdrawn: waited [0s 11s], served [2s 11s]")
	p.apply(member("gone", "idle", 9, core.Ask{}))
	p.expectServices(t, "2 started, 1 wait, 0 withdrawn: waited [0s 11s], served [2s 11s]")
	p.apply(core.Input{Event: &core.RemoveApp{ID: "idle"}})
	p.expectServices(t, "2 started, 0 wait, 1 withdrawn: waited [0s 11s], served [2s 11s]")
}

func TestService_StartedBeforeTheRunIsNotCounted(t *testing.T) {
	p := play(twoLeaves)
	in := member("1", "x", 1, core.Ask{Gang: &core.Gang{ID: "g", Min: 1}})
	p.apply(node(1), addApp("x"), core.Input{Event: &core.RestoreAllocation{AddAsk: *in.Ask(), PlacedOn: "n"}})
	p.until(time.Second)
	p.expectServices(t, "0 started, 0 wait, 0 withdrawn: waited [], served []")
	p.apply(release("1", false))
	p.until(2 * time.Minute)
	p.expectServices(t, "0 started, 0 wait, 0 withdrawn: waited [], served []")
}
