// Package departures owns the leaving victims of preemption, with the reasons why they leave.
//
// Departures is the owner. Package state has one for each partition, and only state changes it. Other packages read it through View, which
// returns values and identifies allocations by slot.
package departures

import (
	"time"

	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/core/internal/state/asks"
	"github.com/quern-project/quern/core/internal/state/internal/table"
)

// Departure describes a victim that was asked to leave. Left is set after it has left.
type Departure struct {
	Claim uint64 // number of the claim that it leaves for; 0 if there is none
	Quota string `json:",omitempty"` // path of the queue over its max that it leaves for; empty if it leaves for a claim
	Left  time.Duration
	App   uint64 `json:",omitempty"` // after it has left: Seq of its application
	Times int64  `json:",omitempty"` // after it has left: how often its ask was preempted; 0 if an earlier release wrote the snapshot
	Why   explain.VictimExplanation
}

// victim is a leaving allocation.
type victim struct {
	ask   asks.Slot
	claim uint64
}

// Departures is the owner. Make it with New.
type Departures struct {
	rows    *table.Table[victim]
	of      *table.Column[table.ID] // by allocation
	details *table.Records[Departure]
}

// New makes an owner without victims.
func New() *Departures {
	return &Departures{rows: table.New[victim](), of: table.NewColumn[table.ID](), details: table.NewRecords[Departure]()}
}

// Add records that a victim was asked to leave. The caller must not change the details afterwards.
func (o *Departures) Add(ask asks.Slot, d *Departure) {
	on := o.of.Edit(uint32(ask))
	if *on != table.None {
		panic("departures: the victim leaves already")
	}
	*on = o.rows.Add(victim{ask, d.Claim})
	o.details.Set(uint32(*on), d)
}

// End removes an allocation that has left, and returns its details. ok is false if it was no victim.
func (o *Departures) End(ask asks.Slot) (d Departure, ok bool) {
	id := o.of.At(uint32(ask))
	if id == table.None {
		return d, false
	}
	d = o.details.At(uint32(id))
	*o.of.Edit(uint32(ask)) = table.None
	o.details.Set(uint32(id), nil)
	o.rows.Free(id)
	return d, true
}

// View returns a read-only view.
func (o *Departures) View() View { return View{o} }

// View reads the leaving victims of a partition.
type View struct{ o *Departures }

// Len returns the number of leaving victims.
func (v View) Len() int { return v.o.rows.Len() }

// Has reports whether an allocation is a leaving victim.
func (v View) Has(ask asks.Slot) bool { return v.o.of.At(uint32(ask)) != table.None }

// ClaimOf returns the number of the claim that a victim leaves for. It is 0 if there is none, or the allocation is no victim.
func (v View) ClaimOf(ask asks.Slot) uint64 { return v.o.rows.At(v.o.of.At(uint32(ask))).claim }

// Of returns the details of a leaving victim, and whether the allocation is one.
func (v View) Of(ask asks.Slot) (Departure, bool) {
	id := v.o.of.At(uint32(ask))
	return v.o.details.At(uint32(id)), id != table.None
}

// All yields the leaving victims, in an order without meaning.
func (v View) All(yield func(asks.Slot) bool) {
	for _, r := range v.o.rows.All() {
		if !yield(r.ask) {
			return
		}
	}
}
