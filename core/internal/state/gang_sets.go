package state

import (
	"fmt"
	"slices"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/internal/app"
)

// Gangs of an application may belong to a set, of which some start together. Once they have, its other gangs are placed like any other, as
// long as the application lives.

// rejectSet refuses a member whose gang belongs to a set of which another gang gives another minimum. It reports whether it did.
func (s *State) rejectSet(in *core.AddAsk, a app.App) bool {
	said := in.Ask.Gang
	if said.Set == "" {
		return false
	}
	for g := range a.AtomicGangs {
		if row := g.Row(); row.Set == said.Set && row.SetMin != said.SetMin {
			s.rejectAsk(in, core.ReasonGangMismatch, fmt.Sprintf("gang %q of set %q has gang_set_min %d; the ask has %d", row.ID, row.Set, row.SetMin, said.SetMin))
			return true
		}
	}
	return false
}

// startSet records that a gang of a set has been placed. The gangs of the set that wait do so for themselves from now on.
func (s *State) startSet(a app.App, set string) {
	if set == "" || s.gangs.View().SetStarted(a.Number(), set) {
		return
	}
	s.gangs.StartSet(a.Number(), set)
	for g := range a.AtomicGangs {
		if row := s.edit(a).EditGang(g); row.Set == set {
			row.SetStarted = true
			if !row.Placed {
				s.regroup(a, g)
			}
		}
	}
}

// WaitingSet lists the complete gangs of a set that waits, in the order of their first pending members, by these.
func (s *State) WaitingSet(a app.App, set string) (first []app.Ask) {
	for g := range a.AtomicGangs {
		if g.Row().Set != set || !g.WaitsForSet() || !g.Complete() {
			continue
		}
		if ask := a.FirstOfGang(g); !ask.IsNone() {
			first = append(first, ask)
		}
	}
	slices.SortFunc(first, a.Compare)
	return first
}
