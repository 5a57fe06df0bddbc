package state

import (
	"cmp"
	"maps"
	"slices"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/internal/app"
)

// Members of atomic gangs that have succeeded. They count for as long as their application lives: while the gang has members, in
// AtomicGang.Succeeded; while it has none, in App.Succeeded.

func findSucceeded(a *app.App, id string) (int, bool) {
	return slices.BinarySearchFunc(a.Succeeded, id, func(g app.SucceededGang, id string) int { return cmp.Compare(g.ID, id) })
}

// keepSucceeded keeps what has succeeded of a gang that has no members any more.
func keepSucceeded(a *app.App, g app.SucceededGang) {
	if g.Count < 1 {
		return
	}
	i, _ := findSucceeded(a, g.ID) // a gang is there only while it has no members
	a.Succeeded = slices.Insert(a.Succeeded, i, g)
}

// takeSucceeded is how many have succeeded of a gang whose first member comes: none, if that gives another minimum.
func takeSucceeded(a *app.App, said *core.Gang) int {
	i, known := findSucceeded(a, said.ID)
	if !known {
		return 0
	}
	g := a.Succeeded[i]
	a.Succeeded = slices.Delete(a.Succeeded, i, i+1)
	if g.Min != 0 && g.Min != said.Min {
		return 0
	}
	return g.Count
}

// succeededBefore is what an application comes with.
func succeededBefore(told map[string]int) (list []app.SucceededGang) {
	for _, id := range slices.Sorted(maps.Keys(told)) {
		if told[id] > 0 {
			list = append(list, app.SucceededGang{ID: id, Count: told[id]})
		}
	}
	return list
}

// memberSucceeded counts a member of a gang whose allocation ends without a failure. One that was told to leave has not succeeded.
func (s *State) memberSucceeded(ask *app.Ask) {
	if !ask.Leaving || s.whyTold(ask) == core.ReasonFinished {
		ask.Atomic.Succeeded++
	}
}

// fallBack makes the members of a gang ordinary asks, since its time is over.
func (s *State) fallBack(a *app.App, g *app.AtomicGang) {
	d := s.emit(core.GangFallback)
	d.App, d.Gang, d.Reason = a.ID, g.ID, core.ReasonTimeout
	g.Placed = true
	a.ReleaseMembers(g)
	for _, ask := range s.PendingOf(a) {
		if ask.Atomic == g {
			s.askChanged(AskUpdated, ask, nil)
		}
	}
}
