package state

import (
	"slices"
	"testing"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
)

func kinds(changes Changes) (list []ChangeKind) {
	for c := range changes.All {
		list = append(list, c.Kind())
	}
	return list
}

// started makes a state with a node and an application, whose log has been read and trimmed.
func started(t *testing.T) (*State, resource.Set) {
	t.Helper()
	s := New(core.Options{}).partitions[0]
	amount := resource.NewSet(resource.Quantity{Type: "vcore", Value: 1000})
	for _, in := range []core.Input{{Event: &core.AddNode{ID: "node", Capacity: amount}}, {Event: &core.AddApp{ID: "app", Queue: "root.default"}}} {
		if refused := s.Apply(&in); refused != core.Accepted {
			t.Fatalf("expected %s to be accepted, found %s", in.Type(), refused)
		}
	}
	s.TrimLog()
	return s, amount
}

func TestEachFollowerReadsEachChangeOnceInOrder(t *testing.T) {
	s, amount := started(t)
	var first, second Cursor
	s.SkipLog(&first)
	s.SkipLog(&second)
	s.Apply(&core.Input{Event: &core.AddAsk{ID: "ask", App: "app", Resources: amount}})
	want := []ChangeKind{AskPending, AppMoved}
	if got := kinds(s.Follow(&first)); !slices.Equal(got, want) {
		t.Fatalf("expected the changes %v, found %v", want, got)
	}
	if s.Behind(&first) || !s.Behind(&second) {
		t.Fatal("expected the second follower alone to be behind")
	}
	s.Allocate(s.orders.Find("ask"), s.finder.Find("node"))
	if got := kinds(s.Follow(&first)); len(got) == 0 || got[0] != AskAllocated {
		t.Fatalf("expected the allocation first, found %v", got)
	}
	if got := kinds(s.Follow(&second)); len(got) < 3 || !slices.Equal(got[:2], want) || got[2] != AskAllocated {
		t.Fatalf("expected all changes, found %v", got)
	}
	if s.Behind(&second) {
		t.Fatal("expected the second follower to have read everything")
	}
}

func TestAnAskThatIsGoneCanBeReadUntilTheLogIsTrimmed(t *testing.T) {
	s, amount := started(t)
	var c Cursor
	s.SkipLog(&c)
	s.Apply(&core.Input{Event: &core.AddAsk{ID: "ask", App: "app", Resources: amount}})
	s.Apply(&core.Input{Event: &core.RemoveAsk{ID: "ask"}})
	changes := slices.Collect(s.Follow(&c).All)
	i := slices.IndexFunc(changes, func(c Change) bool { return c.Kind() == AskGone })
	if i < 0 || changes[i].Ask().ID() != "ask" || changes[i].Ask().App().IsNone() {
		t.Fatalf("expected the ask that is gone, found %v", changes)
	}
	ask := changes[i].Ask()
	s.TrimLog()
	if ask.ID() != "" || s.LogLength() != 0 {
		t.Fatalf("expected nothing to be kept, found %q and %d changes", ask.ID(), s.LogLength())
	}
}

func TestAFollowerThatMissedChangesPanics(t *testing.T) {
	s, amount := started(t)
	var c Cursor
	s.SkipLog(&c)
	s.Apply(&core.Input{Event: &core.AddAsk{ID: "ask", App: "app", Resources: amount}})
	s.TrimLog()
	defer func() {
		if recover() == nil {
			t.Fatal("expected a panic")
		}
	}()
	s.Follow(&c)
}
