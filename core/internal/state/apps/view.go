package apps

import (
	"maps"
	"slices"
	"time"

	"github.com/quern-project/quern/core/internal/placement"
	"github.com/quern-project/quern/core/internal/state/internal/table"
	"github.com/quern-project/quern/core/internal/state/queues"
	"github.com/quern-project/quern/core/resource"
)

// View reads the applications of a partition.
type View struct{ o *Apps }

// Len returns the number of live applications.
func (v View) Len() int { return v.o.index.Len() }

// Find returns the live application with an ID, or None.
func (v View) Find(id string) ID {
	return ID(v.o.index.Find(id, func(row table.ID) bool { return v.o.ids.At(uint32(row)) == id }))
}

// All calls yield with every live application, in an order without meaning.
func (v View) All(yield func(ID) bool) {
	for id, a := range v.o.rows.All() {
		if !a.removed && !yield(ID(id)) {
			return
		}
	}
}

// At returns an application.
func (v View) At(id ID) App { return *v.o.rows.Peek(table.ID(id)) }

// ID returns the ID that the submitter has given an application.
func (v View) ID(id ID) string { return v.o.ids.At(uint32(id)) }

// Removed reports whether an application has ended.
func (v View) Removed(id ID) bool { return v.o.rows.Peek(table.ID(id)).removed }

// The following methods return single fields of an application, which costs less than At.

// State returns the state of an application.
func (v View) State(id ID) State { return v.o.rows.Peek(table.ID(id)).State }

// Seq returns the number of an application in the order of submission.
func (v View) Seq(id ID) uint64 { return v.o.rows.Peek(table.ID(id)).Seq }

// Since returns when an application got its state.
func (v View) Since(id ID) time.Duration { return v.o.rows.Peek(table.ID(id)).Since }

// Pending returns the number of pending asks of an application.
func (v View) Pending(id ID) int { return int(v.o.rows.Peek(table.ID(id)).Pending) }

// Made returns the number of allocations that an application ever got.
func (v View) Made(id ID) int64 { return v.o.rows.Peek(table.ID(id)).Made }

// Allocations returns the number of allocations of an application.
func (v View) Allocations(id ID) int { return int(v.o.rows.Peek(table.ID(id)).Allocations) }

// Claims returns the number of asks of an application that have a claim.
func (v View) Claims(id ID) int { return int(v.o.rows.Peek(table.ID(id)).Claims) }

// Queue returns the leaf queue of an application.
func (v View) Queue(id ID) queues.ID { return v.o.rows.Peek(table.ID(id)).Queue }

// Status returns the state of an application, and whether an ask of it has a claim.
func (v View) Status(id ID) (state State, claims bool) {
	r := v.o.rows.Peek(table.ID(id))
	return r.State, r.Claims > 0
}

// User returns the user of an application.
func (v View) User(id ID) string { return v.o.details.At(uint32(id)).User }

// Groups returns the groups of an application's user. The caller owns the slice.
func (v View) Groups(id ID) []string { return slices.Clone(v.o.details.At(uint32(id)).Groups) }

// Tag returns the value of a tag, or an empty string.
func (v View) Tag(id ID, name string) string { return v.o.details.At(uint32(id)).Tags[name] }

// Tags returns all tags of an application. The caller owns the map.
func (v View) Tags(id ID) map[string]string { return maps.Clone(v.o.details.At(uint32(id)).Tags) }

// Placement returns how the placement rules chose the queue of an application, or nil if they did not.
func (v View) Placement(id ID) *placement.Outcome {
	p := v.o.details.At(uint32(id)).Placement
	if p == nil {
		return nil
	}
	own := *p
	own.Tried = slices.Clone(own.Tried)
	return &own
}

// Width returns the length of vectors.
func (v View) Width() int { return v.o.width }

// UsedOf returns the amount of a type that the allocations of an application use.
func (v View) UsedOf(id ID, t int) int64 {
	if t < inRow {
		return v.o.rows.Peek(table.ID(id)).sums[t].used
	}
	return v.o.more.At(table.ID(id), laneOf(t, used))
}

// Used returns the amounts that the allocations of an application use. The caller owns the vector.
func (v View) Used(id ID) resource.Vec {
	return v.amounts(id, v.UsedOf)
}

// WaitingOf returns the amount of a type that the pending asks of an application ask for, at most the largest amount.
func (v View) WaitingOf(id ID, t int) int64 {
	if v.o.carried && v.o.carries.At(table.ID(id), t) > 0 {
		return resource.Most
	}
	if t < inRow {
		return v.o.rows.Peek(table.ID(id)).sums[t].waiting
	}
	return v.o.more.At(table.ID(id), laneOf(t, waiting))
}

// Waiting returns the amounts that the pending asks of an application ask for. The caller owns the vector.
func (v View) Waiting(id ID) resource.Vec {
	return v.amounts(id, v.WaitingOf)
}

// amounts returns an amount of each type of an application.
func (v View) amounts(id ID, of func(ID, int) int64) resource.Vec {
	list := make(resource.Vec, v.o.width)
	for t := range list {
		list[t] = of(id, t)
	}
	return list
}
