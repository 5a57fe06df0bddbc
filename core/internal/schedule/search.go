package schedule

import (
	"slices"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/demandrow"
	"github.com/quern-project/quern/core/internal/node"
	"github.com/quern-project/quern/core/internal/state/queues"
	"github.com/quern-project/quern/core/resource"
)

// search records what a cycle knows about what can be allocated, so that it visits only what may have changed.
//
// A shrink epoch is the number of a period in which room only shrinks: what failed in a shrink epoch cannot succeed later in it. Every input and every
// timer begins a new shrink epoch. A walk that has visited everything has exhausted its shrink epoch: no pending ask can be allocated until something
// grows, and then only asks that fit the growth.
type search struct {
	exhausted        uint64  // the shrink epoch in which a walk last visited everything; 0 if none has since the last reconsider
	grown            []int32 // nodes whose room has grown since the shrink epoch was exhausted
	grownAt          uint64  // the shrink epoch of the last such growth
	openAt           uint64  // the shrink epoch in which a node last became available for reservation
	changes          uint64  // number of changes of other things than asks and applications that the walk has applied
	bounds           bool    // Bits of the bounds have to be computed again
	predicatePending int     // number of pending asks that are subject to predicates
	placementPending int     // number of pending asks whose predicate depends on placements

	anyNode   demandrow.Bound // upper bound of what nodes take
	grownNode demandrow.Bound // upper bound of what grown nodes take
	reserve   uint64          // classes that may reserve
	levels    []*level        // by depth; a queue without tighter limits uses the search of its parent
	unlimited resource.Vec    // the headroom without any limit
	at        queues.ID       // the queue whose children or applications are being searched
	elsewhere []app.Ask       // asks not visited yet that may be allocated away from their claim
	deferred  []app.Ask       // due asks of the visited application whose turn to reserve has not come

	barred int32  // the highest priority, in the view of root, of a due ask that only the cluster's total keeps from reserving
	ending ending // of the current walk
}

// ending is the reason why a walk ends early.
type ending uint8

const (
	nothingEnds ending = iota
	mustRepeat         // a reservation was ended in favor of another: the walk starts again
	atGang             // the search for the nodes of a gang has stopped
)

func (x *search) measure(width int) {
	x.anyNode.Room, x.grownNode.Room = make(resource.Vec, width), make(resource.Vec, width)
	x.levels, x.unlimited = nil, make(resource.Vec, width)
	x.unlimited.Fill(resource.Most)
	x.bounds = true
}

func (x *search) grew(n int32, shrinkEpoch uint64) {
	x.grownAt, x.openAt, x.bounds = shrinkEpoch, shrinkEpoch, true
	if !slices.Contains(x.grown[max(0, len(x.grown)-4):], n) {
		x.grown = append(x.grown, n)
	}
}

func (x *search) forget(n int32) {
	x.grown = slices.DeleteFunc(x.grown, func(m int32) bool { return m == n })
}

// roomShrank handles a node with less room. Predicates may answer differently now, and may admit more.
func (s *Walk) roomShrank() {
	if s.search.predicatePending > 0 {
		s.state.BeginShrinkEpoch()
		s.reconsider()
	}
}

// Predicated reports whether a class is subject to predicates.
func (s *Walk) Predicated(c class.Class) bool { return c.Predicate() != "" || s.state.Filters() }

// countPending accounts for a new pending ask of a class.
func (x *search) countPending(s *Walk, c class.Class) {
	if c.Notes().Failed == 0 {
		x.anyNode.Bits |= c.Bit()
	}
	if c.Notes().Unreservable == 0 && (s.state.ReservationDelay() > 0 || c.Node() != "") {
		x.reserve |= c.Bit()
	}
	if s.Predicated(c) {
		x.predicatePending++
	}
	if node.OnPlacements(c) {
		x.placementPending++
	}
}

// uncountPending takes back the counts of countPending.
func (x *search) uncountPending(s *Walk, c class.Class) {
	if s.Predicated(c) {
		x.predicatePending--
	}
	if node.OnPlacements(c) {
		x.placementPending--
	}
}

// placementsChanged handles a node with fewer allocations, a new node or a removed one: a class may fit other nodes than that one now.
func (s *Walk) placementsChanged() {
	if s.search.placementPending > 0 {
		s.state.BeginShrinkEpoch()
		s.reconsider()
	}
}

// reconsider forgets all failures, so that every pending ask is visited again.
func (s *Walk) reconsider() {
	s.search.exhausted, s.search.bounds, s.gangs.grew = 0, true, true
	s.replacing.wake()
	s.search.grownAt, s.search.openAt = s.state.ShrinkEpoch(), s.state.ShrinkEpoch()
	s.state.Classes().Owners(func(c class.Class) { c.Notes().Failed, c.Notes().Unreservable = 0, 0 })
}

// grownLimit is the maximum number of grown nodes for which an exact bound is computed. After a release, the exact bound excludes all asks
// that do not fit. With more grown nodes, the bound of all nodes is used.
const grownLimit = 8

// bound computes upper bounds of what can be allocated now.
func (s *Walk) bound() {
	x := &s.search
	// A failed search may call a policy. Calls are counted, so they must not depend on how tight a remembered bound is.
	if x.predicatePending > 0 || s.state.AnyModule() {
		x.anyNode.SetRoom(s.state.Nodes().MaxFree())
	} else {
		x.anyNode.SetRoom(s.state.Nodes().FreeBound())
	}
	s.state.OpenDeviceLanes(x.anyNode.Room)
	if len(x.grown) > grownLimit {
		x.grownNode.SetRoom(x.anyNode.Room.Amounts())
	} else {
		s.boundGrown()
	}
	if !x.bounds {
		return
	}
	x.bounds = false
	shared := s.state.Classes().Shared()
	x.anyNode.Bits, x.grownNode.Bits, x.reserve = shared, class.NoBits, shared
	if len(x.grown) > 0 {
		x.grownNode.Bits = shared
	}
	s.state.Classes().Owners(func(c class.Class) {
		if len(x.grown) > 0 && c.Fits(x.grownNode.Room) {
			c.Notes().Failed = 0
			x.grownNode.Bits |= c.Bit()
		}
		if c.Notes().Failed == 0 {
			x.anyNode.Bits |= c.Bit()
		}
		if c.Notes().Unreservable < x.openAt || c.Notes().Unreservable == 0 {
			x.reserve |= c.Bit()
		}
	})
	if s.state.ReservationDelay() <= 0 {
		x.reserve &= s.state.Classes().Bound()
	}
}

// boundGrown computes the largest free amount of the grown nodes, type by type.
func (s *Walk) boundGrown() {
	room := s.search.grownNode.Room
	clear(room)
	for _, n := range s.search.grown {
		if !s.state.Nodes().Available(n) {
			continue
		}
		for t := range room {
			room[t] = max(room[t], s.state.Nodes().Free(n, t))
		}
	}
	s.state.OpenDeviceLanes(room)
}
