package schedule

import (
	"slices"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/demandrow"
	"github.com/quern-project/quern/core/internal/state/queues"
)

// Asks that have waited too long for their victims may be allocated on another node than that of their claim, in their turn in the walk.
// Indexes skip them, since the headroom that is set aside for an ask is already counted as used. So each walk starts by listing those that
// fit some node now, which is rare, and visits them in their place in its order.

// findElsewhere lists the asks with impatient claims that fit another node now.
func (s *Walk) findElsewhere() {
	list := s.search.elsewhere[:0]
	for c := range s.state.Claims().AllImpatient() {
		if ask := s.state.AskAt(c.Ask); s.mayLandElsewhere(ask) && s.otherNode(ask) {
			list = append(list, ask)
		}
	}
	s.search.elsewhere = list
}

// mayLandElsewhere reports whether an ask with an impatient claim could be allocated if some node had enough room.
func (s *Walk) mayLandElsewhere(ask app.Ask) bool {
	return !ask.WaitsForGang() && s.state.MayStart(ask.App()) && s.mayLand(ask)
}

// otherNode reports whether an ask fits an open node.
func (s *Walk) otherNode(ask app.Ask) bool {
	if s.failed(ask.Class()) {
		return false
	}
	s.trying = ask
	n, contested := s.state.Nodes().Best(ask.Class(), s.grants)
	if n == app.NoNode && !contested {
		s.fail(ask.Class())
	}
	return n != app.NoNode
}

// tryElsewhere allocates an ask on another node than that of its claim. The walk does not visit it a second time.
func (s *Walk) tryElsewhere(ask app.Ask) bool {
	s.search.elsewhere = slices.DeleteFunc(s.search.elsewhere, func(other app.Ask) bool { return other == ask })
	return s.mayLandElsewhere(ask) && s.tryAllocate(ask)
}

// childElsewhere returns the first among a child that passed the search (or nil) and the children with asks that may be allocated away from
// their claim. passed reports whether it is the former.
func (s *Walk) childElsewhere(q, child queues.ID) (first queues.ID, passed bool) {
	tree := s.state.Queues()
	first, passed = child, child != queues.None
	for _, ask := range s.search.elsewhere {
		below := s.state.QueueOf(ask)
		for below != queues.None && tree.Parent(below) != q {
			below = tree.Parent(below)
		}
		if below != queues.None && below != first && (first == queues.None || s.order.ComesBefore(below, first)) {
			first, passed = below, false
		}
	}
	return first, passed
}

// turnElsewhere is childElsewhere for the turns of a leaf.
func (s *Walk) turnElsewhere(l app.Leaf, t app.Turn) (first app.Turn, passed bool) {
	first, passed = t, !t.IsNone()
	for _, ask := range s.search.elsewhere {
		if b := ask.Turn(); b.Leaf() == l && b != first && (first.IsNone() || l.ComesBefore(b, first)) {
			first, passed = b, false
		}
	}
	return first, passed
}

// askElsewhere returns the first ask of a turn that may be allocated away from its claim, if it comes before the ask that passed
// the search; otherwise nil.
func (s *Walk) askElsewhere(a app.Turn, passed app.Ask) (first app.Ask) {
	for _, ask := range s.search.elsewhere {
		if ask.Turn() == a && (first.IsNone() || a.Before(ask, first)) {
			first = ask
		}
	}
	if first.IsNone() || !passed.IsNone() && a.Before(passed, first) {
		return app.Ask{}
	}
	return first
}

// nextAsk returns the next ask of a turn to try, or nil. If elsewhere is true, the ask is to be allocated away from its claim; a
// turn that did not pass the search has only such asks.
func (s *Walk) nextAsk(a app.Turn, x *demandrow.Search, passes bool) (next app.Ask, elsewhere bool) {
	if passes {
		next = a.Next(x)
	}
	if len(s.search.elsewhere) > 0 {
		if ask := s.askElsewhere(a, next); !ask.IsNone() {
			return ask, true
		}
	}
	return next, false
}

// dropElsewhere removes the asks of a visited turn.
func (s *Walk) dropElsewhere(t app.Turn) {
	s.search.elsewhere = slices.DeleteFunc(s.search.elsewhere, func(ask app.Ask) bool { return ask.Turn() == t })
}
