package schedule

import (
	"math"
	"slices"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/state"
	"github.com/quern-project/quern/core/internal/state/queues"
	"github.com/quern-project/quern/core/resource"
)

// A gang holds nothing while it waits, so asks behind it in the walk could take every room that becomes free. The first gang in the walk that
// has waited for long enough and is passed by such an ask accumulates: room is held for as many members as fit, and is free only for asks that
// come before the gang in the walk, or have a higher priority, a required node or a claim.

// accumulating is the part of a Walk that concerns the gang that accumulates.
type accumulating struct {
	waiting []waitingGang // gangs that wait, and some that no longer do
	full    int           // the length of waiting at which the latter are dropped
	known   map[app.AtomicGang]bool
	dueAt   time.Duration // no gang in waiting has waited for long enough before then

	state.Accumulation
	all      resource.Vec           // what is held in all
	onNode   map[int32]resource.Vec // what is held on each node
	checked  uint64                 // log position at which the gang was last known to be able to accumulate
	reached  bool                   // this walk has reached the gang's place
	settled  uint64                 // log position at which what is held was last known to be right
	searched uint64                 // shrink epoch of the last search for the largest part that fits; 0: there is none

	behind map[app.App]bool // applications with asks that were visited behind the gang and did not fit; they may come before it later
	listed []app.App        // those of behind, in the order in which they were added
	judged app.Ask          // the last ask of which MayUseHeld was asked
	mayUse bool             // the answer
	asOf   uint64           // log position of the answer
}

// waitingGang is a gang that may accumulate at some time.
type waitingGang struct {
	app  app.App
	gang app.AtomicGang
}

// listWaiting rebuilds everything from the state.
func (s *Walk) listWaiting() {
	s.accumulating = accumulating{known: map[app.AtomicGang]bool{}, dueAt: math.MaxInt64}
	for a := range s.state.Asks().Apps {
		for g := range a.AtomicGangs {
			s.gangWaits(a, g)
		}
	}
	s.readHeld()
}

// gangWaits adds a gang to those that may accumulate, if it waits.
func (s *Walk) gangWaits(a app.App, g app.AtomicGang) {
	x := &s.accumulating
	if g.IsNone() || !g.Waits() || s.state.Conf().AccumulateAfter == 0 {
		return
	}
	x.dueAt = min(x.dueAt, s.mayAccumulateAt(g))
	if x.known[g] {
		return
	}
	if len(x.waiting) >= x.full {
		x.forgetPlaced()
		x.full = max(minWaiting, 2*len(x.waiting))
	}
	x.known[g] = true
	x.waiting = append(x.waiting, waitingGang{a, g})
}

// minWaiting is the least length at which the list of waiting gangs is searched for others.
const minWaiting = 64

// forgetPlaced drops the gangs that no longer wait.
func (x *accumulating) forgetPlaced() {
	x.waiting = slices.DeleteFunc(x.waiting, func(w waitingGang) bool {
		if !w.gang.Waits() {
			delete(x.known, w.gang)
			return true
		}
		return false
	})
}

// mayAccumulateAt returns the time at which a gang will have waited for long enough.
func (s *Walk) mayAccumulateAt(g app.AtomicGang) time.Duration {
	r := g.Row()
	return max(s.state.Conf().AccumulateAfter.After(r.Since), r.RestsUntil)
}

// readHeld adds up the held room, after it has changed.
func (s *Walk) readHeld() {
	x := &s.accumulating
	x.Accumulation, x.behind, x.listed, x.judged = s.state.Accumulation(), nil, nil, app.Ask{}
	x.checked, x.settled, x.searched = 0, 0, 0
	x.all, x.onNode = make(resource.Vec, len(s.wide.Total)), map[int32]resource.Vec{}
	for p := range x.Held().All {
		if x.onNode[p.Node] == nil {
			x.onNode[p.Node] = make(resource.Vec, len(s.wide.Total))
		}
		x.all.Add(p.Ask.Class().Demand())
		x.onNode[p.Node].Add(p.Ask.Class().Demand())
	}
}

// passing makes a gang accumulate if one of the asks of an application that are about to be allocated passes it. They are one ask, or members
// of a gang.
func (s *Walk) passing(asks ...state.Placement) {
	x := &s.accumulating
	if len(x.waiting) == 0 || s.state.Now() < x.dueAt || !x.IsNone() || s.state.Conf().AccumulateAfter == 0 {
		return
	}
	own := asks[0].Ask
	s.sortFor(own.App())
	first, of := app.Ask{}, waitingGang{}
	x.forgetPlaced()
	x.dueAt = math.MaxInt64
	for _, w := range x.waiting {
		at := s.mayAccumulateAt(w.gang)
		x.dueAt = min(x.dueAt, at)
		if at > s.state.Now() || w.gang == own.WaitingGang() || !w.gang.Complete() {
			continue
		}
		head := w.app.FirstOfGang(w.gang)
		if head.IsNone() {
			continue
		}
		s.sortFor(w.app)
		passed := slices.ContainsFunc(asks, func(p state.Placement) bool { return s.isBefore(head, p.Ask) })
		if passed && (first.IsNone() || s.isBefore(head, first)) && s.cannotLand(w.app, w.gang) == stands {
			first, of = head, w
		}
	}
	if !first.IsNone() {
		s.state.Accumulate(of.app, of.gang)
	}
}

// sortFor brings the orders up to date that decide the place of an application in the walk.
func (s *Walk) sortFor(a app.App) {
	tree := s.state.Queues()
	for q := tree.Parent(queueOf(a.Leaf())); q != queues.None; q = tree.Parent(q) {
		s.Freshen(q)
	}
	s.FreshenLeaf(a.Leaf())
}

// isBefore reports whether a pending ask comes before another one in the walk.
func (s *Walk) isBefore(a, b app.Ask) bool {
	if a.App() == b.App() {
		return a.App().Before(a, b)
	}
	return s.comesBefore(a.Turn(), b.Turn())
}

// standing says whether a gang that waits can be placed at all, as far as its application and configured limits are concerned.
type standing uint8

const (
	stands     standing = iota
	incomplete          // too few members are pending, or it has nodes already
	notStartable
	barred // by a max or limit, even if nothing else used that
)

// cannotLand returns why a gang cannot be placed even if all nodes were empty.
func (s *Walk) cannotLand(a app.App, g app.AtomicGang) standing {
	switch {
	case !g.Waits() || g.WaitsForSet() || !g.Complete():
		return incomplete
	case !s.state.MayStart(a):
		return notStartable
	case !s.mayEverFit(a, g):
		return barred
	}
	return stands
}

// mayEverFit reports whether enough members of a gang, in order, are within all configured maxima and limits together.
func (s *Walk) mayEverFit(a app.App, g app.AtomicGang) bool {
	first := a.FirstOfGang(g)
	if first.IsNone() {
		return false
	}
	room, left := s.configuredRoom(a), g.Need()
	a.EachMember(first, func(ask app.Ask) bool {
		if ask.Class().Fits(room) {
			room.Sub(ask.Class().Demand())
			left--
		}
		return left > 0
	})
	return left <= 0
}

// configuredRoom returns the headroom of an application if nothing were allocated. The cluster's total does not limit it.
func (s *Walk) configuredRoom(a app.App) resource.Vec {
	room, tree := make(resource.Vec, len(s.wide.Total)), s.state.Queues()
	for t := range room {
		room[t] = resource.Most
		for q := queueOf(a.Leaf()); tree.Parent(q) != queues.None; q = tree.Parent(q) {
			if most := tree.Max(q, t); most != resource.Unlimited {
				room[t] = min(room[t], most)
			}
		}
		if a.Limits().IsNone() {
			continue
		}
		for l := range a.Limits().Trackers().All {
			if of, bounded := l.Of(t); bounded {
				room[t] = min(room[t], of.Limit)
			}
		}
	}
	return room
}

// checkAccumulation ends the accumulation of a gang that can no longer be placed, and has asks visited again that come before the gang now.
func (s *Walk) checkAccumulation() {
	x := &s.accumulating
	if x.IsNone() || x.checked == s.state.LogEnd() {
		return
	}
	x.Accumulation = s.state.Accumulation() // a reload may have changed its end
	switch why := s.cannotLand(x.App, x.Gang); {
	case s.state.Conf().AccumulateAfter == 0, why == incomplete:
		s.state.EndAccumulation("")
	case why == notStartable:
		s.state.EndAccumulation(core.ReasonNotStartable)
	case why == barred:
		s.state.EndAccumulation(core.ReasonNoHeadroom)
	case x.Until <= s.state.Now():
		s.state.GiveUpAccumulation()
	default:
		s.revisit()
		s.recheckHeadroom() // what is held counts for asks that come after the gang now
	}
	s.Sync()
	x.checked = s.state.LogEnd()
}

// passOver records an ask that was visited behind the gang and did not fit.
func (s *Walk) passOver(ask app.Ask) {
	x := &s.accumulating
	if x.behind[ask.App()] || s.MayUseHeld(ask) {
		return
	}
	if x.behind == nil {
		x.behind = map[app.App]bool{}
	}
	x.behind[ask.App()] = true
	x.listed = append(x.listed, ask.App())
}

// revisit has asks visited again that were passed over, but come before the gang now.
func (s *Walk) revisit() {
	x := &s.accumulating
	x.listed = slices.DeleteFunc(x.listed, func(a app.App) bool {
		if !a.Ended() && s.revisitApp(a) {
			return false
		}
		delete(x.behind, a)
		return true
	})
}

// revisitApp is revisit for an application. It reports whether some of its asks still come after the gang.
func (s *Walk) revisitApp(a app.App) (behind bool) {
	var open []app.Ask
	a.Heads(func(ask app.Ask) bool {
		if s.MayUseHeld(ask) {
			open = append(open, ask)
		} else {
			behind = true
		}
		return true
	})
	for _, ask := range open {
		if a.Reopen(ask, s.state.ShrinkEpoch()) {
			s.order.MarkChanged(queueOf(a.Leaf()))
		}
	}
	return behind
}

// MayUseHeld reports whether an ask may use the room that is held for the gang that accumulates, if there is one.
func (s *Walk) MayUseHeld(ask app.Ask) bool {
	x := &s.accumulating
	if x.IsNone() {
		return true
	}
	if x.judged == ask && x.asOf == s.state.LogEnd() {
		return x.mayUse
	}
	x.judged, x.asOf, x.mayUse = ask, s.state.LogEnd(), s.precedesHolder(ask)
	return x.mayUse
}

func (s *Walk) precedesHolder(ask app.Ask) bool {
	x := &s.accumulating
	if ask.Atomic() == x.Gang {
		return true
	}
	head := x.App.FirstOfGang(x.Gang)
	if g := ask.WaitingGang(); !g.IsNone() && !ask.WaitsForGang() { // it is tried at its first member, but replaces a placeholder by itself
		if first := ask.App().FirstOfGang(g); !first.IsNone() {
			ask = first
		}
	}
	return head.IsNone() || ask.Class().Node() != "" || s.state.Outranks(ask, head) || s.sorts(ask) && s.sorts(head) && s.isBefore(ask, head)
}

// sorts reports whether an ask has a place in the walk. It has none before the first cycle after it was submitted.
func (s *Walk) sorts(ask app.Ask) bool {
	if !ask.Pending() || !ask.App().Leaf().Sorts(ask.Turn()) {
		return false
	}
	tree := s.state.Queues()
	for q := s.state.QueueOf(ask); tree.Parent(q) != queues.None; q = tree.Parent(q) {
		if !s.order.Sorts(q) {
			return false
		}
	}
	return true
}
