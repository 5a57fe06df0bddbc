package schedule

import (
	"slices"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/limit"
	"github.com/quern-project/quern/core/internal/state"
	"github.com/quern-project/quern/core/resource"
)

// gangWalk is what the walk keeps of atomic gangs.
type gangWalk struct {
	steps int  // left in this cycle
	short bool // the cycle ran out of steps
	// search is one that ran out of steps, to be continued; nil: none did.
	search *gangSearch
	// failed says of gangs that were searched when nothing had changed since: their searches may take several cycles, and
	// none of these is to begin anew.
	failed map[*app.AtomicGang]uint64
	// unsettled are gangs that may fit though room has only shrunk, since other members would be chosen then. They are tried
	// whenever anything has changed since unsettledAt.
	unsettled   []unsettledGang
	unsettledAt uint64
	// limited are gangs that failed in applications with limits: they are tried when usage falls at one of these.
	limited map[*app.AtomicGang]*app.App
	// barred says of gangs with kept nodes that could not land when nothing had changed since. To try again would mark their
	// nodes as changed, and searches for victims there would begin anew in each cycle.
	barred map[*state.GangClaim]uint64
	most   int // length of limited at which those are dropped that wait no more

	// Scratch memory of one attempt.
	placed   []state.Placement
	unfit    []shape
	headroom resource.Vec
}

// shape is what members have in common that fare alike.
type shape struct {
	class    *class.Class
	priority int32
}

// Begin starts a cycle's share of steps.
func (s *Walk) Begin(steps int) { s.gangs.steps, s.gangs.short = steps, false }

// StepsLeft is what is left of the cycle's share.
func (s *Walk) StepsLeft() int { return s.gangs.steps }

// Short reports whether the search for the nodes of a gang has yet to be finished.
func (s *Walk) Short() bool { return s.gangs.short }

// tryGang places the gang that an ask is the first pending member of, or none of it. It reports false as well where the
// search has yet to be finished: the walk is to end then.
func (s *Walk) tryGang(ask *app.Ask) bool {
	g := ask.Gang()
	if !g.Complete() || s.gangs.failed[g] == s.LogEnd() {
		return false
	}
	s.headroomOf(ask.App)
	if x := s.gangs.search; x == nil || x.gang != g {
		if s.placeInOrder(ask, g) {
			s.allocateGang(s.gangs.placed)
			return true
		}
		s.TakeBack(s.gangs.placed)
	}
	placed, done := s.searchGang(ask, g)
	switch {
	case !done:
		s.gangs.short, s.search.again = true, true
		return false
	case placed == nil:
		if s.gangs.failed == nil {
			s.gangs.failed = map[*app.AtomicGang]uint64{}
		} else if len(s.gangs.failed) > failedLimit {
			clear(s.gangs.failed)
		}
		s.gangs.failed[g] = s.LogEnd()
		return false
	}
	s.allocateGang(placed)
	return true
}

type unsettledGang struct {
	app  *app.App
	gang *app.AtomicGang
}

// unsettle notes that a gang is to be tried again whenever anything has changed.
func (s *Walk) unsettle(a *app.App, g *app.AtomicGang) {
	u := unsettledGang{a, g}
	if !slices.Contains(s.gangs.unsettled, u) {
		s.gangs.unsettled = append(s.gangs.unsettled, u)
	}
}

// reopenGangs has the gangs looked at again that may fit since anything changed.
func (s *Walk) reopenGangs() {
	w := &s.gangs
	if w.unsettledAt == s.LogEnd() {
		return
	}
	w.unsettledAt = s.LogEnd()
	w.unsettled = slices.DeleteFunc(w.unsettled, func(u unsettledGang) bool {
		if !u.gang.Waits() || !u.app.ReopenGang(u.gang, s.World) {
			return true
		}
		s.Leaves[u.app.Leaf.ID].Queue.MarkChanged()
		return false
	})
	s.Sync()
}

// failGang notes that the gang that an ask stands for failed.
func (s *Walk) failGang(ask *app.Ask) {
	a, w := ask.App, &s.gangs
	a.FailGang(ask, s.World)
	if a.Limits == nil {
		return
	}
	if w.limited == nil {
		w.limited = map[*app.AtomicGang]*app.App{}
	}
	if len(w.limited) >= w.most {
		for g := range w.limited {
			if !g.Waits() {
				delete(w.limited, g)
			}
		}
		w.most = max(failedLimit, 2*len(w.limited))
	}
	w.limited[ask.Gang()] = a
}

// reopenWithin has the gangs looked at again that a limit may have barred.
func (s *Walk) reopenWithin(t *limit.Tracker) {
	for g, a := range s.gangs.limited {
		switch {
		case !g.Waits():
			delete(s.gangs.limited, g)
		case a.Limits != nil && slices.Contains(a.Limits.Trackers, t):
			delete(s.gangs.limited, g)
			if a.ReopenGang(g, s.World) {
				s.Leaves[a.Leaf.ID].Queue.MarkChanged()
			}
		}
	}
}

// failedLimit is how many gangs are remembered that failed.
const failedLimit = 1024

// headroomOf works out what an application may use beside what is used and kept: everything that bounds it counts here.
func (s *Walk) headroomOf(a *app.App) {
	room := s.gangs.headroom[:0]
	for t := range s.wide.Total {
		least := int64(resource.Most)
		for q := s.Leaves[a.Leaf.ID].Queue; q != nil; q = q.Parent {
			least = min(least, q.Room(t))
		}
		room = append(room, least)
	}
	if a.Limits != nil {
		a.Limits.Trackers.Narrow(room)
	}
	s.gangs.headroom = room
}

// placeInOrder gives each member in order the first node that takes it, those before it counted, until there are enough.
// It leaves them assumed on their nodes.
func (s *Walk) placeInOrder(first *app.Ask, g *app.AtomicGang) bool {
	w := &s.gangs
	w.placed, w.unfit = w.placed[:0], w.unfit[:0]
	first.App.EachMember(first, func(ask *app.Ask) bool {
		if s.assume(ask) {
			return len(w.placed) < g.Min
		}
		if !s.Predicated(ask.Class) {
			w.unfit = append(w.unfit, shape{ask.Class, ask.Priority})
		}
		return true
	})
	return len(w.placed) == g.Min
}

// assume counts a member on the first node that takes it, if there is one and headroom lets it.
func (s *Walk) assume(ask *app.Ask) bool {
	w, c := &s.gangs, ask.Class
	if !c.Fits(w.headroom) || s.failed(c) {
		return false
	}
	for i := range w.unfit { // room only shrinks, and reserved nodes yield to higher priorities alone
		if w.unfit[i].class == c && w.unfit[i].priority >= ask.Priority {
			return false
		}
	}
	s.trying = ask
	n, contested := s.Nodes.Best(c, s.grants)
	if n == nil {
		if !contested && len(w.placed) == 0 {
			s.fail(c)
		}
		return false
	}
	p := state.Placement{Ask: ask, Node: n}
	s.Assume(p)
	w.headroom.Sub(c.Demand)
	w.placed = append(w.placed, p)
	return true
}

// allocateGang places the members of a gang, which are assumed on their nodes, and has asks looked at again that they may
// have overtaken.
func (s *Walk) allocateGang(placed []state.Placement) {
	s.gangs.search = nil
	s.allocated(s.AllocateGang(placed), len(placed))
}

// landGang allocates a gang whose nodes are kept for it, if all of it may land.
func (s *Walk) landGang(gang *state.GangClaim) bool {
	a := gang.Claims[0].Ask.App
	if !a.PassesStateFilter() || s.gangs.barred[gang] == s.LogEnd() {
		return false
	}
	w := &s.gangs
	w.placed = w.placed[:0]
	beside := make(resource.Vec, len(s.wide.Total))
	for _, c := range gang.Claims {
		if !c.Node.Schedulable || !c.Node.Takes(c.Ask.Class) || !s.Nodes.Admits(c.Ask.Class, c.Node) || !s.fitsBeside(c.Ask, beside) {
			s.TakeBack(w.placed)
			s.bar(gang)
			return false
		}
		p := state.Placement{Ask: c.Ask, Node: c.Node}
		s.Assume(p)
		beside.Add(c.Ask.Class.Demand)
		w.placed = append(w.placed, p)
	}
	slices.SortFunc(w.placed, func(x, y state.Placement) int {
		if a.Before(x.Ask, y.Ask) {
			return -1
		}
		return 1
	})
	s.allocateGang(w.placed)
	return true
}

// bar notes that a gang cannot land until anything changes.
func (s *Walk) bar(gang *state.GangClaim) {
	if s.gangs.barred == nil || len(s.gangs.barred) > failedLimit {
		s.gangs.barred = map[*state.GangClaim]uint64{}
	}
	s.gangs.barred[gang] = s.LogEnd()
}

// fitsBeside reports whether every max and limit holds for an ask that a node is kept for, beside what is used and some more.
func (s *Walk) fitsBeside(ask *app.Ask, more resource.Vec) bool {
	for q := s.QueueOf(ask); q != nil; q = q.Parent {
		if !fitsMax(q, ask.Class, more) {
			return false
		}
	}
	return ask.App.Limits == nil || ask.App.Limits.FitsNow(ask.Class, more)
}
