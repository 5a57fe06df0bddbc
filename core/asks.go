package core

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/node"
)

func sortBySeq(list []*app.Ask) {
	slices.SortFunc(list, func(a, b *app.Ask) int { return cmp.Compare(a.Seq, b.Seq) })
}

func (s *Scheduler) rejectAsk(in *Input, reason Reason, message string) {
	d := s.emit(AskRejected)
	d.ID, d.App, d.Reason, d.Message = in.ID, in.App, reason, message
}

// identify checks what asks and restored allocations have in common.
func (s *Scheduler) identify(in *Input) (*app.App, bool) {
	a := s.apps[in.App]
	if a == nil {
		s.rejectAsk(in, ReasonUnknownApplication, fmt.Sprintf("there is no application %q", in.App))
		return nil, false
	}
	if s.asks[in.ID] != nil {
		s.rejectAsk(in, ReasonDuplicate, fmt.Sprintf("ask %q is there already", in.ID))
		return nil, false
	}
	return a, true
}

func (s *Scheduler) rejectGang(in *Input) bool {
	if !in.Ask.Placeholder && in.Ask.TaskGroup == "" {
		return false
	}
	s.rejectAsk(in, ReasonNotSupported, "placeholders and task groups are not supported yet")
	return true
}

func (s *Scheduler) addAsk(in *Input) {
	a, ok := s.identify(in)
	if !ok || s.rejectGang(in) {
		return
	}
	if in.Resources.IsZero() {
		s.rejectAsk(in, ReasonNoResources, "an ask must ask for some amount of some resource")
		return
	}
	ask := s.newAsk(in, a)
	s.pend(ask)
	if s.conf.ReservationDelay > 0 {
		s.arrivals.push(ask)
	}
	s.seek.await(s, ask)
	s.asked(a)
}

// newAsk makes an ask of an input and counts it.
func (s *Scheduler) newAsk(in *Input, a *app.App) *app.Ask {
	s.admit(in.Resources)
	if len(s.spare) == 0 {
		s.spareAsks()
	}
	last := len(s.spare) - 1
	ask := s.spare[last]
	s.spare = s.spare[:last]
	s.counters.Ask++
	*ask = app.Ask{
		ID: in.ID, App: a, Seq: s.counters.Ask, Priority: in.Ask.Priority, Created: s.now, Node: app.NoNode, Reserves: app.NoNode, Keeps: app.NoNode,
		Originator: in.Ask.Originator, NoPreemptOthers: in.Ask.NoPreemptOthers, NotPreemptable: in.Ask.NotPreemptable,
		Class: s.classes.Of(&class.Shape{Resources: in.Resources, Constraints: in.Ask.Constraints, Node: in.Ask.Node, Predicate: in.Ask.Predicate}),
	}
	s.asks[in.ID] = ask
	return ask
}

// spareAsks makes asks to be used, many at a time.
func (s *Scheduler) spareAsks() {
	block := make([]app.Ask, 64)
	for i := range block {
		s.spare = append(s.spare, &block[i])
	}
}

// pend counts a new ask as waiting, in its application and up the tree.
func (s *Scheduler) pend(ask *app.Ask) {
	s.classes.Pend(ask.Class)
	s.search.met(s, ask.Class)
	s.leaves[ask.App.Leaf.ID].met(ask)
	ask.App.AddAsk(ask)
	q := s.leaves[ask.App.Leaf.ID].queue
	for p := q; p != nil; p = p.Parent {
		p.Waiting.Add(ask.Class.Demand)
		p.Asks++
	}
	s.touch(q)
}

// unpend takes back what pend counted.
func (s *Scheduler) unpend(ask *app.Ask) {
	s.classes.Unpend(ask.Class)
	s.search.left(s, ask.Class)
	s.leaves[ask.App.Leaf.ID].left(ask)
	ask.App.DropAsk(ask)
	if ask.Class.Node != "" {
		s.unrest(ask)
	}
	q := s.leaves[ask.App.Leaf.ID].queue
	for p := q; p != nil; p = p.Parent {
		p.Waiting.Sub(ask.Class.Demand)
		p.Asks--
	}
	s.touch(q)
}

// forget lets an ask go for good; its ID is free again.
func (s *Scheduler) forget(ask *app.Ask) {
	delete(s.asks, ask.ID)
	s.classes.Release(ask.Class)
	*ask = app.Ask{Node: app.NoNode, Reserves: app.NoNode, Keeps: app.NoNode}
	s.spare = append(s.spare, ask)
}

// askOf finds the ask an input names in the state that the input means.
func (s *Scheduler) askOf(in *Input, pending bool) *app.Ask {
	ask := s.asks[in.ID]
	switch {
	case ask == nil:
		s.ignore(in, ReasonUnknownAsk, fmt.Sprintf("there is no ask and no allocation %q", in.ID))
	case pending && !ask.Pending():
		s.ignore(in, ReasonNotPending, fmt.Sprintf("ask %q is allocated already", in.ID))
	case !pending && ask.Pending():
		s.ignore(in, ReasonNotAllocated, fmt.Sprintf("ask %q is still pending", in.ID))
	default:
		return ask
	}
	return nil
}

func (s *Scheduler) updateAsk(in *Input) {
	ask := s.askOf(in, true)
	if ask == nil {
		return
	}
	if in.Resources != nil && in.Resources.IsZero() {
		s.ignore(in, ReasonNoResources, "an ask must ask for some amount of some resource")
		return
	}
	a := ask.App
	if in.Resources != nil {
		s.promise(ask, false)
		s.reshape(ask, in)
		s.promise(ask, true)
	}
	if in.HasPriority {
		ask.Priority = in.Ask.Priority
		a.Resort(ask)
	}
	s.seekers(ask)
	if ask.Keeps != app.NoNode {
		s.claims.check(s, s.nodes.At(ask.Keeps))
	}
	s.touch(s.leaves[a.Leaf.ID].queue)
	if ask.Reserves != app.NoNode {
		s.search.bounds = true // who may take the node is judged anew
		s.reconsider()
		s.seek.stir()
		n := s.nodes.At(ask.Reserves)
		s.nodeChanged(n)
		s.lapse(n)
		s.kept.check(s, n)
	}
}

// reshape gives a pending ask other resources; it keeps its place in the order of submission.
func (s *Scheduler) reshape(ask *app.Ask, in *Input) {
	s.admit(in.Resources)
	old := ask.Class
	shape := class.Shape{Resources: in.Resources, Node: old.Node, Predicate: old.Predicate, Constraints: map[string][]string{}}
	for _, c := range old.Constraints {
		shape.Constraints[c.Attribute] = c.Values
	}
	s.unpend(ask)
	ask.Class = s.classes.Of(&shape)
	s.classes.Release(old)
	s.pend(ask)
}

func (s *Scheduler) removeAsk(in *Input) {
	ask := s.askOf(in, true)
	if ask == nil {
		return
	}
	a := ask.App
	s.withdraw(ask)
	s.idle(a)
}

// withdraw drops a pending ask and its reservation.
func (s *Scheduler) withdraw(ask *app.Ask) {
	if ask.Reserves != app.NoNode {
		s.unreserve(ask, "")
	}
	if ask.Keeps != app.NoNode {
		s.lapseClaim(ask, ReasonWithdrawn)
	}
	s.unpend(ask)
	s.forget(ask)
}

func (s *Scheduler) releaseAllocation(in *Input) {
	if ask := s.askOf(in, false); ask != nil {
		s.release(ask, ReasonFinished)
	}
}

// release ends an allocation for good.
func (s *Scheduler) release(ask *app.Ask, reason Reason) {
	a := ask.App
	s.freeAllocation(ask, reason)
	s.forget(ask)
	s.idle(a)
}

func (s *Scheduler) restoreAllocation(in *Input) {
	a, ok := s.identify(in)
	if !ok {
		return
	}
	n := s.nodes.Find(in.PlacedOn)
	if n == nil {
		s.rejectAsk(in, ReasonUnknownNode, fmt.Sprintf("there is no node %q", in.PlacedOn))
		return
	}
	if s.rejectGang(in) {
		return
	}
	if message := s.restoreOverflows(n, in); message != "" {
		s.rejectAsk(in, ReasonAmountOverflow, message)
		return
	}
	ask := s.newAsk(in, a)
	s.asked(a)
	s.occupy(ask, n)
	s.allocated(a)
}

// allocate places a pending ask on a node.
func (s *Scheduler) allocate(ask *app.Ask, n *node.Node) {
	if ask.Keeps != app.NoNode {
		s.endClaim(ask)
	}
	s.unpend(ask)
	s.occupy(ask, n)
	d := s.emit(Allocation)
	d.ID, d.App, d.Queue, d.Node = ask.ID, ask.App.ID, s.leaves[ask.App.Leaf.ID].queue.Path, n.ID
	d.Priority, d.Resources = ask.Priority, ask.Class.Resources
	s.noteAllocation(ask)
	if ask.Reserves != app.NoNode {
		s.unreserve(ask, "")
	}
	s.allocated(ask.App)
}

// occupy counts an allocation on its node, in its application and up the tree.
func (s *Scheduler) occupy(ask *app.Ask, n *node.Node) {
	s.seek.stir()
	s.counters.Placed++
	s.policies.lexicon.Made++
	ask.Node, ask.Placed, ask.PlacedAt = n.Slot, s.counters.Placed, s.now
	demand := ask.Class.Demand
	n.Used.Add(demand)
	a := ask.App
	a.Used.Add(demand)
	a.Allocations++
	a.Placed.Append(ask, app.OfApp)
	s.ranks.add(ask)
	s.local[n.Slot].placed.Append(ask, app.OnNode)
	q := s.leaves[a.Leaf.ID].queue
	for p := q; p != nil; p = p.Parent {
		p.Used.Add(demand)
		p.Allocations++
		if s.kept.holds > 0 && p.Tight(s.classes.Largest()) {
			s.kept.doubt()
		}
	}
	a.Leaf.Requeue(a)
	s.touch(q)
	s.nodeChanged(n)
	if n.Held {
		s.kept.check(s, n)
	}
	if n.Kept {
		s.claims.check(s, n)
	}
	s.took()
}

// freeAllocation takes back what occupy counted, and says so.
func (s *Scheduler) freeAllocation(ask *app.Ask, reason Reason) {
	if ask.Leaving && reason == ReasonFinished {
		reason = ReasonPreempted
	}
	s.seek.stir()
	d := s.emit(Release)
	d.ID, d.Reason = ask.ID, reason
	demand := ask.Class.Demand
	n := s.nodes.At(ask.Node)
	if ask.Leaving {
		s.depart(ask, n)
	}
	n.Used.Sub(demand)
	a := ask.App
	a.Used.Sub(demand)
	a.Allocations--
	a.Placed.Remove(ask, app.OfApp)
	s.ranks.drop(ask)
	s.local[n.Slot].placed.Remove(ask, app.OnNode)
	q := s.leaves[a.Leaf.ID].queue
	for p := q; p != nil; p = p.Parent {
		if p.Tight(s.classes.Largest()) {
			s.opened(p)
		}
		p.Used.Sub(demand)
		p.Allocations--
	}
	a.Leaf.Requeue(a)
	s.touch(q)
	s.roomGrew(n)
}
