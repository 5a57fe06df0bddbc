package scheduler_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/core/scheduler"
)

// panicOf returns the value with which a call panics, or an empty string.
func panicOf(call func()) (text string) {
	defer func() {
		if p := recover(); p != nil {
			text = fmt.Sprint(p)
		}
	}()
	call()
	return ""
}

func TestABrokenObligationOfTheHostPanicsWithItsNumber(t *testing.T) {
	starting := func(t *testing.T) *scheduler.Scheduler { // an application is Starting until 5m0s
		c := newCluster(t, core.Options{}, ", queues: [{name: default}]")
		c.say(core.Input{Event: &core.AddNode{ID: "node", Capacity: cores(4, 4)}})
		c.say(core.Input{Event: &core.AddApp{ID: "app", Queue: "root.default"}})
		c.say(core.Input{Event: &core.AddAsk{ID: "ask", App: "app", Resources: cores(1, 1)}})
		c.Cycle(-1)
		return c.Scheduler
	}
	for _, c := range []struct {
		name string
		call func(s *scheduler.Scheduler)
		want string
	}{
		{"the clock goes back", func(s *scheduler.Scheduler) { s.Advance(time.Second); s.Advance(0) },
			"obligation 2 of the host is broken: the clock was advanced from 1s back to 0s"},
		{"an input of another time", func(s *scheduler.Scheduler) { s.Apply(&core.Input{At: time.Second, Event: &core.Tick{}}) },
			"obligation 2 of the host is broken: an input of 1s was applied at 0s"},
		{"a deadline is passed over", func(s *scheduler.Scheduler) { s.Advance(5*time.Minute + 1) },
			"obligation 3 of the host is broken: the clock was advanced from 0s to 5m0.000000001s, past the deadline at 5m0s"},
		{"a method after a panic", func(s *scheduler.Scheduler) {
			_ = panicOf(func() { s.Apply(nil) })
			s.Cycle(-1)
		}, "obligation 9 of the host is broken: Cycle was called during Apply, or after a panic in it"},
		{"a read after a panic", func(s *scheduler.Scheduler) {
			_ = panicOf(func() { s.Apply(nil) })
			s.Dump()
		}, "obligation 9 of the host is broken: Read was called during Apply, or after a panic in it"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := starting(t)
			if found := panicOf(func() { c.call(s) }); !strings.Contains(found, c.want) {
				t.Fatalf("expected a panic with %q, found %q", c.want, found)
			}
		})
	}
}

// reentrant is a policy that calls the scheduler.
type reentrant struct{ s **scheduler.Scheduler }

func (r reentrant) Eval(*policy.Batch) error {
	(*r.s).Dump()
	return nil
}

func TestAPolicyThatCallsTheSchedulerBackPanics(t *testing.T) {
	var s *scheduler.Scheduler
	s = scheduler.New(core.Options{Evaluator: func(core.Announcement) policy.Evaluator { return reentrant{&s} }})
	s.Advance(0)
	s.Apply(&core.Input{Event: &core.AddNode{ID: "node", Capacity: cores(4, 4)}})
	s.Apply(&core.Input{Event: &core.AddApp{ID: "app", Queue: "root.default"}})
	s.Apply(&core.Input{Event: &core.AddAsk{ID: "ask", App: "app", Resources: cores(1, 1), Ask: core.Ask{Predicate: "where"}}})
	found := panicOf(func() { s.Cycle(-1) })
	if want := "obligation 9 of the host is broken: Read was called during Cycle"; !strings.Contains(found, want) {
		t.Fatalf("expected a panic with %q, found %q", want, found)
	}
}

func TestADeadlineThatIsMetExactlyIsNotLate(t *testing.T) {
	s := scheduler.New(core.Options{})
	s.Advance(0)
	s.Advance(time.Hour) // there is no deadline
	s.Apply(&core.Input{At: time.Hour, Event: &core.AddNode{ID: "node", Capacity: cores(4, 4)}})
	s.Apply(&core.Input{At: time.Hour, Event: &core.AddApp{ID: "app", Queue: "root.default"}})
	s.Apply(&core.Input{At: time.Hour, Event: &core.AddAsk{ID: "ask", App: "app", Resources: cores(1, 1)}})
	s.Cycle(-1)
	at, ok := s.Deadline()
	if !ok {
		t.Fatal("expected a deadline")
	}
	s.Advance(at)
}
