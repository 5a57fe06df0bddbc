package schedule

import (
	"slices"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/pending"
	"github.com/quern-project/quern/core/internal/queue"
	"github.com/quern-project/quern/core/internal/state"
)

// Asks that have waited too long for their victims may land on another node than that of their claim, in their turn in the
// walk. Indexes pass them over, since the headroom that is kept for an ask is its own. So each walk begins with those that some
// node takes now, which are hardly ever any, and visits them where they come in its order.

// findElsewhere lists the asks that may land on another node now.
func (s *Walk) findElsewhere() {
	list := s.search.elsewhere[:0]
	for c := range s.state.Claims().AllImpatient() {
		if ask := s.state.AskAt(c.Ask); s.mayLandElsewhere(ask) && s.otherNode(ask) {
			list = append(list, ask)
		}
	}
	s.search.elsewhere = list
}

// mayLandElsewhere reports whether nothing but nodes could keep an ask that does not wait for its own any more.
func (s *Walk) mayLandElsewhere(ask *app.Ask) bool {
	return !ask.Rests() && s.state.MayStart(ask.App) && s.mayLand(ask)
}

// otherNode reports whether an open node takes the ask.
func (s *Walk) otherNode(ask *app.Ask) bool {
	if s.failed(ask.Class) {
		return false
	}
	s.trying = ask
	n, contested := s.state.Nodes.Best(ask.Class, s.grants)
	if n == nil && !contested {
		s.fail(ask.Class)
	}
	return n != nil
}

// tryElsewhere allocates an ask on another node than its own. The walk does not come back to it.
func (s *Walk) tryElsewhere(ask *app.Ask) bool {
	s.search.elsewhere = slices.DeleteFunc(s.search.elsewhere, func(other *app.Ask) bool { return other == ask })
	return s.mayLandElsewhere(ask) && s.tryAllocate(ask)
}

// childElsewhere is the first of a child that the search passed (nil: none is) and of those in which an ask may land elsewhere; passed
// says that it is the former.
func (s *Walk) childElsewhere(q, child *queue.Queue) (first *queue.Queue, passed bool) {
	first, passed = child, child != nil
	for _, ask := range s.search.elsewhere {
		below := s.state.QueueOf(ask)
		for below != nil && below.Parent != q {
			below = below.Parent
		}
		if below != nil && below != first && (first == nil || q.ComesBefore(below, first)) {
			first, passed = below, false
		}
	}
	return first, passed
}

// appElsewhere is the same of the applications of a leaf.
func (s *Walk) appElsewhere(l *state.Leaf, a *app.App) (first *app.App, passed bool) {
	first, passed = a, a != nil
	for _, ask := range s.search.elsewhere {
		if b := ask.App; b.Leaf == l.Leaf && b != first && (first == nil || l.ComesBefore(b, first)) {
			first, passed = b, false
		}
	}
	return first, passed
}

// askElsewhere is the first ask of an application that may land elsewhere, if it comes before the one that the search passed; nil: none
// does.
func (s *Walk) askElsewhere(a *app.App, passed *app.Ask) (first *app.Ask) {
	for _, ask := range s.search.elsewhere {
		if ask.App == a && (first == nil || a.Before(ask, first)) {
			first = ask
		}
	}
	if first == nil || passed != nil && a.Before(passed, first) {
		return nil
	}
	return first
}

// nextAsk is the next ask of an application to be tried. elsewhere says that it is to land on another node than its own; of an
// application that the search does not pass there is no other.
func (s *Walk) nextAsk(a *app.App, x *pending.Search, passes bool) (next *app.Ask, elsewhere bool) {
	if passes {
		next = a.Next(x)
	}
	if len(s.search.elsewhere) > 0 {
		if ask := s.askElsewhere(a, next); ask != nil {
			return ask, true
		}
	}
	return next, false
}

// dropElsewhere forgets the asks of an application that was visited.
func (s *Walk) dropElsewhere(a *app.App) {
	s.search.elsewhere = slices.DeleteFunc(s.search.elsewhere, func(ask *app.Ask) bool { return ask.App == a })
}
