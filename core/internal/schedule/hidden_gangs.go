package schedule

import (
	"slices"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/node"
)

// A release makes room for a member of many waiting gangs, but rarely for a whole gang. So dormant gangs are hidden from searches, and lists
// of those with equal members and level are kept. When room has grown, one question for each list says whether any of its gangs may fit
// (BenchmarkGangsInRacks).

// hiddenShape is what hidden gangs of one list have in common. It names levels, since their numbers may change.
type hiddenShape struct {
	class class.Class // of all members; it has the level that they require
	slice string      // the level of their slices
	size  int         // of a slice; 0: they have none
	gangs int         // the number that start together: 1, or that of a set
}

func shapeOf(g app.AtomicGang, members class.Class) hiddenShape {
	said := g.Row().Topology.Slice
	return hiddenShape{class: members, slice: said.Level, size: said.Size, gangs: 1}
}

type hiddenGang struct {
	app     app.App
	gang    app.AtomicGang
	version uint64 // of the gang when it was hidden; with another one, it is no longer hidden
}

// hiddenGangs are hidden gangs of one shape, in the order in which they were hidden. Some may no longer be.
type hiddenGangs struct {
	hiddenShape
	list  []hiddenGang
	least int // lower bound of their Need
	full  int // the length at which obsolete ones are dropped
}

const (
	// mostHidden limits the number of lists, since each may be asked about at each growth. Gangs of other shapes are not hidden.
	mostHidden = 64
	// minHidden is the least length at which a list is searched for obsolete gangs.
	minHidden = 64
)

// valid reports whether the gang is still hidden.
func (h *hiddenGang) valid() bool { return h.gang.Waits() && h.gang.Row().Version == h.version }

// mustVisit reports whether visits to dormant gangs have effects: the gangs may take room that other asks may not, or room is held at the
// turn of a gang that accumulates it.
func (s *Walk) mustVisit() bool {
	return s.state.Reservations().Len() > 0 || !s.accumulating.IsNone() || s.state.HasWindows()
}

// mayNotHide reports whether hiding a gang of an application might have an effect on decisions.
func (s *Walk) mayNotHide(a app.App) bool {
	return s.planning.on || s.mustVisit() || !a.Limits().IsNone() || s.state.AnyModule()
}

// hideGang hides a dormant gang, of which an ask is the first pending member, if that has no effect on decisions. It reports whether it did.
func (s *Walk) hideGang(g hiddenGang, of hiddenShape, first app.Ask) bool {
	if s.mayNotHide(g.app) {
		return false
	}
	all := s.gangs.hidden
	i := slices.IndexFunc(all, func(h hiddenGangs) bool { return h.hiddenShape == of })
	if i < 0 {
		if i = len(all); i == mostHidden {
			return false
		}
		s.gangs.hidden = append(all, hiddenGangs{hiddenShape: of, least: g.gang.Need(), full: minHidden})
	}
	h := &s.gangs.hidden[i]
	if len(h.list) >= h.full {
		h.list = slices.DeleteFunc(h.list, func(g hiddenGang) bool { return !g.valid() })
		h.full = max(minHidden, 2*len(h.list))
	}
	if len(h.list) == 0 {
		h.least = g.gang.Need()
	}
	h.list, h.least = append(h.list, g), min(h.least, g.gang.Need())
	g.app.HideGang(first)
	return true
}

// showGangs makes searches find the hidden gangs again that have room now, and reports whether there are any. Room of classes for which
// grew is false has not grown. The orders have to be synced afterwards.
func (s *Walk) showGangs(grew func(class.Class) bool) (any bool) {
	all := s.mustVisit()
	s.gangs.hidden = slices.DeleteFunc(s.gangs.hidden, func(h hiddenGangs) bool { return len(h.list) == 0 })
	for i := range s.gangs.hidden {
		h := &s.gangs.hidden[i]
		if !all && !grew(h.class) {
			continue
		}
		rooms := s.state.Nodes().Rooms(h.class, node.Contest{})
		if !all && !s.roomForGangs(rooms, h.hiddenShape, h.least) {
			continue
		}
		before := len(h.list)
		h.list = slices.DeleteFunc(h.list, func(g hiddenGang) bool {
			if !g.valid() {
				return true
			}
			if !all && !s.roomForGangs(rooms, h.hiddenShape, g.gang.Need()) {
				return false
			}
			if g.app.ReopenGang(g.gang, s.state.ShrinkEpoch()) {
				s.order.MarkChanged(queueOf(g.app.Leaf()))
			}
			return true
		})
		h.least = leastNeed(h.list)
		any = any || len(h.list) < before
	}
	return any
}

func leastNeed(list []hiddenGang) int {
	least := 0
	for i, g := range list {
		if need := g.gang.Need(); i == 0 || need < least {
			least = need
		}
	}
	return least
}

// showGrown is showGangs before a walk, whose bounds say for which classes room has grown since all gangs were visited.
func (s *Walk) showGrown() {
	w, x := &s.gangs, &s.search
	if len(w.hidden) == 0 || !w.grew && !s.mustVisit() {
		return
	}
	w.grew = false
	if s.showGangs(func(c class.Class) bool { return x.exhausted == 0 || c.Fits(x.grownNode.Room) }) {
		s.Sync()
	}
}

// showAllGangs makes searches find all hidden gangs again.
func (s *Walk) showAllGangs() {
	for a := range s.state.Asks().Apps {
		if a.ShowGangs(s.state.ShrinkEpoch()) {
			s.order.MarkChanged(queueOf(a.Leaf()))
		}
	}
	s.gangs.hidden, s.gangs.hiddenSets, s.gangs.changedSets = nil, nil, nil
}
