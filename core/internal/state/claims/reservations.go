// Package claims owns which nodes are reserved for asks, and which asks that preempt have claims on nodes.
//
// Reservations and Claims are the owners; package state has one of each, and alone can change them. All others read them through
// ReservationView and ClaimView, which return values, and name asks and nodes by slot.
package claims

import (
	"cmp"
	"iter"
	"slices"
	"time"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/state/internal/table"
)

// ID names a reservation or a claim; it is used again once that has ended.
type ID = table.ID

// None is the ID of none.
const None = table.None

// Ref names a reservation or a claim that may have ended.
type Ref = table.Ref

// Reservation keeps a node for an ask until it lands there, gives way or, unless the ask requires the node, expires.
type Reservation struct {
	Seq       uint64 // order in which reservations are made
	ExpiresAt time.Duration
	Ask       app.Slot
	Node      int32
	Required  bool // by the ask: it is of no leaf, and does not expire
}

// Reservations are those of a partition: one at most on each node, and for each ask. Make them with NewReservations.
type Reservations struct {
	rows     *table.Table[Reservation]
	onNode   *table.Column[ID]
	inOrder  []ID // by Seq
	required int
}

// NewReservations makes an empty owner.
func NewReservations() *Reservations {
	return &Reservations{rows: table.New[Reservation](), onNode: table.NewColumn[ID]()}
}

// Add makes a reservation.
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

// End ends the reservation of a node.
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

// Resolve returns a referenced reservation, unless it has ended.
func (o *Reservations) Resolve(ref Ref) (Reservation, bool) {
	id := o.rows.Resolve(ref)
	return o.rows.At(id), id != None
}

// View returns what others may read.
func (o *Reservations) View() ReservationView { return ReservationView{o} }

// ReservationView reads the reservations of a partition.
type ReservationView struct{ o *Reservations }

// Len is the number of reservations.
func (v ReservationView) Len() int { return len(v.o.inOrder) }

// Required is the number of reservations of asks that require their nodes.
func (v ReservationView) Required() int { return v.o.required }

// Ordinary is the number of other reservations.
func (v ReservationView) Ordinary() int { return len(v.o.inOrder) - v.o.required }

// On returns the reservation of a node, if there is one.
func (v ReservationView) On(node int32) (Reservation, bool) {
	id := v.o.onNode.At(uint32(node))
	return v.o.rows.At(id), id != None
}

// All yields the reservations in the order in which they were made. None may be made or end meanwhile.
func (v ReservationView) All() iter.Seq[Reservation] {
	return func(yield func(Reservation) bool) {
		for _, id := range v.o.inOrder {
			if !yield(v.o.rows.At(id)) {
				return
			}
		}
	}
}
