package claims

import (
	"iter"

	"github.com/quern-project/quern/core/internal/app"
)

// ClaimView reads the claims of a partition.
type ClaimView struct{ o *Claims }

// Len returns the number of claims.
func (v ClaimView) Len() int { return len(v.o.inOrder) }

// All yields the claims in the order in which they were made. The loop must not add or end any.
func (v ClaimView) All() iter.Seq[Claim] { return v.o.each(v.o.inOrder) }

// Impatient returns the number of claims whose asks may be allocated elsewhere.
func (v ClaimView) Impatient() int { return len(v.o.impatient) }

// AllImpatient yields the claims whose asks may be allocated elsewhere, in the order in which they were made.
func (v ClaimView) AllImpatient() iter.Seq[Claim] { return v.o.each(v.o.impatient) }

func (o *Claims) each(list []ID) iter.Seq[Claim] {
	return func(yield func(Claim) bool) {
		for _, id := range list {
			if !yield(o.rows.At(id)) {
				return
			}
		}
	}
}

// First returns the first claim on a node, and whether there is one.
func (v ClaimView) First(node int32) (Claim, bool) {
	id := v.o.onNode.At(uint32(node))
	return v.o.rows.At(id), id != None
}

// On yields the claims on a node: one, or several of one gang.
func (v ClaimView) On(node int32) iter.Seq[Claim] {
	return func(yield func(Claim) bool) {
		for id := v.o.onNode.At(uint32(node)); id != None; {
			c := v.o.rows.At(id)
			if !yield(c) {
				return
			}
			id = c.nextOnNode
		}
	}
}

// Of returns the claim that an ask has on a node, and whether it has one.
func (v ClaimView) Of(ask app.Slot, node int32) (Claim, bool) {
	id := v.o.Of(ask, node)
	return v.o.rows.At(id), id != None
}

// FirstOf returns the first claim of a gang.
func (v ClaimView) FirstOf(g GangID) Claim { return v.o.rows.At(v.o.gangs.At(ID(g)).first) }

// OfGang yields the claims of a gang, in the order in which they were made.
func (v ClaimView) OfGang(g GangID) iter.Seq[Claim] {
	return func(yield func(Claim) bool) {
		for id := v.o.gangs.At(ID(g)).first; id != None; {
			c := v.o.rows.At(id)
			if !yield(c) {
				return
			}
			id = c.nextOfGang
		}
	}
}

// LeavingFor returns the number of a gang's victims that have not left.
func (v ClaimView) LeavingFor(g GangID) int { return int(v.o.gangs.At(ID(g)).leaving) }
