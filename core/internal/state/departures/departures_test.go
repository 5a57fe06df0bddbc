package departures

import (
	"maps"
	"slices"
	"testing"

	"github.com/quern-project/quern/core/internal/state/asks"
	"github.com/quern-project/quern/core/internal/state/internal/table"
	_ "github.com/quern-project/quern/internal/seeded"

	"pgregory.net/rapid"
)

func TestRows_HoldNoPointers(t *testing.T) {
	if err := table.Flat[victim](); err != nil {
		t.Error(err)
	}
}

func TestDepartures_EqualAMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o, v, model := New(), View{}, map[asks.Slot]uint64{}
		v = o.View()
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			slot := asks.Slot(rapid.IntRange(1, 200).Draw(t, "slot"))
			claim, leaves := model[slot]
			if leaves {
				if d, ok := o.End(slot); !ok || d.Claim != claim {
					t.Fatalf("slot %d ended for the claim %d, expected %d", slot, d.Claim, claim)
				}
				delete(model, slot)
			} else {
				claim = rapid.Uint64Range(0, 9).Draw(t, "claim")
				o.Add(slot, &Departure{Claim: claim})
				model[slot] = claim
			}
			checkEqual(t, v, model)
		}
	})
}

func checkEqual(t *rapid.T, v View, model map[asks.Slot]uint64) {
	if got, want := slices.Sorted(v.All), slices.Sorted(maps.Keys(model)); !slices.Equal(got, want) || v.Len() != len(want) {
		t.Fatalf("victims %v, expected %v", got, want)
	}
	for slot := asks.Slot(1); slot <= 200; slot++ {
		claim, leaves := model[slot]
		d, found := v.Of(slot)
		if v.Has(slot) != leaves || found != leaves || v.ClaimOf(slot) != claim || d.Claim != claim {
			t.Fatalf("slot %d leaves for %+v (%v), expected the claim %d (%v)", slot, d, found, claim, leaves)
		}
	}
}

func TestEnd_LeavesOtherAllocationsAlone(t *testing.T) {
	o := New()
	o.Add(1, &Departure{Claim: 1})
	if _, ok := o.End(2); ok {
		t.Error("an allocation that was not asked to leave has ended as a victim")
	}
	if !o.View().Has(1) {
		t.Error("the end of another allocation removed the victim")
	}
}

func TestFreeze_EqualsTheDeparturesThen(t *testing.T) {
	o := New()
	o.Add(1, &Departure{Claim: 1})
	frozen := o.Freeze()
	o.End(1)
	o.Add(2, &Departure{Claim: 2})
	fork := frozen.Fork()
	fork.Add(3, &Departure{Claim: 3})
	if got := slices.Sorted(o.View().All); !slices.Equal(got, []asks.Slot{2}) {
		t.Errorf("the owner has the victims %v after a fork, expected 2", got)
	}
	if d, _ := fork.View().Of(1); d.Claim != 1 || fork.View().ClaimOf(3) != 3 || fork.View().Has(2) {
		t.Errorf("the fork has the victims %v, expected 1 and 3", slices.Sorted(fork.View().All))
	}
}
