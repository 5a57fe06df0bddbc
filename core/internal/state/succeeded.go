package state

import (
	"maps"
	"slices"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/state/gangs"
)

// Succeeded members of atomic gangs count as long as their application lives: in AtomicGang.Succeeded while the gang has members, otherwise
// in the owner of gangs.

// keepSucceeded saves the number of succeeded members of a gang that has no members any more.
func (s *State) keepSucceeded(a app.App, g app.AtomicGang) {
	if g := g.Row(); g.Succeeded > 0 { // it is not in the list, which only contains gangs without members
		s.gangs.AddSucceeded(a.Number(), gangs.Succeeded{ID: g.ID, Min: g.Min, Count: g.Succeeded})
	}
}

// takeSucceeded removes and returns the number of succeeded members of a gang whose first new member has come. It returns 0 if that member
// has another minimum.
func (s *State) takeSucceeded(a app.App, said *core.Gang) int {
	g, known := s.gangs.TakeSucceeded(a.Number(), said.ID)
	if !known || g.Min != 0 && g.Min != said.Min {
		return 0
	}
	return g.Count
}

// succeededBefore converts the numbers of succeeded members that an application is submitted with.
func succeededBefore(told map[string]int) (list []gangs.Succeeded) {
	if len(told) == 0 { // sorting nothing costs memory
		return nil
	}
	for _, id := range slices.Sorted(maps.Keys(told)) {
		if told[id] > 0 {
			list = append(list, gangs.Succeeded{ID: id, Count: told[id]})
		}
	}
	return list
}

// memberSucceeded counts a member whose allocation ends without a failure. A
// member that was asked to leave, other than by its owner, has not succeeded.
func (s *State) memberSucceeded(ask app.Ask) {
	if !ask.Leaving() || s.whyTold(ask) == core.ReasonFinished {
		g := ask.Atomic()
		row := s.edit(ask.App()).EditGang(g)
		row.Succeeded++
		s.succeededInSlice(ask)
		if !row.Placed { // a smaller number of members may be placed together now
			if g.Need() < 1 {
				row.Placed = true
				s.edit(ask.App()).ChooseRoles(g)
			}
			s.regroup(ask.App(), g)
		}
		if row.Broken {
			s.judgeLater(ask.App(), g) // it may be whole by now
		}
		s.countStaying(ask, 0)
	}
}

// fallBack makes the members of a gang ordinary asks after its timeout.
func (s *State) fallBack(a app.App, g app.AtomicGang) {
	d := s.emit(core.GangFallback)
	d.App, d.Gang, d.Reason = a.ID(), g.Row().ID, core.ReasonTimeout
	s.endGangPlan(g, false)
	row := s.edit(a).EditGang(g)
	row.Placed, row.Dissolved = true, true
	s.regroup(a, g)
}
