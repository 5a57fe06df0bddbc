// Package plans owns the planned starts of blocked asks, and what decisions have told of them.
//
// Plans is the owner. Package state has one for each partition, and only state changes it. Other packages read it through View.
package plans

import (
	"time"

	"github.com/quern-project/quern/core/internal/state/asks"
	"github.com/quern-project/quern/core/internal/state/internal/table"
)

// The told nodes that are none.
const (
	NoNode   int32 = -1 // the plan has not been told
	GoneNode int32 = -2 // the node was removed
)

// Plan is the planned start of an ask. The members of a gang have one each, with the same start.
type Plan struct {
	Ask      asks.Slot
	Gang     uint64    // the Seq of its gang if that waits; 0: the ask starts alone
	Head     asks.Slot // the first pending member of its gang; the ask itself if it belongs to none
	Node     int32
	Start    time.Duration
	ToldNode int32 // in the last decision; NoNode if there was none
	ToldAt   time.Duration
	Reason   uint8 // of the last decision, as package state numbers them; 0 if there was none
	Rank     int32 // orders plans as they were last made
	Changed  bool  // the ask has changed since the last decision
	Lost     bool  // it does not hold any more, but decisions have told it
	First    bool  // the last decision named the ask; so for one member of a gang
}

// IsTold reports whether a decision has told the plan.
func (p *Plan) IsTold() bool { return p.ToldNode != NoNode }

// Plans is the owner. Make it with New.
type Plans struct {
	rows  *table.Table[Plan]
	of    *table.Column[table.ID] // by ask
	gangs map[uint64][]asks.Slot  // members with plans, by gang; nil: not listed yet
}

// New makes an owner without plans.
func New() *Plans { return &Plans{rows: table.New[Plan](), of: table.NewColumn[table.ID]()} }

// Set makes or changes the plan of an ask.
func (o *Plans) Set(p Plan) {
	if id := o.of.At(uint32(p.Ask)); id != table.None {
		*o.rows.Edit(id) = p
		return
	}
	*o.of.Edit(uint32(p.Ask)) = o.rows.Add(p)
	if p.Gang != 0 && o.gangs != nil {
		o.gangs[p.Gang] = append(o.gangs[p.Gang], p.Ask)
	}
}

// End removes the plan of an ask, if it has one.
func (o *Plans) End(ask asks.Slot) {
	id := o.of.At(uint32(ask))
	if id == table.None {
		return
	}
	if gang := o.rows.At(id).Gang; gang != 0 && o.gangs != nil {
		o.leaveGang(gang, ask)
	}
	*o.of.Edit(uint32(ask)) = table.None
	o.rows.Free(id)
}

// ForgetNode records that a node is gone.
func (o *Plans) ForgetNode(n int32) {
	if o.rows.Len() == 0 {
		return
	}
	for id, p := range o.rows.All() {
		if p.ToldNode == n {
			o.rows.Edit(id).ToldNode = GoneNode
		}
	}
}

// View returns a read-only view.
func (o *Plans) View() View { return View{o} }

// View reads the plans of a partition.
type View struct{ o *Plans }

// Len returns the number of plans, with lost ones.
func (v View) Len() int { return v.o.rows.Len() }

// Of returns the plan of an ask, and whether it has one that holds.
func (v View) Of(ask asks.Slot) (Plan, bool) {
	p, has := v.Any(ask)
	return p, has && !p.Lost
}

// Any is Of for plans that may be lost, too.
func (v View) Any(ask asks.Slot) (Plan, bool) {
	id := v.o.of.At(uint32(ask))
	return v.o.rows.At(id), id != table.None
}

// All yields the plans, with lost ones, in an order without meaning.
func (v View) All(yield func(Plan) bool) {
	for _, p := range v.o.rows.All() {
		if !yield(p) {
			return
		}
	}
}
