package state

import (
	"cmp"
	"slices"
	"time"

	"github.com/quern-project/quern/core/internal/api"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/node"
	"github.com/quern-project/quern/core/resource"
)

// Claim is a pending ask that preempted: a node is kept for it until it lands there.
type Claim struct {
	Seq  uint64 // order of choice
	Ask  *app.Ask
	Node *node.Node
	Gang *GangClaim // nil: the ask lands by itself

	made       time.Duration
	waitsUntil time.Duration // its ask then may land elsewhere
	leaving    int           // its victims that have yet to leave; not counted of a gang
	ended      bool          // the node is not kept any more
	next       *Claim        // of the same gang on the same node
}

// GangClaim is the claims of the members of one gang: they land together, and lapse together.
type GangClaim struct {
	Claims  []*Claim // in order
	Leaving int      // their victims that have yet to leave
}

// contended reports whether any input may end the claim: its application may have lost its place to another that counts as
// Starting, its ask may wait for its gang or the place of a placeholder, or a limit may hold no more, since asks that were
// allocated beside the claim count while its victims leave.
func (c *Claim) contended() bool {
	a := c.Ask.App
	return a.Leaf.SeveralStarting() || c.Ask.Rests() || a.Gang != nil && a.Leaf.BehindAnotherStarting(a) || a.Limits != nil
}

// Order compares a claim's number with another.
func (c *Claim) Order(seq uint64) int { return cmp.Compare(c.Seq, seq) }

// without takes a claim out of a list.
func without(list []*Claim, c *Claim) []*Claim {
	if i, in := slices.BinarySearchFunc(list, c.Seq, (*Claim).Order); in {
		return slices.Delete(list, i, i+1)
	}
	return list
}

// keep keeps a node for an ask.
func (s *State) keep(c *Claim) {
	s.Claims = append(s.Claims, c)
	last := &s.OnNode[c.Node.Slot].Claim
	for *last != nil {
		last = &(*last).next
	}
	*last = c
	c.Ask.Hold, c.Ask.HoldOn, c.Node.Hold = c.Ask.Hold.Claim(), c.Node.Slot, c.Node.Hold.Claim()
	if c.Gang != nil {
		c.Gang.Claims = append(c.Gang.Claims, c)
		c.Ask.Atomic.Claims++
	}
	s.changePlaces(c.Ask.App, func() { c.Ask.App.CountClaim(true, s.World) })
	s.promise(c.Ask, true)
	s.nodeChanged(c.Node)
	c.Ask.App.UpdateAsk(c.Ask)
	s.askChanged(ClaimMade, c.Ask, c.Node)
}

// promise counts what an ask that a node is kept for will use, or takes it back.
func (s *State) promise(ask *app.Ask, more bool) {
	if !ask.Hold.IsClaimed() {
		return
	}
	s.note(PromisesChanged)
	for q := s.QueueOf(ask); q != nil; q = q.Parent {
		if !more {
			s.queueOpened(q)
		}
		q.Await(ask.Class.Demand, more)
	}
	s.countAwaited(ask, more)
}

// ClaimOf is the claim of an ask that a node is kept for.
func (s *State) ClaimOf(ask *app.Ask) *Claim {
	c := s.OnNode[ask.HoldOn].Claim
	for c.Ask != ask {
		c = c.next
	}
	return c
}

// LapseClaim ends a claim whose ask has not landed, those of its gang with it, and says so.
func (s *State) LapseClaim(ask *app.Ask, reason api.Reason) {
	if gang := s.ClaimOf(ask).Gang; gang != nil {
		for _, c := range gang.Claims {
			s.lapseOne(c.Ask, reason)
		}
		return
	}
	s.lapseOne(ask, reason)
}

func (s *State) lapseOne(ask *app.Ask, reason api.Reason) {
	d := s.emit(api.Lapsed)
	d.For, d.Node, d.Reason = ask.ID, s.Nodes.At(ask.HoldOn).ID, reason
	s.endClaim(ask)
}

// endClaim opens the node that is kept for an ask, unless it is kept for another of its gang.
func (s *State) endClaim(ask *app.Ask) {
	n := s.Nodes.At(ask.HoldOn)
	c := s.ClaimOf(ask)
	s.Claims, s.Impatient, c.ended = without(s.Claims, c), without(s.Impatient, c), true
	s.promise(ask, false)
	link := &s.OnNode[n.Slot].Claim
	for *link != c {
		link = &(*link).next
	}
	*link = c.next
	if ask.Hold = ask.Hold.Unclaim(); s.OnNode[n.Slot].Claim == nil {
		n.Hold = n.Hold.Unclaim()
	}
	if c.Gang != nil {
		ask.Atomic.Claims--
	}
	s.World++
	s.changePlaces(ask.App, func() { ask.App.CountClaim(false, s.World) })
	s.nodeOpened(n)
	ask.App.UpdateAsk(ask)
	s.askChanged(ClaimEnded, ask, n)
}

// lapseClaims ends the claims whose application has lost its place, and those that would not fit with their victims gone.
// Those made first stand first.
func (s *State) lapseClaims() {
	if len(s.Claims) == 0 {
		return
	}
	for _, c := range s.Claims {
		s.await(c.Ask, false)
	}
	for _, c := range slices.Clone(s.Claims) {
		if !c.Ask.Hold.IsClaimed() {
			continue // it lapsed with its gang
		}
		outrun, fits := c.Ask.App.Leaf.BehindAnotherStarting(c.Ask.App) || c.Ask.Rests(), s.fitsToBe(c)
		s.await(c.Ask, true)
		if fits && !outrun {
			continue
		}
		if c.Gang != nil {
			for _, other := range c.Gang.Claims[1+slices.Index(c.Gang.Claims, c):] {
				s.await(other.Ask, true)
			}
		}
		if outrun {
			s.LapseClaim(c.Ask, api.ReasonNotStartable)
		} else {
			s.LapseClaim(c.Ask, api.ReasonNoLongerFits)
		}
	}
}

// await changes what the queues above an ask, and its limits, count as awaited.
func (s *State) await(ask *app.Ask, more bool) {
	for q := s.QueueOf(ask); q != nil; q = q.Parent {
		q.Await(ask.Class.Demand, more)
	}
	if l := ask.App.Limits; l != nil {
		for _, t := range l.Trackers {
			t.Await(ask.Class.Demand, more)
		}
	}
}

// fitsToBe reports whether a claim fits its node and every max once all victims that were told to leave have left, and its
// limits before victims have left.
func (s *State) fitsToBe(c *Claim) bool {
	k := c.Ask.Class
	if !c.Node.Schedulable || !class.Allows(k.Constraints, c.Node.Attributes) {
		return false
	}
	for _, need := range k.Needs {
		room := c.Node.RoomToBe(need.Lane)
		for before := s.OnNode[c.Node.Slot].Claim; before != c; before = before.next {
			room = resource.Sub(room, before.Ask.Class.Demand[need.Lane])
		}
		if room < need.Min {
			return false
		}
	}
	for q := s.QueueOf(c.Ask); q != nil; q = q.Parent {
		for _, need := range k.Needs {
			if limit := q.Max[need.Lane]; limit != resource.Unlimited && resource.Add(q.WillUse(need.Lane), need.Min) > limit {
				return false
			}
		}
	}
	return c.Ask.App.WithinLimits(k)
}

// AwaitedOn is what the asks need that the node in a slot is kept for.
func (s *State) AwaitedOn(slot int32) resource.Vec {
	c := s.OnNode[slot].Claim
	if c.next == nil {
		return c.Ask.Class.Demand
	}
	sum := make(resource.Vec, len(c.Ask.Class.Demand))
	for ; c != nil; c = c.next {
		sum.Add(c.Ask.Class.Demand)
	}
	return sum
}
