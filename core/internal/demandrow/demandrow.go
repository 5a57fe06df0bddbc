// Package demandrow defines the rows that describe pending asks in indexes, and the search that skips rows without an ask that can be
// allocated now.
//
// The same kind of row describes one ask, an application or a whole queue: the least demand and the classes in it, and when it last
// failed or changed. So one test at each level of the tree decides whether to descend. Packages app and queue write rows; package
// schedule searches.
//
// A shrink epoch is the number of a period in which room only shrinks (state.State.ShrinkEpoch): what failed in a shrink epoch cannot succeed later
// in it.
package demandrow

import (
	"math"
	"time"

	"github.com/quern-project/quern/core/internal/index"
	"github.com/quern-project/quern/core/resource"
)

// The lanes of a row. The index keeps the maximum of each lane, so a lane of which the minimum is needed holds negated values.
const (
	laneFailed   = iota // the shrink epoch in which it last failed, negated; 0: unknown
	laneChanged         // the shrink epoch in which it last changed
	laneOldest          // the submission time of its oldest ask, negated; math.MinInt64: none may reserve; -Always: one is always due
	lanePriority        // the highest priority in it, as its parent sees it
	laneDemand          // from here: the least demand of each type, negated; then the words
)

// words is the number of words after the lanes: the classes of started applications that may be allocated, and those of applications
// that have not started yet.
const words = 2

// Always is a submission time before every delay, for asks with a required node, which may reserve it at once.
const Always time.Duration = -math.MaxInt64

// Row describes the pending asks of a group, an application or a queue.
type Row struct {
	lanes []int64 // the lanes only
	data  []int64 // lanes and words
}

// NewRow makes a row for vectors of a width.
func NewRow(width int) Row {
	data := make([]int64, laneDemand+width+words)
	return Row{lanes: data[:laneDemand+width], data: data}
}

// NewIndex makes an index of rows.
func NewIndex(keyLen, width int) *index.Index { return index.New(keyLen, laneDemand+width, words) }

// started and fresh return the two words.
func (r *Row) started() *int64 { return &r.data[len(r.lanes)] }
func (r *Row) fresh() *int64   { return &r.data[len(r.lanes)+1] }

// Summarize sets the row to the summary of an index.
func (r *Row) Summarize(x *index.Index) { copy(r.data, x.Summary()) }

// Of is Summarize, and reports whether the row changed. The caller sets the shrink epoch of the owner's own failure and
// change.
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

// Include merges the summary of an index into the row, as changed in a shrink epoch.
func (r *Row) Include(x *index.Index, shrinkEpoch uint64) {
	summary := x.Summary()
	for i := range r.lanes {
		r.lanes[i] = max(r.lanes[i], summary[i])
	}
	*r.started() |= summary[len(r.lanes)]
	*r.fresh() |= summary[len(r.lanes)+1]
	r.Changed(shrinkEpoch)
}

// LeastDemand returns the least demand of each type, negated, in the data of a row or a summary.
func LeastDemand(data []int64) []int64 { return data[laneDemand : len(data)-words] }

// Head sets the row to the first entry of an index, and returns the entry's slot, or index.None if the index is empty.
func (r *Row) Head(x *index.Index) int32 {
	slot, data := x.Head()
	copy(r.data, data)
	return slot
}

// Class sets the row to asks of one class.
func (r *Row) Class(bit uint64, demand resource.Amounts, oldest time.Duration, priority int32) {
	r.lanes[laneOldest] = -int64(oldest)
	r.lanes[lanePriority] = int64(priority)
	for t := range demand.Len() {
		d := demand.At(t)
		r.lanes[laneDemand+t] = -d
	}
	*r.started(), *r.fresh() = int64(bit), 0
}

// Failed sets the shrink epoch of the last failure. Shrink epoch 0 clears it.
func (r *Row) Failed(shrinkEpoch uint64) { r.lanes[laneFailed] = -int64(shrinkEpoch) }

// Changed raises the shrink epoch of the last change.
func (r *Row) Changed(shrinkEpoch uint64) {
	r.lanes[laneChanged] = max(r.lanes[laneChanged], int64(shrinkEpoch))
}

// SetChanged sets the shrink epoch of the last change.
func (r *Row) SetChanged(shrinkEpoch uint64) { r.lanes[laneChanged] = int64(shrinkEpoch) }

// ChangedAt returns the shrink epoch of the last change.
func (r *Row) ChangedAt() uint64 { return uint64(max(r.lanes[laneChanged], 0)) }

// Hide removes all classes, so that no search allocates asks of the row. The priority stays.
func (r *Row) Hide() { *r.started(), *r.fresh() = 0, 0 }

// NotStarted marks the row as that of an application that has not started.
func (r *Row) NotStarted() {
	*r.fresh() |= *r.started()
	*r.started() = 0
}

// Bits returns the classes in the row.
func (r *Row) Bits() uint64 { return uint64(*r.started() | *r.fresh()) }

// NoReserve marks that no ask of the row may reserve a node.
func (r *Row) NoReserve() { r.lanes[laneOldest] = math.MinInt64 }

// NoDelayedReserve marks that only asks that are always due may reserve a node.
func (r *Row) NoDelayedReserve() {
	if r.lanes[laneOldest] != -int64(Always) {
		r.NoReserve()
	}
}

// Priority returns the highest priority in the row.
func (r *Row) Priority() int32 { return int32(r.lanes[lanePriority]) }

// HighestPriority returns the highest priority in an index, which must not be empty.
func HighestPriority(x *index.Index) int32 { return int32(x.Summary()[lanePriority]) }

// Exceeds reports whether the least demand of some type exceeds the room, so that no ask of the row fits.
func (r *Row) Exceeds(room resource.Vec) bool {
	for t, d := range r.lanes[laneDemand:] {
		if d < 0 && -d > room[t] {
			return true
		}
	}
	return false
}

// Put puts the row into an index, under a slot and a key.
func (r *Row) Put(x *index.Index, slot int32, key []int64) { x.Put(slot, key, r.data) }

// Bound is an upper bound of what nodes can take now: classes and amounts.
type Bound struct {
	Bits uint64
	Room resource.Vec // at least 0 each
}

// SetRoom copies the amounts. For few types, this takes less time than copy.
func (b *Bound) SetRoom(room resource.Amounts) {
	to := b.Room[:room.Len()]
	for t := range to {
		to[t] = room.At(t)
	}
}

// Search describes which asks below a queue may be allocated now.
type Search struct {
	ShrinkEpoch uint64 // rows that failed in this shrink epoch are skipped
	Changes     uint64 // number of changes so far of other things than asks and applications, which may let rows pass that did not
	Exhausted   uint64 // rows that have not changed since this shrink epoch failed in it
	Open        bool   // the headroom of a queue above has grown since then, so all rows count as changed
	NoNew       bool   // applications that have not started must not be allocated to
	Any         Bound  // of all nodes, for rows that changed
	Grown       Bound  // of nodes whose room grew, for the other rows
	Headroom    resource.Vec
	Reserve     uint64 // classes that may reserve a node
	DueBy       int64  // asks submitted until then are due to reserve
	// Beyond is the headroom for reservations that are not limited by the cluster's total. Overtaken reports whether an ask with a
	// submission time and a priority, as rows show it, may make such a reservation. Beyond is Headroom itself if the total does not
	// limit any ask.
	Beyond    resource.Vec
	Overtaken func(came time.Duration, priority int32) bool
}

// Extent is what a search lets pass, apart from amounts of room.
type Extent struct {
	shrinkEpoch, changes, exhausted uint64
	open, noNew                     bool
	any, grown, reserve             uint64
	dueBy                           int64
}

// Extent returns the extent of a search.
func (s *Search) Extent() Extent {
	return Extent{s.ShrinkEpoch, s.Changes, s.Exhausted, s.Open, s.NoNew, s.Any.Bits, s.Grown.Bits, s.Reserve, s.DueBy}
}

// Within reports whether a search lets no row pass that did not pass an earlier one with an extent. Allocations only take room away.
func (s *Search) Within(e *Extent) bool {
	return s.ShrinkEpoch == e.shrinkEpoch && s.Changes == e.changes && s.Exhausted == e.exhausted && (e.open || !s.Open) && (s.NoNew || !e.noNew) &&
		(s.Any.Bits&^e.any|s.Grown.Bits&^e.grown|s.Reserve&^e.reserve) == 0 && s.DueBy <= e.dueBy
}

// Bounded reports whether the headroom for allocations also limits reservations.
func (s *Search) Bounded() bool { return len(s.Beyond) == 0 || &s.Beyond[0] == &s.Headroom[0] }

// PassRow is Pass for a Row.
func (s *Search) PassRow(r *Row) bool { return s.Pass(r.data) }

// Pass reports whether an ask of a row or a summary may be allocated, or make a reservation, as far as the row shows. It never
// excludes an ask that may.
func (s *Search) Pass(data []int64) bool {
	lanes := data[:len(data)-words]
	if -lanes[laneFailed] >= int64(s.ShrinkEpoch) {
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

// within reports whether the least demand, given negated, fits both headroom and room. No sum overflows, since demand is at most 0, and
// the others are at least 0. A sum below 0 leaves its sign in lacking, which takes one branch for all types.
func within(demand []int64, headroom, room resource.Vec) bool {
	headroom, room = headroom[:len(demand)], room[:len(demand)]
	lacking := int64(0)
	for t, d := range demand {
		lacking |= (d + headroom[t]) | (d + room[t])
	}
	return lacking >= 0
}

// passDue reports whether an ask of a row may be due to make a reservation.
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
