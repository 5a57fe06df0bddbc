// Package pending is the shape of what waits: the lanes that asks, applications and queues carry in their indexes, and
// the search that passes over whatever cannot be placed now.
//
// The same row describes one ask, an application or a whole queue: the least demand in it, the classes in it, and what
// is known of it. So one test at each level decides whether going down is worth it.
package pending

import (
	"math"
	"time"

	"github.com/quern-project/quern/core/internal/index"
	"github.com/quern-project/quern/core/resource"
)

// Data of a row. Where the index's largest of a lane must be a smallest, the lane holds the negative.
const (
	laneFailed   = iota // minus the world in which it was seen to fail; 0: not seen
	laneChanged         // the world in which something in it changed
	laneOldest          // minus the time at which its oldest ask came; math.MinInt64: none may reserve; -Always: one is always due
	lanePriority        // the highest priority in it, as its parent sees it
	laneDemand          // from here: minus the least demand of each type, then two words:
)

// Words of a row, after the lanes: bits of classes that may be placed, and of those of applications that have yet to
// start.
const words = 2

// Always is the time at which an ask came that is due whatever the delay: its required node is held for it at once.
const Always time.Duration = -math.MaxInt64

// Row describes something that waits.
type Row struct {
	lanes []int64 // without the words
	data  []int64 // with them
}

// NewRow makes a row for vectors of a width.
func NewRow(width int) Row {
	data := make([]int64, laneDemand+width+words)
	return Row{lanes: data[:laneDemand+width], data: data}
}

// NewIndex makes an index of such rows.
func NewIndex(keyLen, width int) *index.Index { return index.New(keyLen, laneDemand+width, words) }

// started and fresh are the two words.
func (r *Row) started() *int64 { return &r.data[len(r.lanes)] }
func (r *Row) fresh() *int64   { return &r.data[len(r.lanes)+1] }

// Of copies what an index knows of everything in it, and reports whether the row was another one before. The failure and
// the change are the index's owner's own to say.
func (r *Row) Of(x *index.Index) (changed bool) {
	data := r.data
	summary := x.Summary()[:len(data)]
	for i, v := range data {
		if summary[i] != v {
			copy(data, summary)
			return true
		}
	}
	return false
}

// Include widens the row by what an index knows of everything in it, as changed in a world.
func (r *Row) Include(x *index.Index, world uint64) {
	summary := x.Summary()
	for i := range r.lanes {
		r.lanes[i] = max(r.lanes[i], summary[i])
	}
	*r.started() |= summary[len(r.lanes)]
	*r.fresh() |= summary[len(r.lanes)+1]
	r.Changed(world)
}

// LeastDemand is, negated, the least demand of each type in a row, or in the summary of many.
func LeastDemand(data []int64) []int64 { return data[laneDemand : len(data)-words] }

// Head copies what an index knows of its first entry, and returns the entry's slot; index.None where there is none.
func (r *Row) Head(x *index.Index) int32 {
	slot, data := x.Head()
	copy(r.data, data)
	return slot
}

// Class describes asks of one class.
func (r *Row) Class(bit uint64, demand resource.Vec, oldest time.Duration, priority int32) {
	r.lanes[laneOldest] = -int64(oldest)
	r.lanes[lanePriority] = int64(priority)
	for t, d := range demand {
		r.lanes[laneDemand+t] = -d
	}
	*r.started(), *r.fresh() = int64(bit), 0
}

// Failed notes the world in which it was seen to fail; 0 takes the note back.
func (r *Row) Failed(world uint64) { r.lanes[laneFailed] = -int64(world) }

// Changed notes the world of a change, if it is later than what was noted.
func (r *Row) Changed(world uint64) { r.lanes[laneChanged] = max(r.lanes[laneChanged], int64(world)) }

// SetChanged replaces the note of the last change.
func (r *Row) SetChanged(world uint64) { r.lanes[laneChanged] = int64(world) }

// ChangedAt is the world of the last change noted.
func (r *Row) ChangedAt() uint64 { return uint64(max(r.lanes[laneChanged], 0)) }

// Hide leaves the priority and lets nothing be placed.
func (r *Row) Hide() { *r.started(), *r.fresh() = 0, 0 }

// NotStarted marks an application that has yet to start: all its classes wait for a place.
func (r *Row) NotStarted() {
	*r.fresh() |= *r.started()
	*r.started() = 0
}

// Bits are the classes in it.
func (r *Row) Bits() uint64 { return uint64(*r.started() | *r.fresh()) }

// NoReserve says that nothing in it may reserve.
func (r *Row) NoReserve() { r.lanes[laneOldest] = math.MinInt64 }

// NoDelayedReserve says that nothing in it may reserve but what is always due.
func (r *Row) NoDelayedReserve() {
	if r.lanes[laneOldest] != -int64(Always) {
		r.NoReserve()
	}
}

// Priority is the highest priority in it.
func (r *Row) Priority() int32 { return int32(r.lanes[lanePriority]) }

// HighestPriority is the highest priority in an index that is not empty.
func HighestPriority(x *index.Index) int32 { return int32(x.Summary()[lanePriority]) }

// Exceeds reports whether the least demand is above the room in some type: then nothing in it fits.
func (r *Row) Exceeds(room resource.Vec) bool {
	for t, d := range r.lanes[laneDemand:] {
		if d < 0 && -d > room[t] {
			return true
		}
	}
	return false
}

// Put files the row in an index under a slot and a key.
func (r *Row) Put(x *index.Index, slot int32, key []int64) { x.Put(slot, key, r.data) }

// Bound is what can be placed at the moment somewhere: classes and amounts.
type Bound struct {
	Bits uint64
	Room resource.Vec // at least 0 each
}

// Search says what may be placed below a queue.
type Search struct {
	World     uint64 // what failed in this world is passed over
	Exhausted uint64 // what has not changed since this world failed then
	Open      bool   // something above gained headroom since: as if all had changed
	NoNew     bool   // applications that have yet to start may not
	Any       Bound  // for what changed: what some node may take
	Grown     Bound  // for the rest: what nodes that grew may take
	Headroom  resource.Vec
	Reserve   uint64 // classes that may reserve a node
	DueBy     int64  // asks that came by then are due to
	// Beyond is the headroom for reservations that need not keep within the cluster's total, and Overtaken reports
	// whether something that came at a time and has a priority, as the rows searched show it, may make one. Beyond is
	// Headroom itself where the total limits no ask.
	Beyond    resource.Vec
	Overtaken func(came time.Duration, priority int32) bool
}

// Bounded reports that reservations, too, have to keep within the headroom for allocations.
func (s *Search) Bounded() bool { return len(s.Beyond) == 0 || &s.Beyond[0] == &s.Headroom[0] }

// PassRow judges a row.
func (s *Search) PassRow(r *Row) bool { return s.Pass(r.data) }

// Pass judges a row, or the summary of many.
func (s *Search) Pass(data []int64) bool {
	lanes := data[:len(data)-words]
	if -lanes[laneFailed] >= int64(s.World) {
		return false
	}
	bits := uint64(data[len(lanes)])
	if !s.NoNew {
		bits |= uint64(data[len(lanes)+1])
	}
	b := &s.Grown
	if s.Open || lanes[laneChanged] > int64(s.Exhausted) {
		b = &s.Any
	}
	if bits&b.Bits != 0 && within(lanes[laneDemand:], s.Headroom, b.Room) {
		return true
	}
	return bits&s.Reserve != 0 && s.passDue(lanes)
}

// within reports whether the least demand, negated, is within the headroom and within the room.
func within(demand []int64, headroom, room resource.Vec) bool {
	headroom, room = headroom[:len(demand)], room[:len(demand)]
	for t, d := range demand {
		if d < 0 && (-d > headroom[t] || -d > room[t]) {
			return false
		}
	}
	return true
}

// passDue judges whether something in a row may make a reservation, since it is due.
func (s *Search) passDue(lanes []int64) bool {
	if lanes[laneOldest] == math.MinInt64 || -lanes[laneOldest] > s.DueBy {
		return false
	}
	barred := false
	for t, d := range lanes[laneDemand:] {
		if d < 0 && -d > s.Headroom[t] {
			if -d > s.Beyond[t] {
				return false
			}
			barred = true
		}
	}
	return !barred || s.Overtaken(time.Duration(-lanes[laneOldest]), int32(lanes[lanePriority]))
}
