package claims

import (
	"maps"
	"testing"

	"github.com/quern-project/quern/core/internal/app"

	"pgregory.net/rapid"
)

// fork continues a trial in a fork of its owner.
func (tr *claimTrial) fork() *claimTrial {
	next := &claimTrial{T: tr.T, o: tr.o.Freeze().Fork(), gangs: maps.Clone(tr.gangs), leaving: maps.Clone(tr.leaving), seq: tr.seq}
	for _, c := range tr.model {
		own := *c
		next.model = append(next.model, &own)
	}
	return next
}

func TestFork_ClaimsAreIndependent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := []*claimTrial{{T: t, o: NewClaims(), gangs: map[int]GangID{}, leaving: map[int]int{}}}
		for range rapid.IntRange(1, 80).Draw(t, "steps") {
			tr := all[rapid.IntRange(0, len(all)-1).Draw(t, "fork")]
			if len(all) < 5 && rapid.IntRange(0, 9).Draw(t, "forks") == 0 {
				all = append(all, tr.fork())
			}
			tr.step()
			for _, other := range all {
				other.check()
			}
		}
	})
}

func TestFork_ReservationsAreIndependent(t *testing.T) {
	type trial struct {
		o     *Reservations
		model map[int32]Reservation
		seq   uint64
	}
	rapid.Check(t, func(t *rapid.T) {
		all := []*trial{{o: NewReservations(), model: map[int32]Reservation{}}}
		for range rapid.IntRange(1, 80).Draw(t, "steps") {
			tr := all[rapid.IntRange(0, len(all)-1).Draw(t, "fork")]
			if len(all) < 5 && rapid.IntRange(0, 9).Draw(t, "forks") == 0 {
				all = append(all, &trial{tr.o.Freeze().Fork(), maps.Clone(tr.model), tr.seq})
			}
			node := int32(rapid.IntRange(0, 5).Draw(t, "node"))
			if _, in := tr.model[node]; in {
				tr.o.End(node)
				delete(tr.model, node)
			} else {
				tr.seq++
				r := Reservation{Seq: tr.seq, Node: node, Ask: app.Slot(tr.seq * 7), Required: rapid.Bool().Draw(t, "required")}
				tr.o.Add(r)
				tr.model[node] = r
			}
			for _, other := range all {
				checkReservations(t, other.o, other.model)
			}
		}
	})
}
