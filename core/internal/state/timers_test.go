package state

import (
	"slices"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
)

// apply applies inputs, which must be accepted.
func apply(t *testing.T, s *State, events ...core.Event) {
	t.Helper()
	for _, e := range events {
		in := core.Input{Event: e}
		if refused := s.Apply(&in); refused != core.Accepted {
			t.Fatalf("expected %s to be accepted, found %s", in.Type(), refused)
		}
	}
}

// complete submits an application that is Completing at once, since its only ask is withdrawn.
func complete(t *testing.T, s *State, id string, amount resource.Set) {
	t.Helper()
	apply(t, s, &core.AddApp{ID: id, Queue: "root.default"}, &core.AddAsk{ID: "of " + id, App: id, Resources: amount}, &core.RemoveAsk{ID: "of " + id})
}

// The timer of an application that has gone is left to expire. If it reached the application that has the number now, that one would
// complete before the application between them.
func TestTimer_MissesTheNextAppWithItsNumber(t *testing.T) {
	s, amount := started(t)
	complete(t, s, "gone", amount)
	gone := s.Asks().AppWithID("gone")
	number := gone.Number()
	complete(t, s, "between", amount)
	apply(t, s, &core.RemoveApp{ID: "gone"})
	s.TrimLog()
	complete(t, s, "next", amount)
	if next := s.Asks().AppWithID("next"); next == gone || next.Number() != number {
		t.Fatalf("expected the number %d to be used again, found %d", number, next.Number())
	}
	s.TakeDecisions()
	s.Advance(30 * time.Second)
	var completed []string
	for _, d := range s.TakeDecisions() {
		if d.To == core.StateCompleted {
			completed = append(completed, d.ID)
		}
	}
	if want := []string{"between", "next"}; !slices.Equal(completed, want) {
		t.Fatalf("expected %v to complete in this order, found %v", want, completed)
	}
}

// The same of gangs: the timeout of one that has gone leaves the next gang with its number alone.
func TestTimer_MissesTheNextGangWithItsNumber(t *testing.T) {
	s, amount := started(t)
	member := func(id, gang string) core.Event {
		return &core.AddAsk{ID: id, App: "app", Resources: amount, Ask: core.Ask{Gang: &core.Gang{ID: gang, Min: 2, Timeout: time.Minute}}}
	}
	apply(t, s, &core.AddAsk{ID: "other", App: "app", Resources: amount}, member("a", "gone")) // with the other ask, the application stays
	gone := s.Asks().Find("a").Atomic()
	number := gone.Number()
	apply(t, s, &core.RemoveAsk{ID: "a"})
	s.TrimLog()
	s.Advance(30 * time.Second)
	apply(t, s, member("b", "next"))
	if next := s.Asks().Find("b").Atomic(); next == gone || next.Number() != number {
		t.Fatalf("expected the number %d to be used again, found %d", number, next.Number())
	}
	if s.Advance(time.Minute); s.Asks().Find("b").IsNone() {
		t.Fatal("the timeout of the gang that has gone ended the next one")
	}
	if s.Advance(90 * time.Second); !s.Asks().Find("b").IsNone() {
		t.Fatal("expected the gang to end after its own timeout")
	}
}
