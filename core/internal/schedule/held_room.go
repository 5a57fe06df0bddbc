package schedule

import (
	"slices"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/limit"
	"github.com/quern-project/quern/core/internal/node"
	"github.com/quern-project/quern/core/internal/state"
	"github.com/quern-project/quern/core/internal/state/queues"
	"github.com/quern-project/quern/core/resource"
)

// reach settles when the walk reaches the first ask behind the gang, since it has passed the gang's place then.
func (s *Walk) reach(ask app.Ask) {
	x := &s.accumulating
	if x.IsNone() || x.reached {
		return
	}
	if head := x.App.FirstOfGang(x.Gang); ask.Atomic() != x.Gang && (head.IsNone() || !s.isBefore(ask, head)) && s.settle() {
		s.search.ending = mustRepeat
	}
}

// settle holds room for as many members of the gang as fit now, unless it is held for as many already. It reports whether the walk must start
// again: other asks may use room that was held before, or the gang may be placed, although the walk has not tried it.
func (s *Walk) settle() (again bool) {
	x, epoch := &s.accumulating, s.state.ShrinkEpoch()
	x.reached = true
	if x.settled == s.state.LogEnd() {
		return false
	}
	valid := s.heldIsRight()
	if !valid || x.searched != s.state.ShrinkEpoch() {
		if part := s.largestPart(); !valid || len(part) > x.Held().Len() {
			s.state.HoldRoom(part)
			s.Follow()
			again = len(part) == x.Gang.Need() && s.retryHolder()
		}
		x.searched = s.state.ShrinkEpoch()
	}
	x.settled = s.state.LogEnd()
	return again || s.state.ShrinkEpoch() != epoch
}

// retryHolder has the gang tried again.
func (s *Walk) retryHolder() bool {
	x := &s.accumulating
	if !x.App.ReopenGang(x.Gang, s.state.ShrinkEpoch()) {
		return false
	}
	s.order.MarkChanged(queueOf(x.App.Leaf()))
	return true
}

// settleAtEnd settles at the end of a walk that has not reached the gang's place. It reports whether the walk must start again: as settle does,
// if an ask behind the gang has reserved a node with held room, or if reservations may have to end because more room is held.
func (s *Walk) settleAtEnd() (again bool) {
	x := &s.accumulating
	switch {
	case x.IsNone():
		return false
	case !x.reached:
		again = s.settle()
	default:
		again = x.settled != s.state.LogEnd() && !s.heldIsRight()
	}
	return again || s.recheckLimited
}

// stillAdmits reports whether a node admits a class, as far as predicates have been asked: this is checked too often to ask them.
func (s *Walk) stillAdmits(c class.Class, n int32) bool {
	nodes := s.state.Nodes()
	if c.Node() != "" && c.Node() != nodes.ID(n) || !nodes.Allows(n, c.Constraints()) {
		return false
	}
	refusal, _ := nodes.Refusal(c, n)
	return refusal.Code == 0
}

// heldIsRight reports whether all members for which room is held would still fit together where it is held.
func (s *Walk) heldIsRight() bool {
	x, nodes := &s.accumulating, s.state.Nodes()
	if !s.heldTogether() {
		return false
	}
	for p := range x.Held().All {
		c := p.Ask.Class()
		if !nodes.Available(p.Node) || !s.mayTake(p.Ask, p.Node) || !s.stillAdmits(c, p.Node) {
			return false
		}
		for need := range c.PlainNeeds().All {
			if nodes.Free(p.Node, need.Lane) < x.onNode[p.Node][need.Lane] {
				return false
			}
		}
	}
	s.headroomOf(x.App)
	for t, amount := range x.all {
		if amount > 0 && amount > s.gangs.headroom[t] {
			return false
		}
	}
	return true
}

// largestPart finds nodes for as many of the members that would be placed together as fit at the same time: those that fit in order or, if
// that is more, those that the searches for a whole gang of that size find.
func (s *Walk) largestPart() []state.Placement {
	x := &s.accumulating
	first := x.App.FirstOfGang(x.Gang)
	if first.IsNone() {
		return nil
	}
	switch level, required, known := s.state.LevelOf(x.Gang); {
	case !known:
		return nil
	case level != state.NoLevel, x.Gang.Row().Topology.Slice.Size > 0:
		return s.largestPartAt(first, level, required)
	}
	s.headroomOf(x.App)
	s.placeInOrder(first, x.Gang)
	part := slices.Clone(s.gangs.placed)
	s.state.TakeBack(s.gangs.placed)
	return s.enlarge(part, first, nil)
}

// enlarge finds nodes for more members than a part has, if the searches for a whole gang of that size find them. region is nil for all nodes.
func (s *Walk) enlarge(part []state.Placement, first app.Ask, region *node.Region) []state.Placement {
	g := s.accumulating.Gang
	for need := len(part) + 1; need <= g.Need(); need++ {
		search := s.newGangSearch(first, g, need)
		search.region, search.Attempt = region, s.progress.Attempt(true)
		if found, done := s.run(search); !found || !done {
			break
		}
		larger := s.placementOf(search)
		if larger == nil {
			break
		}
		part = slices.Clone(larger)
		s.state.TakeBack(larger)
	}
	return part
}

// standsBack reports whether the headroom beside held room is too small for an ask, so that it must wait.
func (s *Walk) standsBack(ask app.Ask) bool {
	return !s.MayUseHeld(ask) && !s.fitsHeadroomBeside(ask, s.accumulating.all)
}

// fitsHeadroomBeside reports whether an ask would fit the headroom if some amounts that are held were used.
func (s *Walk) fitsHeadroomBeside(ask app.Ask, held resource.Vec) bool {
	return s.fitsTotalBeside(ask, held) && s.fitsMaximaBeside(ask, held)
}

// fitsTotalBeside is fitsHeadroomBeside for the cluster's total alone.
func (s *Walk) fitsTotalBeside(ask app.Ask, held resource.Vec) bool {
	return s.fitsQueueBeside(s.state.Queues().Root(), ask, held)
}

// fitsMaximaBeside is fitsHeadroomBeside for every max and limit other than the cluster's total.
func (s *Walk) fitsMaximaBeside(ask app.Ask, held resource.Vec) bool {
	tree := s.state.Queues()
	for q := s.meetsHolder(ask.App()); tree.Parent(q) != queues.None; q = tree.Parent(q) {
		if !s.fitsQueueBeside(q, ask, held) {
			return false
		}
	}
	return s.fitsLimitsBeside(ask.App(), ask.Class().Demand(), held)
}

func (s *Walk) fitsQueueBeside(q queues.ID, ask app.Ask, held resource.Vec) bool {
	for need := range ask.Class().Needs().All {
		if resource.Sub(s.state.Queues().Room(q, need.Lane), held[need.Lane]) < need.Min {
			return false
		}
	}
	return true
}

func (s *Walk) fitsLimitsBeside(a app.App, demand resource.Amounts, held resource.Vec) bool {
	for _, t := range s.sharedLimits(a) {
		if !t.FitsBeside(demand, held) {
			return false
		}
	}
	return true
}

// narrowBesideHeld lowers the headroom of the members of a gang that is tried behind the one that accumulates.
func (s *Walk) narrowBesideHeld(first app.Ask) {
	x, tree, room := &s.accumulating, s.state.Queues(), s.gangs.headroom
	if s.MayUseHeld(first) {
		return
	}
	for q := s.meetsHolder(first.App()); q != queues.None; q = tree.Parent(q) {
		for t := range room {
			room[t] = min(room[t], resource.Sub(tree.Room(q, t), x.all[t]))
		}
	}
	for _, t := range s.sharedLimits(first.App()) {
		t.NarrowBeside(room, x.all)
	}
}

// sharedLimits returns the limits that count both an application and the gang that accumulates.
func (s *Walk) sharedLimits(a app.App) (shared []limit.Tracker) {
	of := s.accumulating.App
	if a.Limits().IsNone() || of.Limits().IsNone() {
		return nil
	}
	for t := range a.Limits().Trackers().All {
		for other := range of.Limits().Trackers().All {
			if t == other {
				shared = append(shared, t)
			}
		}
	}
	return shared
}

// meetsHolder returns the lowest queue that an application shares with the gang that accumulates.
func (s *Walk) meetsHolder(a app.App) queues.ID {
	return s.state.Queues().CommonAncestor(queueOf(a.Leaf()), queueOf(s.accumulating.App.Leaf()))
}

// fitsBesideHeld reports whether an ask fits a node, and the headroom, beside what is held there.
func (s *Walk) fitsBesideHeld(ask app.Ask, n int32) bool {
	return s.MayUseHeld(ask) || s.fitsNodeBesideHeld(ask, n) && s.fitsHeadroomBeside(ask, s.accumulating.all)
}

func (s *Walk) fitsNodeBesideHeld(ask app.Ask, n int32) bool {
	held := s.accumulating.onNode[n]
	if held == nil {
		return true
	}
	for need := range ask.Class().PlainNeeds().All {
		if resource.Sub(s.state.Nodes().Free(n, need.Lane), held[need.Lane]) < need.Min {
			return false
		}
	}
	return true
}

// MayUse reports whether an ask may use some room of a contested node: what is free, apart from what is held for a gang that comes first.
func (s *Walk) MayUse(ask app.Ask, n int32) bool {
	switch {
	case !s.mayTake(ask, n), s.planning.on && !s.leavesPlans(ask, n):
		return false
	case s.accumulating.onNode[n] == nil || s.MayUseHeld(ask):
		return true
	}
	return s.fitsNodeBesideHeld(ask, n)
}

// MayEmpty reports whether an ask may take victims on a contested node, or reserve it. No ask may where room is held for a gang that comes
// before it.
func (s *Walk) MayEmpty(ask app.Ask, n int32) bool {
	return s.mayTake(ask, n) && (s.accumulating.onNode[n] == nil || s.MayUseHeld(ask))
}

// mayTake reports whether windows, and the reservation of a node, if there is one, let an ask be allocated there. The gang that accumulates comes before
// reservations of asks that it comes before: otherwise these could keep room from it.
func (s *Walk) mayTake(ask app.Ask, n int32) bool {
	if !s.state.MayBeOn(ask, n) {
		return false
	}
	r, reserved := s.state.Reservations().On(n)
	if !reserved || s.state.MayTake(ask, n) {
		return true
	}
	x := &s.accumulating
	return !x.IsNone() && ask.Atomic() == x.Gang && !s.MayUseHeld(s.state.AskAt(r.Ask))
}

// HeldFrom returns a function that tells how much is held in a queue that an ask cannot use, or nil if nothing is.
func (s *Walk) HeldFrom(ask app.Ask) func(q queues.ID, t int) int64 {
	if s.MayUseHeld(ask) {
		return nil
	}
	x := &s.accumulating
	holder := queueOf(x.App.Leaf())
	return func(q queues.ID, t int) int64 {
		if !s.state.Queues().Within(holder, q) {
			return 0
		}
		return x.all[t]
	}
}

// HeldAt returns what is held at a limit that an ask cannot use, by type. It is empty if nothing is.
func (s *Walk) HeldAt(ask app.Ask, t limit.Tracker) resource.Amounts {
	if !s.MayUseHeld(ask) {
		for _, shared := range s.sharedLimits(ask.App()) {
			if shared == t {
				return s.accumulating.all.Amounts()
			}
		}
	}
	return resource.Amounts{}
}

// WithinLimits reports whether the limits of an ask's user and group have room for a demand beside what is held for a gang.
func (s *Walk) WithinLimits(ask app.Ask, demand resource.Amounts) bool {
	if !ask.App().Limits().Trackers().Bars(demand).IsNone() {
		return false
	}
	return s.MayUseHeld(ask) || s.fitsLimitsBeside(ask.App(), demand, s.accumulating.all)
}
