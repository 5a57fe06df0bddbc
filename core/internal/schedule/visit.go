package schedule

import (
	"slices"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/demandrow"
	"github.com/quern-project/quern/core/internal/resumable"
	"github.com/quern-project/quern/core/internal/state/queues"
)

// Progress is the result of a Step.
type Progress int

// Results of a Step.
const (
	Nothing   Progress = iota // no allocation is possible until something changes, or the search for the nodes of a gang has stopped
	Allocated                 // an ask, or several asks of a gang, were allocated; Made returns their number
	Replaced                  // a placeholder has been asked to leave
)

// Made returns the number of allocations that the last Step made.
func (s *Walk) Made() int { return s.made }

// Step makes the next allocation, allocates the next gang, or asks the next placeholder to leave.
func (s *Walk) Step() Progress {
	if resumes := s.progress.Resume(resumable.Placement); resumes && !s.planning.on {
		return s.resume()
	} else if !resumes {
		s.planning.stopped = nil
	}
	for {
		if p := s.stepBefore(); p != Nothing {
			return p
		}
		s.search.elsewhere = s.search.elsewhere[:0]
		if s.state.Claims().Impatient() > 0 {
			s.findElsewhere()
		}
		if s.planning.on {
			return s.planStep()
		}
		if len(s.planning.unmarked) > 0 { // backfill was switched off
			s.markNodes()
			s.Sync()
		}
		if p, over := s.visitAll(s.begin()); over {
			return p
		}
	}
}

// resume is a Step that resumes the search for the gang at which the last cycle stopped, and then visits the rest of the walk.
func (s *Walk) resume() Progress {
	ask := s.gangs.stoppedAt
	made := s.tryGang(ask)
	switch {
	case made:
		return Allocated
	case s.search.ending == atGang:
		s.search.ending = nothingEnds
		return Nothing
	}
	s.passOver(ask)
	if ask.App().GangOf(ask) == s.accumulating.Gang && s.settle() {
		return s.Step()
	}
	s.failGang(ask)
	s.showGangs(func(class.Class) bool { return true })           // inputs since the walk stopped may have made room
	if p, over := s.visitAll(&s.search.levelAt(0).Search); over { // with the same bounds, since new ones might exclude asks that the walk has not reached yet
		return p
	}
	return s.Step()
}

// visitAll walks the queues from the root. over reports whether the step has ended; if not, the walk must start again.
func (s *Walk) visitAll(x *demandrow.Search) (p Progress, over bool) {
	if s.visit(s.state.Queues().Root(), x) {
		return Allocated, true
	}
	ending := s.search.ending
	s.search.ending = nothingEnds
	if ending == nothingEnds && s.settleAtEnd() {
		ending = mustRepeat
	}
	if ending == nothingEnds {
		s.markExhausted()
	}
	return Nothing, ending != mustRepeat
}

// stepBefore runs before the queues are visited: it applies changes, and allocates asks with claims and reservations.
func (s *Walk) stepBefore() Progress {
	for lapsed := true; lapsed; lapsed = len(s.landable) > 0 && s.lapseInvalidClaims() {
		s.Sync()
		if s.state.HasWindows() {
			s.endBarredByWindows()
		}
		s.checkAccumulation()
		s.endInvalidReservations()
		if s.state.Claims().Len() > 0 {
			s.lapseRestingClaims()
		}
		if len(s.requiredChanged) > 0 {
			s.resumeSuspended()
		}
		if len(s.gangs.changedSets) > 0 {
			s.showChangedSets()
		}
		if len(s.gangs.reopening) > 0 {
			s.reopenGangs()
		}
	}
	s.bound()
	s.showGrown()
	if len(s.landable) > 0 && s.allocateClaim() || s.fillReservation() {
		return Allocated
	}
	if s.state.Replacements().Ready()+len(s.replacing.apps) > 0 {
		return s.stepReplacing()
	}
	return Nothing
}

// stepReplacing allocates the next task whose placeholder has left, or asks the next placeholder to leave.
func (s *Walk) stepReplacing() Progress {
	if s.state.Replacements().Ready() > 0 {
		landed, others := s.allocateReplacement()
		if landed {
			return Allocated
		}
		if others { // their reserved room is free again
			s.Sync()
			s.bound()
		}
	}
	if len(s.replacing.apps) > 0 && s.replaceOne() {
		return Replaced
	}
	return Nothing
}

// visit walks a queue in order and reports whether it made an allocation. up is the search of the parent.
func (s *Walk) visit(q queues.ID, up *demandrow.Search) bool {
	if s.order.IsLeaf(q) {
		return s.visitLeaf(s.state.Leaf(q), up)
	}
	if s.order.Stale(q, &s.wide) {
		s.sync(q)
	}
	x := s.enter(q, up, class.AllBits)
	for {
		s.search.at = q
		child := s.order.Next(q, x)
		passes := true
		if len(s.search.elsewhere) > 0 {
			child, passes = s.childElsewhere(q, child)
		}
		if child == queues.None {
			return false
		}
		if s.visit(child, x) {
			return true
		}
		if s.search.ending != nothingEnds {
			return false
		}
		if passes {
			s.order.Fail(child, s.state.ShrinkEpoch())
		}
	}
}

func (s *Walk) visitLeaf(l app.Leaf, up *demandrow.Search) bool {
	s.refresh(l)
	reservable := class.AllBits
	if !s.mayReserve(l) {
		reservable = s.state.Classes().Bound()
	}
	x := s.enter(queueOf(l), up, reservable)
	s.search.at = queueOf(l)
	for t := l.Next(x); ; t = l.Next(x) {
		if l.AnyGateOpen() {
			t = s.nextInLimitQueues(l, t, x)
		}
		passes := true
		if len(s.search.elsewhere) > 0 {
			t, passes = s.turnElsewhere(l, t)
		}
		if t.IsNone() {
			return false
		}
		if s.visitApp(l, t, x, passes) {
			return true
		}
		if s.search.ending != nothingEnds {
			return false
		}
		if len(s.search.elsewhere) > 0 {
			s.dropElsewhere(t)
		}
		if passes {
			l.Fail(t, s.state.ShrinkEpoch())
		}
		x = s.reservable(l, x)
	}
}

// reservable narrows the search of a leaf that can make no more reservations, so that asks that could only reserve are skipped.
func (s *Walk) reservable(l app.Leaf, x *demandrow.Search) *demandrow.Search {
	bound := s.state.Classes().Bound()
	if x.Reserve&^bound == 0 || s.mayReserve(l) {
		return x
	}
	own := &s.search.levelAt(s.state.Queues().Depth(queueOf(l))).Search
	if own != x {
		*own = *x
	}
	own.Reserve &= bound
	return own
}

// visitApp tries the first ask of each class of a turn in order. If the turn does not pass the search (passes is false), it tries only asks
// that may be allocated away from their claim.
func (s *Walk) visitApp(l app.Leaf, a app.Turn, x *demandrow.Search, passes bool) bool {
	if !a.Limits().IsNone() && !a.State().Started() && s.blockWithoutPlace(a.App) {
		return false
	}
	open := x.Open
	x.Open = open || a.ChangedSince(x.Exhausted)
	made := s.tryAsks(l, a, x, passes)
	x.Open = open
	return made
}

// tryAsks allocates an ask of a turn, or lets its asks reserve nodes. A due ask behind a younger one of the same class and priority
// order is deferred: it may reserve when its own turn comes.
func (s *Walk) tryAsks(l app.Leaf, a app.Turn, x *demandrow.Search, passes bool) bool {
	s.search.deferred = s.search.deferred[:0]
	for ask, elsewhere := s.nextAsk(a, x, passes); !ask.IsNone(); ask, elsewhere = s.nextAsk(a, x, passes) {
		if len(s.search.deferred) > 0 {
			s.reserveBefore(l, a.App, ask, x)
		}
		if elsewhere {
			if s.tryElsewhere(ask) {
				s.retryDeferred(a.App)
				return true
			}
			continue
		}
		if s.reach(ask); s.search.ending == mustRepeat {
			s.retryDeferred(a.App)
			return false
		}
		gang := a.GangOf(ask)
		if !a.Limits().IsNone() && gang.IsNone() {
			if t := a.Limits().Trackers().Bars(ask.Class().Demand()); !t.IsNone() {
				s.blockAt(t, ask)
				continue
			}
		}
		made := false
		if gang.IsNone() {
			made = s.tryWithin(x, ask)
		} else {
			made = s.tryGang(ask)
		}
		if made || s.search.ending == atGang {
			s.retryDeferred(a.App)
			return made
		}
		if !gang.IsNone() && gang == s.accumulating.Gang && s.settle() {
			s.search.ending = mustRepeat
			s.retryDeferred(a.App)
			return false
		}
		s.passOver(ask)
		if !gang.IsNone() {
			s.failGang(ask)
			continue
		}
		a.FailAsk(ask, s.state.ShrinkEpoch())
		if x.Reserve&ask.Class().Bit() == 0 {
			continue
		}
		if ask.Class().Node() != "" {
			if s.tryHold(l, ask); s.search.ending != nothingEnds {
				return false
			}
			continue
		}
		if !s.mayReserve(l) {
			continue
		}
		switch due := s.firstDue(x, a.App, ask); due {
		case app.Ask{}:
		case ask:
			s.tryReserve(l, ask)
		default:
			s.search.deferred = append(s.search.deferred, due)
		}
		x = s.reservable(l, x)
	}
	s.reserveBefore(l, a.App, app.Ask{}, x)
	return false
}

// retryDeferred has the deferred asks of an application visited again, since the walk ends before their turn.
func (s *Walk) retryDeferred(a app.App) {
	for _, due := range s.search.deferred {
		a.FailAsk(due, 0)
	}
}

// tryWithin tries to allocate an ask that passed the search, unless the cluster's total is used up, so that the ask could only reserve.
func (s *Walk) tryWithin(x *demandrow.Search, ask app.Ask) bool {
	return (x.Bounded() || ask.Class().Fits(x.Headroom)) && s.tryAllocate(ask)
}

// firstDue returns the first ask of a candidate's class in its application that may reserve a node, or nil.
func (s *Walk) firstDue(x *demandrow.Search, a app.App, candidate app.Ask) app.Ask {
	barred := !x.Bounded() && !candidate.Class().Fits(x.Headroom) || !s.MayUseHeld(candidate) && !s.fitsTotalBeside(candidate, s.accumulating.all)
	return a.FirstDue(candidate, func(ask app.Ask) bool {
		return int64(ask.Created()) <= x.DueBy && (!barred || s.overtaken(ask.Created(), s.state.SeenByRoot(ask)))
	})
}

// reserveBefore lets the deferred asks that come before an ask reserve nodes, in order. If the ask is nil, all deferred asks may reserve.
func (s *Walk) reserveBefore(l app.Leaf, a app.App, ask app.Ask, x *demandrow.Search) {
	for len(s.search.deferred) > 0 {
		list, first := s.search.deferred, 0
		for i := range list {
			if a.Before(list[i], list[first]) {
				first = i
			}
		}
		due := list[first]
		if !ask.IsNone() && a.Before(ask, due) {
			return
		}
		s.search.deferred = slices.Delete(list, first, first+1)
		if s.mayReserve(l) && x.Reserve&due.Class().Bit() != 0 {
			s.tryReserve(l, due)
		}
	}
}

// tryAllocate allocates an ask on the best node that admits it. It reports whether there is one.
func (s *Walk) tryAllocate(ask app.Ask) bool {
	c := ask.Class()
	if s.failed(c) || s.standsBack(ask) {
		return false
	}
	s.trying = ask
	n, contested := s.state.Nodes().Best(c, s.grants)
	if n != app.NoNode {
		s.allocate(ask, n)
		return true
	}
	if !contested {
		s.fail(c)
	}
	return false
}

// failed reports whether a class is known to fit no open node.
func (s *Walk) failed(c class.Class) bool {
	return c.Notes().Failed != 0 && (s.state.Classes().Exclusive(c) || c.Notes().Failed >= s.search.grownAt)
}

// fail records that a class fits no open node, so that searches skip it until a node grows. It also computes the exact bound of what nodes
// take, so that a bound that is too large costs one failed search, not one for each class.
func (s *Walk) fail(c class.Class) {
	x := &s.search
	c.Notes().Failed = s.state.ShrinkEpoch()
	x.anyNode.SetRoom(s.state.Nodes().MaxFree()) // the approximate bound may have let the class pass
	s.state.OpenDeviceLanes(x.anyNode.Room)
	if !s.state.Classes().Exclusive(c) {
		return
	}
	x.anyNode.Bits &^= c.Bit()
	x.grownNode.Bits &^= c.Bit()
	for i := range x.levels {
		x.levels[i].Any.Bits &^= c.Bit()
		x.levels[i].Grown.Bits &^= c.Bit()
	}
}

// markExhausted records that no pending ask can be allocated until something grows.
func (s *Walk) markExhausted() {
	x := &s.search
	x.exhausted = s.state.ShrinkEpoch()
	clear(x.grown)
	x.grown = x.grown[:0]
	x.grownNode.Bits = class.NoBits
}
