package schedule

import (
	"cmp"
	"slices"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/node"
	"github.com/quern-project/quern/core/internal/queue"
	"github.com/quern-project/quern/core/internal/state/claims"
	"github.com/quern-project/quern/core/resource"
)

// checkClaim looks at the claim on a node, if there is one, after its room changed.
func (s *Walk) checkClaim(n *node.Node) {
	c, claimed := s.state.Claims().First(n.Slot)
	if !claimed {
		return
	}
	fits := n.Schedulable && n.Takes(s.state.AskAt(c.Ask).Class)
	if c.Gang != 0 { // the first stands for all
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

// landClaim allocates the first claim whose node has the room, once the queues above let it.
func (s *Walk) landClaim() bool {
	for _, c := range s.landable {
		if c.Gang != 0 {
			if s.landGang(c.Gang) {
				return true
			}
			continue
		}
		ask, n := s.state.AskAt(c.Ask), s.state.Nodes.At(c.Node)
		if s.mayLand(ask) && s.state.Nodes.Admits(ask.Class, n) {
			s.allocate(ask, n)
			return true
		}
	}
	return false
}

// lapseRefused ends a claim whose predicate refuses the node although all have left that were to: something else has changed. It reports whether
// there was one.
func (s *Walk) lapseRefused() bool {
	for _, c := range s.landable {
		ask, n := s.state.AskAt(c.Ask), s.state.Nodes.At(c.Node)
		if c.Gang == 0 && node.Foresees(ask.Class) && !leaving(n) && s.mayLand(ask) && !s.state.Nodes.Admits(ask.Class, n) {
			s.state.LapseClaim(ask, core.ReasonNoLongerFits)
			return true
		}
	}
	return false
}

// leaving reports whether allocations of a node were told to leave.
func leaving(n *node.Node) bool {
	return slices.ContainsFunc(n.Leaving, func(amount int64) bool { return amount > 0 })
}

// mayLand reports whether nothing but a node could keep an ask that holds a claim from being allocated. Its headroom is
// kept for it, so it is compared with the usage now; its application holds a place, whatever a policy says of it.
func (s *Walk) mayLand(ask *app.Ask) bool {
	if !ask.App.PassesStateFilter() {
		return false
	}
	return s.fitsBeside(ask, nil)
}

// fitsMax reports whether a class fits below a queue's own max beside what is used and some more.
func fitsMax(q *queue.Queue, c *class.Class, more resource.Vec) bool {
	for _, need := range c.Needs {
		used := q.TakenByOthers(need.Lane)
		if more != nil {
			used = resource.Add(used, more[need.Lane])
		}
		if limit := q.Max[need.Lane]; limit != resource.Unlimited && resource.Add(used, need.Min) > limit {
			return false
		}
	}
	return true
}
