package schedule

import (
	"cmp"
	"slices"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/node"
	"github.com/quern-project/quern/core/internal/state/claims"
	"github.com/quern-project/quern/core/internal/state/queues"
	"github.com/quern-project/quern/core/resource"
)

// checkClaim rechecks the claims on a node, if any, after its room has changed.
func (s *Walk) checkClaim(n int32) {
	c, claimed := s.state.Claims().First(n)
	if !claimed {
		return
	}
	fits := s.state.Nodes().Schedulable(n) && s.state.Nodes().Fits(n, s.state.AskAt(c.Ask).Class())
	if c.Gang != 0 { // the first claim represents all claims of the gang
		c, fits = s.state.Claims().FirstOf(c.Gang), s.state.Claims().LeavingFor(c.Gang) == 0
	}
	i, in := slices.BinarySearchFunc(s.landable, c.Seq, func(c claims.Claim, seq uint64) int { return cmp.Compare(c.Seq, seq) })
	if fits && !in {
		s.landable = slices.Insert(s.landable, i, c)
	}
	if !fits && in {
		s.landable = slices.Delete(s.landable, i, i+1)
	}
}

// allocateClaim allocates the first claim whose node has enough room and whose queues permit it.
func (s *Walk) allocateClaim() bool {
	for _, c := range s.landable {
		if c.Gang != 0 {
			if s.allocateClaimedGang(c.Gang) {
				return true
			}
			continue
		}
		ask, n := s.state.AskAt(c.Ask), c.Node
		if s.mayLand(ask) && s.state.Nodes().Admits(ask.Class(), n) {
			s.allocate(ask, n)
			return true
		}
	}
	return false
}

// lapseInvalidClaims ends a claim whose predicate rejects the node although all leaving allocations are gone: something else has changed. It
// reports whether there was one.
func (s *Walk) lapseInvalidClaims() bool {
	for _, c := range s.landable {
		ask, n := s.state.AskAt(c.Ask), c.Node
		if c.Gang == 0 && node.SupportsDepartures(ask.Class()) && !s.state.Nodes().Leaves(n) && s.mayLand(ask) && !s.state.Nodes().Admits(ask.Class(), n) {
			s.state.LapseClaim(ask, core.ReasonNoLongerFits)
			return true
		}
	}
	return false
}

// mayLand reports whether an ask with a claim could be allocated if its node had enough room. The ask is compared with the current usage,
// since headroom is set aside for it. Its application has a place within maxapplications, whatever a policy answers.
func (s *Walk) mayLand(ask app.Ask) bool {
	if !ask.App().PassesStateFilter() {
		return false
	}
	return s.fitsBeside(ask, nil)
}

// fitsMax reports whether a class fits a queue's own max in addition to the current usage and more, which may be nil.
func fitsMax(tree queues.View, q queues.ID, c class.Class, more resource.Vec) bool {
	for need := range c.Needs().All {
		used := tree.TakenByOthers(q, need.Lane)
		if more != nil {
			used = resource.Add(used, more[need.Lane])
		}
		if limit := tree.Max(q, need.Lane); limit != resource.Unlimited && resource.Add(used, need.Min) > limit {
			return false
		}
	}
	return true
}
