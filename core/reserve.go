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

// reservations keeps those that stand, and which of them have the room they wait for. Holds are among them: reservations
// of required nodes (see hold.go).
type reservations struct {
	list     []*app.Ask // in the order in which they were made
	ready    []*app.Ask // those whose nodes have room for them now, in that order
	holds    int        // those of required nodes
	doubtful bool       // one of them may have to end
}

// doubt has the reservations judged again before anything else is placed.
func (r *reservations) doubt() { r.doubtful = len(r.list) > 0 }

// doubtHolds does so where required nodes are held.
func (r *reservations) doubtHolds() { r.doubtful = r.doubtful || r.holds > 0 }

func byReserved(a *app.Ask, seq uint64) int { return cmp.Compare(a.Reserved, seq) }

// check looks at the reservation on a node, if there is one, after its room changed.
func (r *reservations) check(s *Scheduler, n *node.Node) {
	holder := s.local[n.Slot].holder
	if holder == nil {
		return
	}
	i, in := slices.BinarySearchFunc(r.ready, holder.Reserved, byReserved)
	fits := n.Schedulable && !n.Kept && n.Takes(holder.Class)
	if fits && !in {
		r.ready = slices.Insert(r.ready, i, holder)
	}
	if !fits && in {
		r.ready = slices.Delete(r.ready, i, i+1)
	}
}

func (r *reservations) drop(ask *app.Ask) {
	for _, list := range []*[]*app.Ask{&r.list, &r.ready} {
		if i, in := slices.BinarySearchFunc(*list, ask.Reserved, byReserved); in {
			*list = slices.Delete(*list, i, i+1)
		}
	}
}

// mayTake reports whether an ask may go to a reserved node.
func (s *Scheduler) mayTake(ask *app.Ask, n *node.Node) bool {
	holder := s.local[n.Slot].holder
	return holder == ask || (holder.Class.Node == "" || ask.Class.Node != "") && s.outranks(ask, holder)
}

// outranks compares the priorities of two asks as seen just below the lowest common ancestor of their queues.
func (s *Scheduler) outranks(a, b *app.Ask) bool {
	p, q := s.queueOf(a), s.queueOf(b)
	meet := queue.Meet(p, q)
	return p.SeenBy(meet, a.Priority) > q.SeenBy(meet, b.Priority)
}

// tryReserve makes a reservation for a due ask, if there is a node for it.
func (s *Scheduler) tryReserve(l *leaf, ask *app.Ask) {
	c := ask.Class
	if c.Unreservable >= s.search.openAt && c.Unreservable != 0 || ask.Reserves != app.NoNode {
		return
	}
	n := s.bestEmpty(l, c)
	if n == nil {
		if l.ExpiredAt == 0 {
			s.unreservable(c)
		}
		return
	}
	s.reserve(l, ask, n)
}

// unreservable notes that no node can be reserved for a class; searches pass it over until one can.
func (s *Scheduler) unreservable(c *class.Class) {
	x := &s.search
	c.Unreservable = x.world
	if !s.classes.Exclusive(c) {
		return
	}
	x.reserve &^= c.Bit
	for i := range x.levels {
		x.levels[i].Reserve &^= c.Bit
	}
}

// bestEmpty returns the node without a reservation that would be filled best by the class if nothing were allocated
// there. Once a reservation of the leaf has expired, only nodes whose room has grown since count.
func (s *Scheduler) bestEmpty(l *leaf, c *class.Class) *node.Node {
	var best *node.Node
	left := int64(0)
	for _, n := range s.nodes.Sorted() {
		if !n.Schedulable || n.Held || n.Kept || !n.Holds(c) || n.GrownAt <= l.ExpiredAt && l.ExpiredAt != 0 || !s.nodes.Admits(c, n) {
			continue
		}
		if share := s.leftOver(n, c); best == nil || share < left {
			best, left = n, share
		}
	}
	return best
}

// leftOver is the dominant share, of the cluster's total, of what the class would leave of an empty node.
func (s *Scheduler) leftOver(n *node.Node, c *class.Class) int64 {
	share := int64(0)
	for t, capacity := range n.Capacity {
		if capacity > 0 {
			rest := resource.Sub(resource.Sub(capacity, n.Occupied[t]), c.Demand[t])
			share = max(share, resource.Share(rest, s.wide.Total[t]))
		}
	}
	return share
}

// reserve reserves a node for an ask: until it expires or, where the ask requires the node, until the ask lands.
func (s *Scheduler) reserve(l *leaf, ask *app.Ask, n *node.Node) {
	s.counters.Reserved++
	ask.Reserved = s.counters.Reserved
	if ask.Class.Node == "" {
		ask.ExpiresAt = s.now + reservationPeriod
	}
	s.holdFor(l, ask, n)
	d := s.emit(Reservation)
	d.ID, d.Node = ask.ID, n.ID
	s.syncLeaf(l)
	ask.App.FailAsk(ask, s.search.world)
	s.touch(l.queue)
}

// holdFor reserves a node for an ask whose number and expiry are set.
func (s *Scheduler) holdFor(l *leaf, ask *app.Ask, n *node.Node) {
	ask.Reserves = n.Slot
	n.Held, n.Bound = true, ask.Class.Node != ""
	s.local[n.Slot].holder = ask
	s.kept.list = append(s.kept.list, ask)
	if n.Bound {
		s.kept.holds++
		l.holds++
	} else {
		l.Reservation = ask
		s.timers.push(timer{at: ask.ExpiresAt, kind: reservationTimer, seq: ask.Reserved, ask: ask})
	}
	l.walked = 0
	s.seek.stir()
	s.nodeChanged(n)
	s.kept.check(s, n)
	ask.App.Resort(ask)
}

// unreserve ends a reservation, for a reason that is worth saying or none; its node is open to all again.
func (s *Scheduler) unreserve(ask *app.Ask, reason Reason) {
	n := s.nodes.At(ask.Reserves)
	d := s.emit(Unreservation)
	d.ID, d.Node, d.Reason = ask.ID, n.ID, reason
	l := s.leaves[ask.App.Leaf.ID]
	s.kept.drop(ask)
	if n.Bound {
		s.kept.holds--
		l.holds--
	} else {
		l.Reservation = nil
	}
	l.walked = 0
	s.local[n.Slot].holder = nil
	ask.Reserves, ask.Reserved, ask.ExpiresAt = app.NoNode, 0, 0
	n.Held, n.Bound = false, false
	s.search.world++
	s.seek.stir()
	s.nodeOpened(n)
	if ask.Pending() {
		ask.App.Resort(ask)
	}
	s.touch(l.queue)
}

// expireReservation ends a reservation that ran out of time; its leaf makes none for a while.
func (s *Scheduler) expireReservation(ask *app.Ask) {
	l := s.leaves[ask.App.Leaf.ID]
	l.ExpiredAt, l.BannedUntil = s.search.moment(), s.now+banPeriod
	s.timers.push(timer{at: l.BannedUntil, kind: banTimer, seq: ask.Reserved, leaf: l})
	s.unreserve(ask, "")
}

// lapse ends the reservation on a node that its ask would not fit even if the node were empty. Whether a hold ends is
// judged before anything else is placed.
func (s *Scheduler) lapse(n *node.Node) {
	ask := s.local[n.Slot].holder
	if ask == nil {
		return
	}
	if n.Bound {
		s.kept.doubt()
		return
	}
	if !class.Allows(ask.Class.Constraints, n.Attributes) || !n.Schedulable || !n.Holds(ask.Class) {
		s.unreserve(ask, "")
	}
}

// fillReservation allocates the first reservation that can be filled and that nobody of higher priority could take the
// node from. Otherwise the walk decides.
func (s *Scheduler) fillReservation() bool {
	for _, ask := range s.kept.ready {
		n := s.nodes.At(ask.Reserves)
		if s.canPlace(ask) && s.nodes.Admits(ask.Class, n) && !s.outbid(ask, n) {
			s.allocate(ask, n)
			return true
		}
	}
	return false
}

// canPlace reports whether an ask's application may be allocated to and the headroom is there.
func (s *Scheduler) canPlace(ask *app.Ask) bool {
	if !ask.App.Eligible() {
		return false
	}
	for q := s.leaves[ask.App.Leaf.ID].queue; q != nil; q = q.Parent {
		if !ask.App.HasPlace() && q.Full() {
			return false
		}
		for _, need := range ask.Class.Needs {
			if q.Room(need.Lane) < need.Min {
				return false
			}
		}
	}
	return true
}

// outbid reports whether a pending ask of higher priority than the holder of a node could take it.
func (s *Scheduler) outbid(holder *app.Ask, n *node.Node) bool {
	found := false
	s.eachClass(s.root, func(ask *app.Ask) bool {
		found = ask != holder && ask.Keeps == app.NoNode && n.Takes(ask.Class) && s.mayTake(ask, n) && s.canPlace(ask) && s.nodes.Admits(ask.Class, n)
		return !found
	})
	return found
}

// eachClass calls yield with the first pending ask of each class in each application that is not ruled out, in order.
func (s *Scheduler) eachClass(q *queue.Queue, yield func(*app.Ask) bool) bool {
	more := true
	if q.Leaf() {
		s.leaves[q.ID].Each(func(a *app.App) bool {
			a.Heads(func(ask *app.Ask) bool { more = yield(ask); return more })
			return more
		})
		return more
	}
	q.Each(func(child *queue.Queue) bool {
		more = s.eachClass(child, yield)
		return more
	})
	return more
}
