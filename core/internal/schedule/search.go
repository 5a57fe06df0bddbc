package schedule

import (
	"slices"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/node"
	"github.com/quern-project/quern/core/internal/pending"
	"github.com/quern-project/quern/core/internal/queue"
	"github.com/quern-project/quern/core/resource"
)

// search is what a cycle knows about what can be placed, so that it looks only at what may have changed.
//
// Time is counted in worlds: a world is a span in which room only shrinks, so that what failed in it goes on failing.
// Every input and every timer begins a new one. A walk that has visited everything has exhausted its world: until something
// grows nothing that waits can be placed, and afterwards only what the growth is large enough for.
type search struct {
	exhausted uint64       // the world in which a walk last visited everything; 0: none has since
	grown     []*node.Node // nodes that may take more than when the walk was exhausted
	grownAt   uint64       // the world of the last such growth
	openAt    uint64       // the world in which a node last became free to be reserved
	bounds    bool         // the bounds have to be worked out again
	wishes    int          // pending asks that predicates decide about
	placing   int          // those of them whose predicate depends on placements

	anyNode   pending.Bound // what some node takes
	grownNode pending.Bound // what some node takes that grew
	reserve   uint64        // classes that may reserve
	levels    []*level      // by depth; where nothing limits a queue, its parent's is searched by
	unlimited resource.Vec  // the headroom where nothing limits it
	at        *queue.Queue  // whose children or applications are searched
	elsewhere []*app.Ask    // those that may land on another node than their own, and were not visited yet
	deferred  []*app.Ask    // due asks of the application visited whose turn to reserve is yet to come

	barred int32  // the highest priority, as root sees it, of a due ask that nothing but the cluster's total barred
	ending ending // of the walk that is under way
}

// ending is what ends a walk before it has visited everything.
type ending uint8

const (
	nothingEnds ending = iota
	mustRepeat         // a reservation was ended for another: the walk begins again
	atGang             // the search for the nodes of a gang has stopped
)

func (x *search) measure(width int) {
	x.anyNode.Room, x.grownNode.Room = make(resource.Vec, width), make(resource.Vec, width)
	x.levels, x.unlimited = nil, make(resource.Vec, width)
	x.unlimited.Fill(resource.Most)
	x.bounds = true
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

// roomShrank notes that a node has less room. Predicates may judge it otherwise now, and better.
func (s *Walk) roomShrank() {
	if s.search.wishes > 0 {
		s.state.BeginWorld()
		s.reconsider()
	}
}

// Predicated reports whether predicates decide about a class.
func (s *Walk) Predicated(c *class.Class) bool { return c.Predicate != "" || s.state.Policies.Filtered }

// countPending takes in that an ask of a class waits, and counts those that predicates decide about.
func (x *search) countPending(s *Walk, c *class.Class) {
	if c.Failed == 0 {
		x.anyNode.Bits |= c.Bit
	}
	if c.Unreservable == 0 && (s.state.Conf.ReservationDelay > 0 || c.Node != "") {
		x.reserve |= c.Bit
	}
	if s.Predicated(c) {
		x.wishes++
	}
	if node.OnPlacements(c) {
		x.placing++
	}
}

// uncountPending takes back what countPending counted.
func (x *search) uncountPending(s *Walk, c *class.Class) {
	if s.Predicated(c) {
		x.wishes--
	}
	if node.OnPlacements(c) {
		x.placing--
	}
}

// placementsChanged notes that a node has let something go, has come, or has gone: a class may fit other nodes than that one now.
func (s *Walk) placementsChanged() {
	if s.search.placing > 0 {
		s.state.BeginWorld()
		s.reconsider()
	}
}

// reconsider has everything that waits looked at again.
func (s *Walk) reconsider() {
	s.search.exhausted, s.search.bounds = 0, true
	s.replacing.wake()
	s.search.grownAt, s.search.openAt = s.state.World, s.state.World
	s.state.Classes.Owners(func(c *class.Class) { c.Failed, c.Unreservable = 0, 0 })
}

// grownLimit is up to how many grown nodes are looked at one by one, to know exactly what they take: after a release
// nothing is looked at then that cannot be placed. Beyond it, what any node takes is bound enough.
const grownLimit = 8

// bound works out what can be placed at the moment at best.
func (s *Walk) bound() {
	x := &s.search
	// A search that fails may call a policy. Calls are counted, and must not depend on how close a remembered bound is.
	if x.wishes > 0 || s.state.Modules.Any() {
		copy(x.anyNode.Room, s.state.Nodes.MaxFree())
	} else {
		copy(x.anyNode.Room, s.state.Nodes.FreeBound())
	}
	if len(x.grown) > grownLimit {
		copy(x.grownNode.Room, x.anyNode.Room)
	} else {
		s.boundGrown()
	}
	if !x.bounds {
		return
	}
	x.bounds = false
	shared := s.state.Classes.Shared()
	x.anyNode.Bits, x.grownNode.Bits, x.reserve = shared, class.NoBits, shared
	if len(x.grown) > 0 {
		x.grownNode.Bits = shared
	}
	s.state.Classes.Owners(func(c *class.Class) {
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
	if s.state.Conf.ReservationDelay <= 0 {
		x.reserve &= s.state.Classes.Bound()
	}
}

// boundGrown works out the most that any node that grew has free, type by type.
func (s *Walk) boundGrown() {
	room := s.search.grownNode.Room
	clear(room)
	for _, n := range s.search.grown {
		if !n.Schedulable || n.Hold.IsClaimed() {
			continue
		}
		for t := range room {
			room[t] = max(room[t], n.Free(t))
		}
	}
}
