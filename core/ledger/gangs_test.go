package ledger_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/ledger"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/core/scheduler"
)

// played is a scheduler with a ledger, in which time advances from deadline to deadline.
type played struct {
	*scheduler.Scheduler
	books *ledger.Ledger
}

func play(config string) played {
	p := played{scheduler.New(core.Options{}), ledger.New()}
	p.Advance(0)
	p.books.Advance(0)
	p.apply(core.Input{Event: &core.SetConfig{Config: config}})
	return p
}

func (p played) apply(inputs ...core.Input) {
	for _, in := range inputs {
		in.At = p.Now()
		refused := p.Apply(&in)
		p.books.Applied(&in, refused, p.Take())
	}
}

// cycle runs cycles. Placeholders and victims leave immediately.
func (p played) cycle() {
	for more := true; more; {
		p.Cycle(-1)
		made := p.Take()
		p.books.Decided(made)
		more = false
		for _, d := range made {
			leaves := d.Type == core.Replaced || d.Type == core.Preemption || d.Type == core.TimedOut && d.Node != ""
			if leaves {
				p.apply(core.Input{Event: &core.ReleaseAllocation{ID: d.ID}})
				more = true
			}
		}
	}
}

// until advances time, with a cycle at each deadline.
func (p played) until(to time.Duration) {
	p.cycle()
	for {
		at, ok := p.Deadline()
		if !ok || at > to {
			at = to
		}
		p.Advance(at)
		p.books.Advance(at)
		made := p.Take()
		p.books.Decided(made)
		for _, d := range made {
			if d.Type == core.TimedOut && d.Node != "" {
				p.apply(core.Input{Event: &core.ReleaseAllocation{ID: d.ID}})
			}
		}
		if at == to {
			return
		}
		p.cycle()
	}
}

func (p played) summary() ledger.Summary {
	d := p.Dump()
	return p.books.Summary(&d)
}

func cores(n int64) resource.Set {
	return resource.NewSet(resource.Quantity{Type: resource.VCore, Value: 1000 * n})
}

func node(vcores int64) core.Input {
	return core.Input{Event: &core.AddNode{ID: "n", Capacity: cores(vcores)}}
}

func member(id, app string, vcores int64, what core.Ask) core.Input {
	return core.Input{Event: &core.AddAsk{ID: id, App: app, Resources: cores(vcores), Ask: what}}
}

// gangsOf returns the gangs of a summary as text: the kinds, then those that waited longest.
func gangsOf(s ledger.Summary) string {
	var lines []string
	for _, k := range s.Gangs {
		lines = append(lines, fmt.Sprintf("atomic %t: %d of %d formed, %d timed out, %d withdrawn, %d wait; longest %v; %d replaced, %d ended",
			k.Atomic, k.Formed, k.Gangs(), k.TimedOut, k.Withdrawn, k.Waiting, k.Waits.Max(), k.Replaced, k.Ended))
	}
	for _, g := range s.Longest {
		lines = append(lines, strings.TrimSpace(fmt.Sprintf("%s %s in %s since %v: %s after %v, min %d, %d replaced, %d ended", g.App, g.Name, g.Queue, g.Since, g.Outcome, g.Wait, g.Min, g.Replaced, g.Ended)))
	}
	return strings.Join(lines, "\n")
}

func (p played) expectGangs(t *testing.T, want string) {
	t.Helper()
	if found := gangsOf(p.summary()); found != want {
		t.Errorf("expected\n%s\nfound\n%s", want, found)
	}
}

const twoLeaves = "partitions: [{name: default, queues: [{name: a}, {name: b}]}]"

func TestGangsByPlaceholdersAreCountedByWhatCameOfThem(t *testing.T) {
	p := play(twoLeaves)
	hold := core.Ask{Placeholder: true, TaskGroup: "g"}
	gang := func(id string, hard bool, timeout time.Duration) {
		p.apply(core.Input{Event: &core.AddApp{ID: id, Queue: "root.a", Placeholders: &core.Placeholders{Ask: cores(4), Hard: hard, Timeout: timeout}}},
			member(id+"-1", id, 2, hold), member(id+"-2", id, 2, hold))
	}
	p.apply(node(6))
	gang("forms", false, 2*time.Minute)
	p.until(time.Second)
	gang("fails", true, time.Minute)
	p.apply(core.Input{Event: &core.AddApp{ID: "plain", Queue: "root.b", Placeholders: &core.Placeholders{}}})
	p.until(2 * time.Second)
	p.apply(member("task", "forms", 2, core.Ask{TaskGroup: "g"}))
	p.until(3 * time.Second)
	p.expectGangs(t, `atomic false: 1 of 2 formed, 0 timed out, 0 withdrawn, 1 wait; longest 0s; 1 replaced, 0 ended
fails  in root.a since 1s: waiting after 2s, min 0, 0 replaced, 0 ended
forms  in root.a since 0s: formed after 0s, min 0, 1 replaced, 0 ended`)
	p.until(5 * time.Minute)
	gang("goes", false, 0)
	p.apply(core.Input{Event: &core.RemoveApp{ID: "goes"}})
	p.expectGangs(t, `atomic false: 1 of 3 formed, 1 timed out, 1 withdrawn, 0 wait; longest 0s; 1 replaced, 3 ended
fails  in root.a since 1s: timed out after 1m0s, min 0, 0 replaced, 2 ended
forms  in root.a since 0s: formed after 0s, min 0, 1 replaced, 1 ended
goes  in root.a since 5m0s: withdrawn after 0s, min 0, 0 replaced, 0 ended`)
}

func TestAtomicGangsAreCountedByWhatCameOfThem(t *testing.T) {
	p := play(twoLeaves)
	gang := func(name string, timeout time.Duration, vcores int64) {
		what := core.Ask{Gang: &core.Gang{ID: name, Min: 2, Timeout: timeout}}
		p.apply(member(name+"-1", "x", vcores, what), member(name+"-2", "x", vcores, what))
	}
	p.apply(node(6), core.Input{Event: &core.AddApp{ID: "x", Queue: "root.a"}})
	gang("first", 0, 2)
	p.until(time.Second)
	gang("second", 0, 3)
	gang("late", time.Minute, 3)
	gang("gone", 0, 3)
	p.until(2 * time.Second)
	p.apply(core.Input{Event: &core.RemoveAsk{ID: "gone-1"}}, core.Input{Event: &core.RemoveAsk{ID: "gone-2"}})
	p.until(3 * time.Second)
	p.apply(core.Input{Event: &core.ReleaseAllocation{ID: "first-1"}}, core.Input{Event: &core.ReleaseAllocation{ID: "first-2"}})
	p.until(2 * time.Minute)
	gang("second", 0, 3) // of a gang that was placed; it is not another gang
	p.apply(member("kept", "x", 2, core.Ask{}))
	gang("waits", 0, 3)
	p.until(3 * time.Minute)
	p.expectGangs(t, `atomic true: 2 of 5 formed, 1 timed out, 1 withdrawn, 1 wait; longest 2s; 0 replaced, 0 ended
x late in root.a since 1s: timed out after 1m0s, min 2, 0 replaced, 0 ended
x waits in root.a since 2m0s: waiting after 1m0s, min 2, 0 replaced, 0 ended
x second in root.a since 1s: formed after 2s, min 2, 0 replaced, 0 ended
x gone in root.a since 1s: withdrawn after 1s, min 2, 0 replaced, 0 ended
x first in root.a since 0s: formed after 0s, min 2, 0 replaced, 0 ended`)
}

func TestARestoredGangIsNotCounted(t *testing.T) {
	p := play(twoLeaves)
	p.apply(node(6), core.Input{Event: &core.AddApp{ID: "x", Queue: "root.a"}})
	for _, id := range []string{"1", "2"} {
		in := member(id, "x", 1, core.Ask{Gang: &core.Gang{ID: "g", Min: 2}})
		p.apply(core.Input{Event: &core.RestoreAllocation{AddAsk: *in.Ask(), PlacedOn: "n"}})
	}
	p.until(time.Second)
	p.expectGangs(t, "")
}

func TestLedger_ListsTheGangsThatWaitedLongest(t *testing.T) {
	p := play(twoLeaves)
	p.apply(core.Input{Event: &core.AddApp{ID: "x", Queue: "root.a"}})
	for i := range 100 {
		p.apply(member(fmt.Sprint(i), "x", 1, core.Ask{Gang: &core.Gang{ID: fmt.Sprint("g", i), Min: 1}}))
		p.until(time.Duration(i+1) * time.Second)
	}
	p.apply(node(100))
	p.until(200 * time.Second)
	s := p.summary()
	if n := len(s.Longest); n != 20 || s.Longest[0].Name != "g0" || s.Longest[19].Name != "g19" || s.Gangs[0].Formed != 100 {
		t.Errorf("%d gangs are kept, from %+v on, of %d", n, s.Longest[0], s.Gangs[0].Formed)
	}
}
