package schedule

import (
	"slices"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/node"
	"github.com/quern-project/quern/core/internal/pending"
	"github.com/quern-project/quern/core/internal/queue"
	"github.com/quern-project/quern/core/internal/state"
	"github.com/quern-project/quern/core/resource"
)

// search is what a cycle knows about what can be placed, so that it looks only at what may have changed.
//
// Time is counted in worlds: a world is a span in which room only shrinks, so that what failed in it goes on failing.
// Every input and every timer begins a new one. A cycle that ran to its end has settled everything: until something
// grows nothing that waits can be placed, and afterwards only what the growth is large enough for.
type search struct {
	settled uint64
	grown   []*node.Node // nodes that may take more than when all was settled
	grownAt uint64       // the world of the last such growth
	openAt  uint64       // the world in which a node last became free to be reserved
	bounds  bool         // the bounds have to be worked out anew
	wishes  int          // pending asks that predicates decide about

	anyNode   pending.Bound // what some node takes
	grownNode pending.Bound // what some node takes that grew
	reserve   uint64        // classes that may reserve
	levels    []*level      // by depth; where nothing limits a queue, its parent's is searched by
	unlimited resource.Vec  // the headroom where nothing limits it
	at        *queue.Queue  // whose children or applications are searched
	deferred  []*app.Ask    // due asks of the application visited whose turn to reserve is yet to come

	barred int32 // the highest priority, as root sees it, of a due ask that nothing but the cluster's total barred
	again  bool  // a reservation was ended for another: the walk begins again
}

func (x *search) measure(width int) {
	x.anyNode.Room, x.grownNode.Room = make(resource.Vec, width), make(resource.Vec, width)
	x.levels, x.unlimited = nil, make(resource.Vec, width)
	x.unlimited.Fill(resource.Most)
	x.bounds = true
}

// level is the search below a queue that limits it more than its parent does.
type level struct {
	pending.Search
	headroom, beyond resource.Vec // memory for those of the search
}

// levelAt is the level of queues at a depth of the tree.
func (x *search) levelAt(depth int) *level {
	for len(x.levels) <= depth {
		width := len(x.unlimited)
		x.levels = append(x.levels, &level{headroom: make(resource.Vec, width), beyond: make(resource.Vec, width)})
	}
	return x.levels[depth]
}

func (x *search) grew(n *node.Node, world uint64) {
	x.grownAt, x.openAt, x.bounds = world, world, true
	if !slices.Contains(x.grown[max(0, len(x.grown)-4):], n) {
		x.grown = append(x.grown, n)
	}
}

func (x *search) forget(n *node.Node) {
	x.grown = slices.DeleteFunc(x.grown, func(m *node.Node) bool { return m == n })
}

// took notes that a node has less room. Predicates may judge it otherwise now, and better.
func (s *Walk) took() {
	if s.search.wishes > 0 {
		s.World++
		s.reconsider()
	}
}

// Predicated reports whether predicates decide about a class.
func (s *Walk) Predicated(c *class.Class) bool { return c.Predicate != "" || s.Policies.Filtered }

// met takes in that an ask of a class waits, and counts those that predicates decide about.
func (x *search) met(s *Walk, c *class.Class) {
	if c.Failed == 0 {
		x.anyNode.Bits |= c.Bit
	}
	if c.Unreservable == 0 && (s.Conf.ReservationDelay > 0 || c.Node != "") {
		x.reserve |= c.Bit
	}
	if s.Predicated(c) {
		x.wishes++
	}
}

// left takes back what met counted.
func (x *search) left(s *Walk, c *class.Class) {
	if s.Predicated(c) {
		x.wishes--
	}
}

// reconsider forgets what is settled: everything that waits is looked at again.
func (s *Walk) reconsider() {
	s.search.settled, s.search.bounds = 0, true
	s.search.grownAt, s.search.openAt = s.World, s.World
	s.Classes.Owners(func(c *class.Class) { c.Failed, c.Unreservable = 0, 0 })
}

// touch has the queue's place, and those of the queues above it, looked at again.
func (s *Walk) touch(q *queue.Queue) { q.Clear() }

// Step makes the next allocation and reports whether there was one. Where there was none, everything that waits is known
// to wait for something to change.
func (s *Walk) Step() bool {
	for {
		s.Sync()
		s.judgeReservations()
		s.rouse()
		s.bound()
		if len(s.landing) > 0 && s.land() || s.fillReservation() || s.visit(s.Root, s.begin()) {
			return true
		}
		if !s.search.again {
			s.settle()
			return false
		}
		s.search.again = false
	}
}

// Sync takes in what changed and sorts it in, until nothing is left: a policy that fails while it is asked is a change.
func (s *Walk) Sync() {
	for {
		s.Follow()
		s.sync(s.Root)
		if !s.Behind(&s.cursor) {
			return
		}
	}
}

func (s *Walk) settle() {
	x := &s.search
	x.settled = s.World
	clear(x.grown)
	x.grown = x.grown[:0]
	x.grownNode.Bits = class.NoBits
}

// sync sorts in what changed, from the leaves up.
func (s *Walk) sync(q *queue.Queue) {
	if q.Leaf() {
		l := s.Leaves[q.ID]
		s.syncLeaf(l)
		q.Describe(l.Row(q.Inside(), s.Now))
		return
	}
	for _, child := range q.Changed() {
		s.sync(child)
	}
	q.Sync(&s.wide)
}

// grownLimit is up to how many grown nodes are looked at one by one, to know exactly what they take: after a release
// nothing is looked at then that cannot be placed. Beyond it, what any node takes is bound enough.
const grownLimit = 8

// bound works out what can be placed at the moment at best.
func (s *Walk) bound() {
	x := &s.search
	s.Nodes.MaxFree(x.anyNode.Room)
	if len(x.grown) > grownLimit {
		copy(x.grownNode.Room, x.anyNode.Room)
	} else {
		s.boundGrown()
	}
	if !x.bounds {
		return
	}
	x.bounds = false
	shared := s.Classes.Shared()
	x.anyNode.Bits, x.grownNode.Bits, x.reserve = shared, class.NoBits, shared
	if len(x.grown) > 0 {
		x.grownNode.Bits = shared
	}
	s.Classes.Owners(func(c *class.Class) {
		if len(x.grown) > 0 && c.Fits(x.grownNode.Room) {
			c.Failed = 0
			x.grownNode.Bits |= c.Bit
		}
		if c.Failed == 0 {
			x.anyNode.Bits |= c.Bit
		}
		if c.Unreservable < x.openAt || c.Unreservable == 0 {
			x.reserve |= c.Bit
		}
	})
	if s.Conf.ReservationDelay <= 0 {
		x.reserve &= s.Classes.Bound()
	}
}

// boundGrown works out the most that any node that grew has free, type by type.
func (s *Walk) boundGrown() {
	room := s.search.grownNode.Room
	clear(room)
	for _, n := range s.search.grown {
		if !n.Schedulable || n.Kept {
			continue
		}
		for t := range room {
			room[t] = max(room[t], n.Free(t))
		}
	}
}

// begin prepares the search of the whole tree.
func (s *Walk) begin() *pending.Search {
	x := &s.search
	l := x.levelAt(0)
	if l.Overtaken == nil {
		l.Overtaken = s.mayBeOvertaken
	}
	l.World, l.Settled, l.Any, l.Grown, l.Reserve = s.World, x.settled, x.anyNode, x.grownNode, x.reserve
	l.DueBy = int64(s.Now - s.Conf.ReservationDelay)
	l.Open, l.NoNew = false, false
	l.Headroom, l.Beyond = x.unlimited, x.unlimited
	return &l.Search
}

// enter returns the search below a queue, given that of its parent: the same one unless the queue itself limits or opens
// anything, which one look at it tells. Of all classes only some may be reservable in it.
func (s *Walk) enter(q *queue.Queue, up *pending.Search, reservable uint64) *pending.Search {
	tight, open, full := q.Tight(s.wide.Largest), q.OpenedAt > s.search.settled, q.Full()
	if !tight && (up.Open || !open) && (up.NoNew || !full) && up.Reserve&^reservable == 0 {
		return up
	}
	l := s.search.levelAt(q.Depth)
	if &l.Search != up {
		l.Search = *up
	}
	l.Open = l.Open || open
	l.NoNew = l.NoNew || full
	l.Reserve &= reservable
	if tight {
		s.limitRoom(q, l, up)
	}
	return &l.Search
}

// limitRoom narrows a search to what a queue's max leaves.
func (s *Walk) limitRoom(q *queue.Queue, l *level, up *pending.Search) {
	bounded, beyond := up.Bounded() && (q.Parent != nil || !s.mayReserveBeyond()), up.Beyond
	fit := s.fitting(q, l.headroom, up.Headroom, l.Any.Bits|l.Grown.Bits|l.Reserve)
	l.Headroom = l.headroom
	l.Any.Bits &= fit
	l.Grown.Bits &= fit
	switch {
	case bounded:
		l.Beyond = l.headroom
		l.Reserve &= fit
	case q.Parent != nil:
		l.Beyond = l.beyond
		l.Reserve = s.fitting(q, l.beyond, beyond, l.Reserve)
	default: // the cluster's total stands in no reservation's way
		l.Beyond = beyond
	}
}

// fitting works out the headroom below a queue and returns those of some classes that fit into it.
func (s *Walk) fitting(q *queue.Queue, headroom, above resource.Vec, bits uint64) uint64 {
	for t, room := range above {
		headroom[t] = min(room, q.Room(t))
	}
	return s.Classes.Within(bits, headroom)
}

// visit walks a queue in order and reports whether it made an allocation. up is the search of its parent.
func (s *Walk) visit(q *queue.Queue, up *pending.Search) bool {
	if q.Leaf() {
		return s.visitLeaf(s.Leaves[q.ID], up)
	}
	if q.Stale(&s.wide) {
		s.sync(q)
	}
	x := s.enter(q, up, class.AllBits)
	for {
		s.search.at = q
		child := q.Next(x)
		if child == nil {
			return false
		}
		if s.visit(child, x) {
			return true
		}
		if s.search.again {
			return false
		}
		child.Fail(s.World)
	}
}

func (s *Walk) visitLeaf(l *state.Leaf, up *pending.Search) bool {
	s.refresh(l)
	reservable := class.AllBits
	if !s.mayReserve(l) {
		reservable = s.Classes.Bound()
	}
	x := s.enter(l.Queue, up, reservable)
	s.search.at = l.Queue
	for a := l.Next(x); a != nil; a = l.Next(x) {
		if s.visitApp(l, a, x) {
			return true
		}
		if s.search.again {
			return false
		}
		l.Fail(a, s.World)
	}
	return false
}

// SortAll sorts everything that waits by the cluster's total as it is now; the walk does so only where it comes by. With
// policy modules in force orders stay as the last cycle left them: asking a module is the cycle's to do, since answers are
// counted and may have to be recorded.
func (s *Walk) SortAll() {
	if !s.Policies.Any() {
		s.Sync()
		s.sortBelow(s.Root)
	}
}

func (s *Walk) sortBelow(q *queue.Queue) {
	if q.Leaf() {
		s.refresh(s.Leaves[q.ID])
		return
	}
	q.Sync(&s.wide)
	q.Each(func(child *queue.Queue) bool {
		s.sortBelow(child)
		return true
	})
}

// Freshen brings the order of a parent's children up to date.
func (s *Walk) Freshen(q *queue.Queue) {
	if q.Stale(&s.wide) {
		s.sync(q)
	}
}

// FreshenLeaf brings a leaf's order up to date.
func (s *Walk) FreshenLeaf(l *state.Leaf) { s.refresh(l) }

// refresh looks at a leaf's order anew when the cluster's total changed since.
func (s *Walk) refresh(l *state.Leaf) {
	if s.measured[l.ID] == s.wide.Epoch {
		return
	}
	s.measured[l.ID] = s.wide.Epoch
	for t := range l.Denominators {
		l.Denominators[t] = l.Queue.Denominator(t, s.wide.Total)
	}
	l.ReorderAll()
	s.syncLeaf(l)
}

// syncLeaf sorts in what changed in a leaf. Where other applications than before may be allocated to, their asks look for
// victims at once, and reservations of those that may not any more end.
func (s *Walk) syncLeaf(l *state.Leaf) {
	turns := l.EligibilityChanges
	l.Sync(s.World)
	if l.EligibilityChanges != turns {
		s.Turns++
		if l.Reservation != nil || l.Holds > 0 {
			s.doubt()
		}
	}
}

// visitApp tries the first ask of each class in order.
func (s *Walk) visitApp(l *state.Leaf, a *app.App, x *pending.Search) bool {
	open := x.Open
	x.Open = open || a.ChangedSince(x.Settled)
	made := s.tryAsks(l, a, x)
	x.Open = open
	return made
}

// tryAsks allocates to an application, or lets its asks reserve nodes. A due ask that stands behind a younger one of its
// class and priority order is offered a reservation when its own turn comes.
func (s *Walk) tryAsks(l *state.Leaf, a *app.App, x *pending.Search) bool {
	s.search.deferred = s.search.deferred[:0]
	for ask := a.Next(x); ask != nil; ask = a.Next(x) {
		s.reserveBefore(l, a, ask, x)
		if s.tryWithin(x, ask) {
			for _, due := range s.search.deferred { // its turn is yet to come
				a.FailAsk(due, 0)
			}
			return true
		}
		a.FailAsk(ask, s.World)
		if x.Reserve&ask.Class.Bit == 0 {
			continue
		}
		if ask.Class.Node != "" {
			if s.tryHold(l, ask); s.search.again {
				return false
			}
			continue
		}
		if !s.mayReserve(l) {
			continue
		}
		switch due := s.firstDue(x, a, ask); due {
		case nil:
		case ask:
			s.tryReserve(l, ask)
		default:
			s.search.deferred = append(s.search.deferred, due)
		}
	}
	s.reserveBefore(l, a, nil, x)
	return false
}

// tryWithin tries to allocate an ask that the search passed, unless only a reservation could come of it since the
// cluster's total is used up.
func (s *Walk) tryWithin(x *pending.Search, ask *app.Ask) bool {
	return (x.Bounded() || ask.Class.Fits(x.Headroom)) && s.tryAllocate(ask)
}

// firstDue is the first ask of a candidate's class in its application that may reserve a node.
func (s *Walk) firstDue(x *pending.Search, a *app.App, candidate *app.Ask) *app.Ask {
	barred := !x.Bounded() && !candidate.Class.Fits(x.Headroom)
	return a.FirstDue(candidate, func(ask *app.Ask) bool {
		return int64(ask.Created) <= x.DueBy && (!barred || s.overtaken(ask.Created, s.SeenByRoot(ask)))
	})
}

// reserveBefore offers reservations to those of the deferred asks that come before an ask (nil: to all), in order.
func (s *Walk) reserveBefore(l *state.Leaf, a *app.App, ask *app.Ask, x *pending.Search) {
	for len(s.search.deferred) > 0 {
		list, first := s.search.deferred, 0
		for i := range list {
			if a.Before(list[i], list[first]) {
				first = i
			}
		}
		due := list[first]
		if ask != nil && a.Before(ask, due) {
			return
		}
		s.search.deferred = slices.Delete(list, first, first+1)
		if s.mayReserve(l) && x.Reserve&due.Class.Bit != 0 {
			s.tryReserve(l, due)
		}
	}
}

// tryAllocate places an ask on the best node that takes it, if there is one.
func (s *Walk) tryAllocate(ask *app.Ask) bool {
	c := ask.Class
	if s.failed(c) {
		return false
	}
	s.trying = ask
	n, contested := s.Nodes.Best(c, s.grants)
	if n != nil {
		s.allocate(ask, n)
		return true
	}
	if !contested {
		s.fail(c)
	}
	return false
}

// failed reports whether no open node takes a class, as far as is known.
func (s *Walk) failed(c *class.Class) bool {
	return c.Failed != 0 && (s.Classes.Exclusive(c) || c.Failed >= s.search.grownAt)
}

// fail notes that no open node takes a class; searches pass it over until one grows.
func (s *Walk) fail(c *class.Class) {
	x := &s.search
	c.Failed = s.World
	if !s.Classes.Exclusive(c) {
		return
	}
	x.anyNode.Bits &^= c.Bit
	x.grownNode.Bits &^= c.Bit
	for i := range x.levels {
		x.levels[i].Any.Bits &^= c.Bit
		x.levels[i].Grown.Bits &^= c.Bit
	}
}
