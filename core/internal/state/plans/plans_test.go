package plans

import (
	"slices"
	"testing"

	"github.com/quern-project/quern/core/internal/state/asks"
)

func TestPlans_AreSetReplacedAndEnded(t *testing.T) {
	o := New()
	o.Set(Plan{Ask: 3, Head: 3, Node: 1, Start: 5, ToldNode: NoNode})
	o.Set(Plan{Ask: 3, Head: 3, Node: 2, Start: 4, ToldNode: 1})
	if p, has := o.View().Of(3); !has || p.Node != 2 || p.Start != 4 || !p.IsTold() || o.View().Len() != 1 {
		t.Errorf("found %+v of %d", p, o.View().Len())
	}
	o.End(3)
	o.End(3) // it has none any more
	if _, has := o.View().Any(3); has || o.View().Len() != 0 {
		t.Errorf("found one of %d", o.View().Len())
	}
}

func TestPlans_LostOnesDoNotHold(t *testing.T) {
	o := New()
	o.Set(Plan{Ask: 1, Head: 1, ToldNode: 7, Lost: true})
	if _, has := o.View().Of(1); has {
		t.Error("expected no plan that holds")
	}
	if p, has := o.View().Any(1); !has || !p.Lost {
		t.Errorf("found %+v", p)
	}
}

func TestPlans_GoneNodeIsStillTold(t *testing.T) {
	o := New()
	o.ForgetNode(7) // there are no plans
	o.Set(Plan{Ask: 1, Head: 1, Node: 8, ToldNode: 7})
	o.Set(Plan{Ask: 2, Head: 2, Node: 8, ToldNode: 8})
	o.ForgetNode(7)
	gone, _ := o.View().Of(1)
	there, _ := o.View().Of(2)
	if gone.ToldNode != GoneNode || !gone.IsTold() || there.ToldNode != 8 {
		t.Errorf("found %+v and %+v", gone, there)
	}
}

func TestPlans_ForksAreIndependent(t *testing.T) {
	o := New()
	o.Set(Plan{Ask: 1, Head: 1, Start: 1, ToldNode: NoNode})
	f := o.Freeze()
	o.End(1)
	o.Set(Plan{Ask: 2, Head: 2, Start: 2, ToldNode: NoNode})
	var slots []asks.Slot
	for p := range f.Fork().View().All {
		slots = append(slots, p.Ask)
	}
	if !slices.Equal(slots, []asks.Slot{1}) {
		t.Errorf("expected the plan of ask 1, found %v", slots)
	}
	if _, has := o.View().Of(2); !has {
		t.Error("expected the plan of ask 2 in the original")
	}
}
