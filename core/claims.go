package core

import (
	"cmp"
	"slices"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/node"
	"github.com/quern-project/quern/core/internal/queue"
	"github.com/quern-project/quern/core/resource"
)

// claim is a pending ask that preempted: a node is kept for it until it lands there.
type claim struct {
	seq  uint64 // order of choice
	ask  *app.Ask
	node *node.Node
}

// claims are those that stand.
type claims struct {
	list  []*claim // in the order in which they were made
	ready []*claim // those whose nodes have room for them now, in that order
}

// contended reports whether the claim's application may have lost its place to another that counts as Starting.
func (c *claim) contended() bool { return c.ask.App.Leaf.Contended() }

func (c *claim) order(seq uint64) int { return cmp.Compare(c.seq, seq) }

// check looks at the claim on a node, if there is one, after its room changed.
func (cs *claims) check(s *Scheduler, n *node.Node) {
	c := s.local[n.Slot].claim
	if c == nil {
		return
	}
	i, in := slices.BinarySearchFunc(cs.ready, c.seq, (*claim).order)
	fits := n.Schedulable && n.Takes(c.ask.Class)
	if fits && !in {
		cs.ready = slices.Insert(cs.ready, i, c)
	}
	if !fits && in {
		cs.ready = slices.Delete(cs.ready, i, i+1)
	}
}

// without takes a claim out of a list.
func without(list []*claim, c *claim) []*claim {
	if i, in := slices.BinarySearchFunc(list, c.seq, (*claim).order); in {
		return slices.Delete(list, i, i+1)
	}
	return list
}

// keep keeps a node for an ask.
func (s *Scheduler) keep(c *claim) {
	s.claims.list = append(s.claims.list, c)
	s.local[c.node.Slot].claim = c
	c.ask.Keeps, c.node.Kept = c.node.Slot, true
	s.changePlaces(c.ask.App, func() { c.ask.App.KeepNode(true, s.search.world) })
	s.promise(c.ask, true)
	s.nodeChanged(c.node)
	s.claims.check(s, c.node)
	if s.local[c.node.Slot].holder != nil {
		s.kept.check(s, c.node)
	}
	c.ask.App.Resort(c.ask)
	s.seek.stir()
	s.touch(s.leaves[c.ask.App.Leaf.ID].queue)
}

// promise counts what an ask that a node is kept for will use, or takes it back.
func (s *Scheduler) promise(ask *app.Ask, more bool) {
	if ask.Keeps == app.NoNode {
		return
	}
	s.seek.stir()
	s.kept.doubtHolds()
	for q := s.leaves[ask.App.Leaf.ID].queue; q != nil; q = q.Parent {
		if !more {
			s.opened(q)
		}
		q.Await(ask.Class.Demand, more)
	}
}

// lapseClaim ends a claim whose ask has not landed, and says so.
func (s *Scheduler) lapseClaim(ask *app.Ask, reason Reason) {
	d := s.emit(Lapsed)
	d.For, d.Node, d.Reason = ask.ID, s.nodes.At(ask.Keeps).ID, reason
	s.endClaim(ask)
}

// endClaim opens the node that is kept for an ask.
func (s *Scheduler) endClaim(ask *app.Ask) {
	n := s.nodes.At(ask.Keeps)
	c := s.local[n.Slot].claim
	s.claims.list, s.claims.ready = without(s.claims.list, c), without(s.claims.ready, c)
	s.promise(ask, false)
	s.local[n.Slot].claim = nil
	ask.Keeps, n.Kept = app.NoNode, false
	s.search.world++
	s.changePlaces(ask.App, func() { ask.App.KeepNode(false, s.search.world) })
	s.seek.stir()
	s.nodeOpened(n)
	ask.App.Resort(ask)
	s.seekers(ask)
	s.touch(s.leaves[ask.App.Leaf.ID].queue)
}

// land allocates the first claim whose node has the room, once the queues above let it.
func (s *Scheduler) land() bool {
	for _, c := range s.claims.ready {
		if s.mayLand(c.ask) && s.nodes.Admits(c.ask.Class, c.node) {
			s.allocate(c.ask, c.node)
			return true
		}
	}
	return false
}

// mayLand reports whether nothing but a node could keep an ask that holds a claim from being allocated. Its headroom was
// promised to it, so it is held against what is used now; its application holds a place, whatever a policy says of it.
func (s *Scheduler) mayLand(ask *app.Ask) bool {
	if !ask.App.PassesFilter() {
		return false
	}
	for q := s.leaves[ask.App.Leaf.ID].queue; q != nil; q = q.Parent {
		if !fitsMax(q, ask.Class, q.Used) {
			return false
		}
	}
	return true
}

// fitsMax reports whether a class fits below a queue's own max beside what is used.
func fitsMax(q *queue.Queue, c *class.Class, used resource.Vec) bool {
	for _, need := range c.Needs {
		if limit := q.Max[need.Lane]; limit != resource.Unlimited && resource.Add(used[need.Lane], need.Min) > limit {
			return false
		}
	}
	return true
}

// lapseClaims ends the claims whose application has lost its place, and those that would not fit with their victims gone.
// Those made first stand first.
func (s *Scheduler) lapseClaims() {
	if len(s.claims.list) == 0 {
		return
	}
	for _, c := range s.claims.list {
		s.await(c.ask, false)
	}
	for _, c := range slices.Clone(s.claims.list) {
		outrun, fits := c.ask.App.Leaf.Outrun(c.ask.App), s.fitsToBe(c)
		s.await(c.ask, true)
		switch {
		case outrun:
			s.lapseClaim(c.ask, ReasonNotStartable)
		case !fits:
			s.lapseClaim(c.ask, ReasonNoLongerFits)
		}
	}
}

// await changes what the queues above an ask count as awaited.
func (s *Scheduler) await(ask *app.Ask, more bool) {
	for q := s.leaves[ask.App.Leaf.ID].queue; q != nil; q = q.Parent {
		q.Await(ask.Class.Demand, more)
	}
}

// fitsToBe reports whether a claim fits its node and every max once all have left who were told to.
func (s *Scheduler) fitsToBe(c *claim) bool {
	k := c.ask.Class
	if !c.node.Schedulable || !class.Allows(k.Constraints, c.node.Attributes) {
		return false
	}
	for _, need := range k.Needs {
		if c.node.RoomToBe(need.Lane) < need.Min {
			return false
		}
	}
	for q := s.leaves[c.ask.App.Leaf.ID].queue; q != nil; q = q.Parent {
		for _, need := range k.Needs {
			if limit := q.Max[need.Lane]; limit != resource.Unlimited && resource.Add(q.WillUse(need.Lane), need.Min) > limit {
				return false
			}
		}
	}
	return true
}
