// Package claims owns the reservations of nodes, and the claims on nodes of asks that preempt.
//
// Reservations and Claims are the owners. Package state has one of each, and only state changes them. Other packages read them through
// ReservationView and ClaimView, which return values and identify asks and nodes by slot.
package claims

import (
	"cmp"
	"iter"
	"slices"
	"time"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/state/internal/table"
)

// ID identifies a reservation or a claim. It is reused after that has ended.
type ID = table.ID

// None is the zero ID. It identifies nothing.
const None = table.None

// Ref identifies a reservation or a claim that may have ended.
type Ref = table.Ref

// Reservation reserves a node for an ask until the ask is allocated there,
// gives way to another or, unless the ask requires the node, expires.
type Reservation struct {
	Seq       uint64 // number of the reservation; orders reservations by when they were made
	ExpiresAt time.Duration
	Ask       app.Slot
	Node      int32
	Required  bool // the ask requires the node; the reservation does not count as its leaf's, and does not expire
}

// Reservations owns the reservations of a partition. A node and an ask have at most one each. Make it with NewReservations.
type Reservations struct {
	rows     *table.Table[Reservation]
	onNode   *table.Column[ID]
	inOrder  []ID // by Seq
	required int
}

// NewReservations makes an owner without reservations.
func NewReservations() *Reservations {
	return &Reservations{rows: table.New[Reservation](), onNode: table.NewColumn[ID]()}
}

// Add makes a reservation and returns its ID. It panics if the node is reserved.
func (o *Reservations) Add(r Reservation) ID {
	on := o.onNode.Edit(uint32(r.Node))
	if *on != None {
		panic("claims: the node is reserved already")
	}
	id := o.rows.Add(r)
	*on = id
	at, _ := slices.BinarySearchFunc(o.inOrder, r.Seq, o.compare)
	o.inOrder = slices.Insert(o.inOrder, at, id)
	if r.Required {
		o.required++
	}
	return id
}

// End ends the reservation of a node, which must have one.
func (o *Reservations) End(node int32) {
	on := o.onNode.Edit(uint32(node))
	id := *on
	*on = None
	r := o.rows.At(id)
	at, _ := slices.BinarySearchFunc(o.inOrder, r.Seq, o.compare)
	o.inOrder = slices.Delete(o.inOrder, at, at+1)
	if r.Required {
		o.required--
	}
	o.rows.Free(id)
}

func (o *Reservations) compare(id ID, seq uint64) int { return cmp.Compare(o.rows.At(id).Seq, seq) }

// Ref returns the reference to a reservation.
func (o *Reservations) Ref(id ID) Ref { return o.rows.Ref(id) }

// RefOn returns the reference to the reservation of a node, which must have one.
func (o *Reservations) RefOn(node int32) Ref { return o.rows.Ref(o.onNode.At(uint32(node))) }

// Resolve returns a referenced reservation, and whether it still exists.
func (o *Reservations) Resolve(ref Ref) (Reservation, bool) {
	id := o.rows.Resolve(ref)
	return o.rows.At(id), id != None
}

// View returns a read-only view.
func (o *Reservations) View() ReservationView { return ReservationView{o} }

// ReservationView reads the reservations of a partition.
type ReservationView struct{ o *Reservations }

// Len returns the number of reservations.
func (v ReservationView) Len() int { return len(v.o.inOrder) }

// Required returns the number of reservations of asks that require their nodes.
func (v ReservationView) Required() int { return v.o.required }

// Ordinary returns the number of other reservations.
func (v ReservationView) Ordinary() int { return len(v.o.inOrder) - v.o.required }

// On returns the reservation of a node, and whether there is one.
func (v ReservationView) On(node int32) (Reservation, bool) {
	id := v.o.onNode.At(uint32(node))
	return v.o.rows.At(id), id != None
}

// All yields the reservations in the order in which they were made. The loop must not add or end any.
func (v ReservationView) All() iter.Seq[Reservation] {
	return func(yield func(Reservation) bool) {
		for _, id := range v.o.inOrder {
			if !yield(v.o.rows.At(id)) {
				return
			}
		}
	}
}
