// Package apps owns the applications of a partition: their states, and the sums over their asks and allocations.
//
// Apps is the owner. Package state has one for each partition, and only state changes it. Other packages read it through a View, which
// returns values and identifies applications by number. Package app derives the orders of applications and of their asks.
//
// An allocation touches one row, which fills two cache lines. It includes the amounts of the first resource types, since most clusters
// have no others, and a column of vectors took 90 instructions an ask more (workload fill).
package apps

import (
	"time"

	"github.com/quern-project/quern/core/internal/placement"
	"github.com/quern-project/quern/core/internal/state/internal/table"
	"github.com/quern-project/quern/core/internal/state/queues"
)

// ID is the number of an application, as in the rows of its asks. It is reused after Free.
type ID int32

// None is the ID that no application has.
const None ID = 0

// App is an application.
type App struct {
	Seq         uint64        // order of submission over the partition, from 1
	Since       time.Duration // when it got its state
	Submitted   time.Duration
	Made        int64 // allocations ever made, restored ones included
	Queue       queues.ID
	Pending     int32 // number of its pending asks
	Allocations int32 // number of its allocations
	Claims      int32 // number of its asks with a claim; with a claim, it counts under maxapplications
	State       State
	removed     bool // it has ended; the row is kept for followers of the log

	sums [inRow]amounts // by type
}

// amounts are sums of one type.
type amounts struct {
	used    int64 // by allocations
	waiting int64 // by pending asks, modulo 2^63
}

// inRow is the number of types whose amounts are in the row.
const inRow = 4

// Details are settings of an application that never change.
type Details struct {
	User      string
	Groups    []string
	Tags      map[string]string
	Placement *placement.Outcome // of the placement rules; nil if they did not choose its queue
}

// The amounts of each further type, in Apps.more.
const (
	used = iota
	waiting
	kinds
)

// Apps owns the applications of a partition. Make it with New.
type Apps struct {
	rows table.Table[App]
	more *table.Vectors // amounts of the types from inRow on, by type and kind
	// carries counts the multiples of 2^63 that waiting lacks, since pending asks may add up to more. It is zero unless carried is set.
	carries   *table.Vectors
	carried   bool
	width     int // number of types
	ids       table.StringColumn
	index     table.Index
	details   *table.Records[Details]
	preempted table.Column[int64] // number of preempted allocations
}

// New makes an owner without applications, for a number of resource types.
func New(types int) *Apps {
	return &Apps{
		rows: *table.New[App](), more: table.NewVectors(kinds * (types - inRow)), carries: table.NewVectors(types), width: types,
		ids: *table.NewStringColumn(), index: *table.NewIndex(), details: table.NewRecords[Details](),
		preempted: *table.NewColumn[int64](),
	}
}

// Widen adapts amounts to a new number of resource types.
func (o *Apps) Widen(types int) {
	o.width = types
	o.more.Widen(kinds * (types - inRow))
	o.carries.Widen(types)
}

// Add adds an application under a new ID. The caller must not change the details afterwards.
func (o *Apps) Add(id string, a App, d *Details) ID {
	number := o.rows.Add(a)
	o.ids.Set(uint32(number), id)
	o.index.Add(id, number)
	o.details.Set(uint32(number), d)
	return ID(number)
}

// Remove ends an application without asks and allocations, whose ID may be used again. Its row can be read until Free.
func (o *Apps) Remove(id ID) {
	o.rows.Edit(table.ID(id)).removed = true
	o.index.Remove(o.ids.At(uint32(id)), table.ID(id))
}

// Free frees the number of a removed application. No row may contain it any more.
func (o *Apps) Free(id ID) {
	o.rows.Free(table.ID(id))
	o.ids.Set(uint32(id), "")
	o.details.Set(uint32(id), nil)
	o.forgetPreempted(id)
}

// SetState changes the state of an application.
func (o *Apps) SetState(id ID, to State, at time.Duration) {
	r := o.rows.Edit(table.ID(id))
	r.State, r.Since = to, at
}

// Restore sets what a snapshot says about an application's past.
func (o *Apps) Restore(id ID, since, submitted time.Duration, made int64) {
	r := o.rows.Edit(table.ID(id))
	r.Since, r.Submitted, r.Made = since, submitted, made
}

// Move moves an application to another leaf queue.
func (o *Apps) Move(id ID, to queues.ID) { o.rows.Edit(table.ID(id)).Queue = to }

// AddClaim adds a claim of an application's asks or, if more is false, removes one.
func (o *Apps) AddClaim(id ID, more bool) {
	if more {
		o.rows.Edit(table.ID(id)).Claims++
	} else {
		o.rows.Edit(table.ID(id)).Claims--
	}
}

// CountMade counts an allocation that was made earlier and is being restored.
func (o *Apps) CountMade(id ID) { o.rows.Edit(table.ID(id)).Made++ }

// View returns a read-only view.
func (o *Apps) View() View { return View{o} }
