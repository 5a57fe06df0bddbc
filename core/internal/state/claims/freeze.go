package claims

import (
	"slices"

	"github.com/quern-project/quern/core/internal/state/internal/table"
)

// FrozenReservations is an immutable version of the reservations of a partition. Any goroutine may fork it.
type FrozenReservations struct {
	rows     table.Frozen[Reservation]
	onNode   table.FrozenColumn[ID]
	inOrder  []ID
	required int
}

// Freeze returns an immutable version, in time proportional to the number of reservations.
func (o *Reservations) Freeze() *FrozenReservations {
	return &FrozenReservations{o.rows.Freeze(), o.onNode.Freeze(), slices.Clone(o.inOrder), o.required}
}

// Fork returns an owner that starts with the reservations of the version. Their IDs and references are the same.
func (f *FrozenReservations) Fork() *Reservations {
	return &Reservations{f.rows.Fork(), f.onNode.Fork(), slices.Clone(f.inOrder), f.required}
}

// FrozenClaims is an immutable version of the claims of a partition. Any goroutine may fork it.
type FrozenClaims struct {
	rows               table.Frozen[Claim]
	gangs              table.Frozen[gang]
	onNode             table.FrozenColumn[ID]
	inOrder, impatient []ID
}

// Freeze returns an immutable version, in time proportional to the number of claims.
func (o *Claims) Freeze() *FrozenClaims {
	return &FrozenClaims{o.rows.Freeze(), o.gangs.Freeze(), o.onNode.Freeze(), slices.Clone(o.inOrder), slices.Clone(o.impatient)}
}

// Fork returns an owner that starts with the claims of the version. Their IDs and references are the same.
func (f *FrozenClaims) Fork() *Claims {
	return &Claims{f.rows.Fork(), f.gangs.Fork(), f.onNode.Fork(), slices.Clone(f.inOrder), slices.Clone(f.impatient)}
}
