package state

import (
	"slices"
	"testing"

	"github.com/quern-project/quern/core"
)

// TestWaitingSet_CompleteGangsInOrder submits gangs of two members: b, then a, then one member of c.
func TestWaitingSet_CompleteGangsInOrder(t *testing.T) {
	s, amount := started(t)
	add := func(id, gang string, least int) {
		s.Apply(&core.Input{Event: &core.AddAsk{ID: id, App: "app", Resources: amount, Ask: core.Ask{Gang: &core.Gang{ID: gang, Min: 2, Set: "s", SetMin: least}}}})
	}
	for _, id := range []string{"b1", "a1", "a2", "c1", "b2"} {
		add(id, id[:1], 2)
	}
	a := s.orders.Find("a1").App()
	waiting := func() (ids []string) {
		for _, first := range s.WaitingSet(a, "s") {
			ids = append(ids, first.ID())
		}
		return ids
	}
	if found := waiting(); !slices.Equal(found, []string{"b1", "a1"}) {
		t.Errorf("%v wait, expected the gangs with two members in the order of their first ones", found)
	}
	if add("c2", "c", 3); !s.orders.Find("c2").IsNone() {
		t.Error("a member with another gang_set_min is accepted")
	}
	if add("c3", "c", 2); len(waiting()) != 3 {
		t.Errorf("%v wait, expected three gangs", waiting())
	}
	s.AllocateGang([]Placement{{s.orders.Find("b1"), s.finder.Find("node")}})
	if found := waiting(); len(found) != 0 {
		t.Errorf("%v wait for the set, which has started", found)
	}
}
