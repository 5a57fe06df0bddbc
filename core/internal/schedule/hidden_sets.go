package schedule

import (
	"slices"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/state"
)

// The gangs of a set are hidden one by one while the nodes have no room for as many as must start together (BenchmarkGangsInRacks). Any change of
// the application's asks may change the set, so all of its gangs are shown again then: the set is tried at its first member.

// roomForSet reports whether the nodes may have room for a set of a shape, of which an ask is the first pending member of a gang.
func (s *Walk) roomForSet(ask app.Ask, of hiddenShape) bool {
	s.trying = ask
	return s.roomForGangs(s.state.Nodes().Rooms(of.class, s.contest()), of, ask.WaitingGang().Need())
}

// hideSet hides the gang of which an ask is the first pending member, and for whose set there is no room. It reports whether it did.
func (s *Walk) hideSet(ask app.Ask, of hiddenShape) bool {
	g := ask.WaitingGang()
	if !s.hideGang(hiddenGang{ask.App(), g, g.Row().Version}, of, ask) {
		return false
	}
	s.setIsHidden(ask)
	return true
}

// hideIncomplete hides the gang of which an ask is the first pending member, and whose set has too few gangs. It reports whether it did.
func (s *Walk) hideIncomplete(ask app.Ask) bool {
	if s.mayNotHide(ask.App()) {
		return false
	}
	ask.App().HideGang(ask)
	s.setIsHidden(ask)
	return true
}

// setIsHidden records that the gang of an ask is hidden until its set changes.
func (s *Walk) setIsHidden(ask app.Ask) {
	w, r := &s.gangs, reopeningGang{ask.App(), ask.WaitingGang()}
	w.reopening = slices.DeleteFunc(w.reopening, func(other reopeningGang) bool { return other == r })
	if w.hiddenSets == nil {
		w.hiddenSets = map[app.App]bool{}
	}
	w.hiddenSets[ask.App()] = true
}

// setMayChange notes the application of a change whose hidden sets have to be tried again.
func (s *Walk) setMayChange(c state.Change) {
	switch k := c.Kind(); {
	case k <= state.AllocationEnded, k == state.GangChanged, k == state.UnitChanged, k == state.AppMoved, k == state.AppTransferred:
		if a := c.App(); s.gangs.hiddenSets[a] {
			delete(s.gangs.hiddenSets, a)
			s.gangs.changedSets = append(s.gangs.changedSets, a)
		}
	}
}

// showChangedSets makes searches find the hidden gangs of applications with changed sets again.
func (s *Walk) showChangedSets() {
	w := &s.gangs
	for i := range w.hidden {
		h := &w.hidden[i]
		h.list = slices.DeleteFunc(h.list, func(g hiddenGang) bool { return slices.Contains(w.changedSets, g.app) })
		h.least = leastNeed(h.list)
	}
	for _, a := range w.changedSets {
		if a.ShowGangs(s.state.ShrinkEpoch()) {
			s.order.MarkChanged(queueOf(a.Leaf()))
		}
	}
	w.changedSets = w.changedSets[:0]
	s.Sync()
}
