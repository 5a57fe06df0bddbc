package scheduler_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/core/scheduler"
)

// lookAround calls all methods that read.
func lookAround(s *scheduler.Scheduler) core.Dump {
	d := s.Dump()
	for _, q := range d.Queues {
		path := core.ShownPath(q.Partition, q.Path)
		if e, _ := s.ExplainQueue(path); q.Leaf && !slices.Contains(e.Reasons, s.WaitReason(path)) {
			panic(fmt.Sprintf("queue %s waits for %v, found %s", path, e.Reasons, s.WaitReason(path)))
		}
	}
	for _, app := range d.Applications {
		s.ExplainApp(app.ID)
		for _, ask := range app.Asks {
			s.ExplainAsk(ask.ID)
			s.ExplainPreemption(ask.ID)
		}
	}
	s.Snapshot()
	s.AtomicGangs(&core.Page{Limit: 1000, Work: 1_000_000})
	s.Domains(&core.Page{Limit: 1000, Work: 1_000_000})
	s.TopologyLevels()
	if expected, found := totalsOf(&d, s.Totals()), s.Totals(); !reflect.DeepEqual(expected, found) {
		panic(fmt.Sprintf("expected the totals\n%+v\nfound\n%+v", expected, found))
	}
	return d
}

// totalsOf computes totals from a dump. Of found it takes the names of partitions, and the IDs of what was preempted most often: of several, any may be
// named.
func totalsOf(d *core.Dump, found core.Totals) (t core.Totals) {
	named, planned := found.Most, map[string]int{}
	for _, n := range d.Nodes {
		t.Nodes++
		if !n.Schedulable {
			t.Drained++
		}
	}
	for _, q := range d.Queues {
		of := core.QueueTotals{Queue: core.ShownPath(q.Partition, q.Path), Leaf: q.Leaf, Depth: strings.Count(q.Path, "."),
			Used: q.Used, Guaranteed: q.Guaranteed, Max: q.Max, Pending: q.Pending, PendingAsks: q.PendingAsks, Allocations: q.Allocations,
			Applications: q.Applications, Running: q.Running}
		if of.Ages = q.Aged != nil; of.Ages {
			of.AgedShare = q.Aged.Share
		}
		t.Queues = append(t.Queues, of)
	}
	for _, a := range d.Applications {
		if t.Most.AppTimes = max(t.Most.AppTimes, a.Preempted); a.ID == named.App && a.Preempted == named.AppTimes {
			t.Most.App = a.ID
		}
		for _, k := range a.Asks {
			if k.Planned != nil {
				planned[a.Partition]++
			}
			if t.Most.Times = max(t.Most.Times, k.Preempted); k.ID == named.Ask && k.Preempted == named.Times {
				t.Most.Ask = k.ID
			}
		}
	}
	for i, of := range found.Plans {
		if of.Planned = planned[of.Partition]; i == 0 {
			of.Planned = planned[""]
		}
		t.Plans = append(t.Plans, of)
	}
	return t
}

func TestReadingAtAnyMomentChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := &life{t: t}
		watched, alone := beginning(), beginning()
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			in := l.input()
			in.At = alone.Now()
			alone.Apply(&in)
			watched.Apply(&in)
			lookAround(watched)
			if rapid.IntRange(0, 3).Draw(t, "place one") == 0 {
				alone.Cycle(1)
				watched.Cycle(1)
				lookAround(watched)
			}
			if _, ok := alone.Deadline(); ok && rapid.IntRange(0, 3).Draw(t, "advance") == 0 {
				for _, s := range []*scheduler.Scheduler{alone, watched} {
					s.Cycle(-1)
					if at, ok := s.Deadline(); ok { // the deadline may be earlier after the cycle
						s.Advance(at)
					}
				}
				lookAround(watched)
				alone.Cycle(-1)
				watched.Cycle(-1)
			}
			if expected, found := lines(t, alone.Take()), lines(t, watched.Take()); expected != found {
				t.Fatalf("after %+v expected\n%s\nthe watched one decides\n%s", in, expected, found)
			}
			if expected, found := alone.Answered(), watched.Answered(); !reflect.DeepEqual(expected, found) {
				t.Fatalf("after %+v the answers were\n%+v\nthose of the watched one\n%+v", in, expected, found)
			}
		}
		alone.Cycle(-1)
		watched.Cycle(-1)
		if expected, found := alone.Dump(), lookAround(watched); !reflect.DeepEqual(expected, found) {
			t.Fatalf("expected\n%+v\nthe watched one is\n%+v", expected, found)
		}
	})
}

// TestAReadBeforeTheCycleKnowsWhatCame reads between an input and its cycle. Orders are then those of the last cycle, but amounts and
// priorities are current.
func TestAReadBeforeTheCycleKnowsWhatCame(t *testing.T) {
	c := newCluster(t, unsteadyOptions(), ", queues: [{name: q, resources: {max: {vcore: 3}}, properties: {priority.offset: \"5\"}}]")
	c.say(core.Input{Event: &core.SetPolicy{PolicyModule: *reverseModule("1")}})
	c.app("app", "root.q")
	c.askWith("x", "app", 4, core.Ask{Priority: 2})
	for round := range 2 {
		d := c.Dump()
		q := d.Queues[1]
		if q.PendingAsks != 1 || !q.HasPriority || q.Priority != 7 || !d.Applications[0].HasPriority || d.Applications[0].Priority != 2 {
			t.Errorf("round %d: found %+v and %+v", round, q, d.Applications[0])
		}
		e, ok := c.ExplainAsk("x")
		if !ok || e.Place != 1 || len(e.Shortfalls) != 2 || e.Fits != 0 {
			t.Errorf("round %d: found %+v", round, e)
		}
		if a, _ := c.ExplainApp("app"); !a.HasPriority || len(a.Waits) != 1 {
			t.Errorf("round %d: found %+v", round, a)
		}
		if q, _ := c.ExplainQueue("root.q"); len(q.Reasons) == 0 || q.Reasons[0] != explain.WaitHeadroom {
			t.Errorf("round %d: found %+v", round, q)
		}
		c.cycle()
	}
}

func TestAnExplanationAfterAnAskWentAndBeforeTheCycle(t *testing.T) {
	c := newCluster(t, unsteadyOptions(), ", queues: [{name: q}]")
	c.say(core.Input{Event: &core.SetPolicy{PolicyModule: *reverseModule("1")}}) // with this policy, reads neither ask nor sort
	c.app("app", "root.q")
	c.ask("x", "app", 4)
	c.ask("z", "app", 5)
	c.cycle()
	c.say(core.Input{Event: &core.RemoveAsk{ID: "x"}})
	if q, _ := c.ExplainQueue("root.q"); len(q.Reasons) == 0 || q.Shortfalls[0].Missing != 5000 {
		t.Errorf("found %+v", q)
	}
	if e, _ := c.ExplainAsk("z"); e.Place != 1 {
		t.Errorf("found %+v", e)
	}
	c.say(core.Input{Event: &core.RemoveAsk{ID: "z"}})
	if q, _ := c.ExplainQueue("root.q"); len(q.Reasons) != 1 || q.Reasons[0] != explain.WaitNothingPending {
		t.Errorf("found %+v", q)
	}
	if a, _ := c.ExplainApp("app"); len(a.Reasons) != 1 || a.Reasons[0] != explain.WaitNothingPending {
		t.Errorf("found %+v", a)
	}
	c.app("other", "root.q")
	c.ask("y", "other", 4)
	c.say(core.Input{Event: &core.RemoveApp{ID: "app"}})
	if q, _ := c.ExplainQueue("root"); len(q.Reasons) == 0 || q.Reasons[0] == explain.WaitNothingPending {
		t.Errorf("found %+v", q)
	}
	if e, _ := c.ExplainAsk("y"); e.Place != 1 {
		t.Errorf("found %+v", e)
	}
}

func TestPlacesFollowTheClusterAsItIs(t *testing.T) {
	c := newCluster(t, core.Options{}, ", queues: [{name: p, queues: [{name: b}, {name: c}]}]")
	c.node("small", 8)
	c.app("of b", "root.p.b")
	c.app("of c", "root.p.c")
	c.ask("x", "of b", 10)
	c.ask("y", "of c", 9)
	in := core.Input{At: c.Now(), Event: &core.AddAsk{ID: "z", App: "of c", Resources: resource.NewSet(resource.Quantity{Type: "fpga", Value: 1})}}
	c.say(in)
	c.cycle()
	place := func(id string, expected int) {
		t.Helper()
		if e, _ := c.ExplainAsk(id); e.Place != expected {
			t.Errorf("%s has place %d, expected %d", id, e.Place, expected)
		}
	}
	place("x", 1) // more vcores are pending in b
	c.say(core.Input{At: c.Now(), Event: &core.AddNode{ID: "large", Capacity: resource.NewSet(
		resource.Quantity{Type: "vcore", Value: 1_000_000}, resource.Quantity{Type: "fpga", Value: 2})}})
	place("x", 3) // half of the FPGAs is a larger share than that of the vcores
	place("y", 1)
	if q, _ := c.ExplainQueue("root.p"); !strings.Contains(q.Text, "Ask y ") {
		t.Errorf("expected y to be the first, found %s", q.Text)
	}
	c.Cycle(1)
	c.take()
	c.expect("placed", c.placed(), "y@large")
}
