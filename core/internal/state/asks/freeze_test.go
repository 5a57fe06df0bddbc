package asks

import (
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// fork continues a trial in a fork of its owner.
func (tr *trial) fork() *trial {
	tr.free()
	next := &trial{T: tr.T, o: tr.o.Freeze().Fork(), live: map[Slot]*model{}, removed: map[Slot]*model{}, seq: tr.seq}
	for slot, m := range tr.live {
		own := *m
		next.live[slot] = &own
	}
	return next
}

func (tr *trial) step() {
	slots := slices.Sorted(maps.Keys(tr.live))
	switch what := tr.roll("step", 8); {
	case what < 3 || len(slots) == 0:
		tr.add()
	case what == 3:
		tr.free()
	default:
		slot := slots[tr.roll("slot", len(slots))]
		tr.change(slot, tr.live[slot])
	}
}

func TestFork_AsksAreIndependent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := []*trial{{T: t, o: New(), live: map[Slot]*model{}, removed: map[Slot]*model{}}}
		for range rapid.IntRange(1, 80).Draw(t, "steps") {
			tr := all[rapid.IntRange(0, len(all)-1).Draw(t, "fork")]
			if len(all) < 5 && tr.roll("forks", 10) == 0 {
				all = append(all, tr.fork())
			}
			tr.step()
			for _, other := range all {
				other.check()
			}
		}
	})
}
