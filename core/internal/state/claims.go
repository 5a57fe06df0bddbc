package state

import (
	"slices"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/state/claims"
	"github.com/quern-project/quern/core/internal/state/queues"
	"github.com/quern-project/quern/core/resource"
)

// contended reports whether any input may end a claim: its application may have lost its place to another one that counts as Starting, its
// ask may have to wait for its gang (which has ended, or is not formed) or the place of a placeholder, or it may exceed a limit, since asks that are allocated while its victims
// leave count there.
func (s *State) contended(c claims.Claim) bool {
	ask := s.AskAt(c.Ask)
	a := ask.App()
	return a.Leaf().SeveralStarting() || s.waitsWithGang(c) || ask.WaitsForGang() || a.HasGang() && a.Leaf().BehindAnotherStarting(a) || !a.Limits().IsNone()
}

// waitsWithGang reports whether a claim was made for a single ask that waits for its gang by now, since that has ended.
func (s *State) waitsWithGang(c claims.Claim) bool {
	return c.Gang == 0 && !s.AskAt(c.Ask).WaitingGang().IsNone()
}

// anyContended reports whether any input may end some claim.
func (s *State) anyContended() bool {
	for c := range s.Claims().All() {
		if s.contended(c) {
			return true
		}
	}
	return false
}

// claim makes a claim.
func (s *State) claim(c claims.Claim) claims.ID {
	ask, n := s.AskAt(c.Ask), c.Node
	id := s.claims.Add(c)
	s.asks.SetHold(ask.Slot(), ask.Hold().Claim(), n)
	s.nodes.Claim(n)
	if c.Gang != 0 {
		s.edit(ask.App()).EditGang(ask.Atomic()).Claims++
	}
	s.countHeld(ask.App(), true)
	s.promise(ask, true)
	s.nodeChanged(n)
	s.edit(ask.App()).UpdateAsk(ask)
	s.askChanged(ClaimMade, ask, n)
	return id
}

// promise adds the demand of an ask with a claim to the expected usage of its queues and limits, or subtracts it.
func (s *State) promise(ask app.Ask, more bool) {
	if !ask.Hold().IsClaimed() {
		return
	}
	s.note(FutureUsageChanged)
	if !more {
		s.queuesOpened(s.QueueOf(ask))
	}
	s.queues.AddClaim(s.QueueOf(ask), ask.Class().Demand(), more)
	s.countLimitClaim(ask, more)
}

// ClaimOf returns the claim of an ask, which must have one.
func (s *State) ClaimOf(ask app.Ask) claims.Claim {
	c, _ := s.Claims().Of(ask.Slot(), ask.HoldOn())
	return c
}

// LapseClaim ends a claim that was not allocated, together with those of its gang, and emits the decisions.
func (s *State) LapseClaim(ask app.Ask, reason core.Reason) {
	gang := s.ClaimOf(ask).Gang
	if gang == 0 {
		s.lapseOne(ask, reason)
		return
	}
	for _, c := range slices.Collect(s.Claims().OfGang(gang)) {
		s.lapseOne(s.AskAt(c.Ask), reason)
	}
}

func (s *State) lapseOne(ask app.Ask, reason core.Reason) {
	d := s.emit(core.Lapsed)
	d.For, d.Node, d.Reason = ask.ID(), s.finder.ID(ask.HoldOn()), reason
	s.endClaim(ask)
}

// endClaim ends the claim of an ask. The node is no longer claimed unless another ask of its gang has a claim on it.
func (s *State) endClaim(ask app.Ask) {
	n := ask.HoldOn()
	if s.ClaimOf(ask).Gang != 0 {
		s.edit(ask.App()).EditGang(ask.Atomic()).Claims--
	}
	s.claims.End(s.claims.Of(ask.Slot(), n))
	s.promise(ask, false)
	s.asks.SetHold(ask.Slot(), ask.Hold().Unclaim(), n)
	if _, another := s.Claims().First(n); !another {
		s.nodes.Unclaim(n)
	}
	s.shrinkEpoch++
	s.countHeld(ask.App(), false)
	s.nodeOpened(n)
	s.edit(ask.App()).UpdateAsk(ask)
	s.askChanged(ClaimEnded, ask, n)
}

// lapseClaims ends the claims whose application has lost its place, and those that would not fit after their victims have left. Earlier
// claims take precedence.
func (s *State) lapseClaims() {
	all := slices.Collect(s.Claims().All())
	for _, c := range all {
		s.countClaim(s.AskAt(c.Ask), false)
	}
	for _, c := range all {
		ask := s.AskAt(c.Ask)
		if !ask.Hold().IsClaimed() {
			continue // it has lapsed with its gang
		}
		outrun, fits := ask.App().Leaf().BehindAnotherStarting(ask.App()) || ask.WaitsForGang() || s.waitsWithGang(c), s.fitsToBe(c)
		s.countClaim(ask, true)
		if fits && !outrun {
			continue
		}
		if c.Gang != 0 {
			for other := range s.Claims().OfGang(c.Gang) {
				if other.Seq > c.Seq {
					s.countClaim(s.AskAt(other.Ask), true)
				}
			}
		}
		if outrun {
			s.LapseClaim(ask, core.ReasonNotStartable)
		} else {
			s.LapseClaim(ask, core.ReasonNoLongerFits)
		}
	}
}

// countClaim adds or subtracts a claim in the counts of its queues and limits.
func (s *State) countClaim(ask app.Ask, more bool) {
	s.queues.AddClaim(s.QueueOf(ask), ask.Class().Demand(), more)
	if l := ask.App().Limits(); !l.IsNone() {
		for t := range l.Trackers().All {
			s.limits.Counter(t).AddClaim(ask.Class().Demand(), more)
		}
	}
}

// fitsToBe reports whether a claim fits its node and every max after all announced victims have left, and its limits before they have.
func (s *State) fitsToBe(c claims.Claim) bool {
	ask, n := s.AskAt(c.Ask), c.Node
	k := ask.Class()
	if !s.finder.Schedulable(n) || !s.finder.Allows(n, k.Constraints()) || c.Gang != 0 && !s.inDomainOfGang(c) {
		return false
	}
	for need := range k.PlainNeeds().All {
		room := s.finder.FutureRoom(n, need.Lane)
		for before := range s.Claims().On(c.Node) {
			if before.Seq == c.Seq {
				break
			}
			room = resource.Sub(room, s.AskAt(before.Ask).Class().Demand().At(need.Lane))
		}
		if room < need.Min {
			return false
		}
	}
	if len(k.Devices()) > 0 && !s.FutureDevices(n).Fits(k.Devices()) {
		return false
	}
	tree := s.Queues()
	for q := s.QueueOf(ask); q != queues.None; q = tree.Parent(q) {
		for need := range k.Needs().All {
			if limit := tree.Max(q, need.Lane); limit != resource.Unlimited && resource.Add(tree.FutureUsage(q, need.Lane), need.Min) > limit {
				return false
			}
		}
	}
	return ask.App().WithinLimits(k)
}

// ClaimedOn returns the total demand of the asks with claims on the node in a slot, which has the length 0 if there are none.
func (s *State) ClaimedOn(slot int32) resource.Amounts {
	var first resource.Amounts
	var sum resource.Vec // of several
	for c := range s.Claims().On(slot) {
		demand := s.AskAt(c.Ask).Class().Demand()
		if first.Len() == 0 {
			first = demand
			continue
		}
		if sum == nil {
			sum = first.Clone()
		}
		sum.Add(demand)
	}
	if sum != nil {
		return sum.Amounts()
	}
	return first
}

// countHeld adds a claim of an application's asks or, if more is false, removes one.
func (s *State) countHeld(a app.App, more bool) {
	s.changePlaces(a, func() {
		s.edit(a).Change(s.shrinkEpoch, func() { s.apps.AddClaim(a.Number(), more) })
	})
}
