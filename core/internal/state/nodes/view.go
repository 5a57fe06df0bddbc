package nodes

import (
	"slices"

	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/hold"
	"github.com/quern-project/quern/core/internal/readonly"
	"github.com/quern-project/quern/core/internal/state/internal/table"
	"github.com/quern-project/quern/core/resource"
)

// View reads the nodes of a partition. Methods with a slot expect one in use; if it is free, the node has no ID and no amounts, and is not
// schedulable.
type View struct{ o *Nodes }

// row returns the row of a node, from which a caller reads fields at once.
func (v View) row(slot int32) *node { return v.o.rows.Peek(rowOf(slot)) }

// Find returns the slot of the node with an ID, or None.
func (v View) Find(id string) int32 {
	return int32(v.o.byID.Find(id, func(row table.ID) bool { return v.o.ids.String(v.o.rows.Peek(row).id) == id })) - 1
}

// Has reports whether there is a node in a slot.
func (v View) Has(slot int32) bool { return v.Membership(slot) != 0 }

// Len returns the number of nodes.
func (v View) Len() int { return v.o.rows.Len() - len(v.o.removed) }

// Slots returns one more than the largest slot ever used.
func (v View) Slots() int { return int(v.o.slots) }

// Width returns the length of vectors.
func (v View) Width() int { return len(v.o.total) }

// TotalOf returns the sum of the nodes' capacities of a type.
func (v View) TotalOf(t int) int64 { return v.o.total[t] }

// Total returns the sum of the nodes' capacities. The caller owns the vector.
func (v View) Total() resource.Vec { return slices.Clone(v.o.total) }

// ID returns the ID of a node.
func (v View) ID(slot int32) string { return v.o.ids.String(v.row(slot).id) }

// State is how a node is to be treated in searches.
type State struct {
	Membership  uint32     // see View.Membership
	Hold        hold.State // see View.Hold
	Schedulable bool
}

// State returns the state of a node, faster than View's other methods do together.
func (v View) State(slot int32) State {
	n := v.row(slot)
	return State{n.membership, n.hold, n.schedulable}
}

// Available reports whether the free room of the node counts: it is schedulable and not claimed.
func (s State) Available() bool { return s.Schedulable && !s.Hold.IsClaimed() }

// Schedulable reports whether a node takes allocations.
func (v View) Schedulable(slot int32) bool { return v.row(slot).schedulable }

// Hold returns how a node is held. A search returns a reserved node only to asks that may take it, and not at all if its ask requires the
// node. It never returns a claimed node, whose room does not count as free.
func (v View) Hold(slot int32) hold.State { return v.row(slot).hold }

// Available reports whether the free room of a node counts: it is schedulable and not claimed.
func (v View) Available(slot int32) bool { return v.State(slot).Available() }

// GrownAt returns the number of the event at which the room of a node last grew.
func (v View) GrownAt(slot int32) uint64 { return v.row(slot).grownAt }

// AwaitsTasks reports whether tasks will be allocated on a node once placeholders have left.
func (v View) AwaitsTasks(slot int32) bool { return v.row(slot).tasks > 0 }

// Membership returns the number of a node with its present attributes. Each Relabel of any node, and each new node, gets the next number.
// It is 0 if there is no node in the slot.
func (v View) Membership(slot int32) uint32 { return v.row(slot).membership }

// Attribute returns the value of an attribute, and whether the node has it.
func (v View) Attribute(slot int32, name string) (value string, has bool) {
	return v.o.attributes.find(v.row(slot).attributes, name)
}

// Attributes returns all attributes of a node, or nil if none were ever given. The caller owns the map.
func (v View) Attributes(slot int32) map[string]string {
	return v.o.attributes.all(v.row(slot).attributes)
}

// Allows reports whether a node meets all constraints.
func (v View) Allows(slot int32, constraints readonly.List[class.Constraint]) bool {
	_, fails := v.FailsOn(slot, constraints)
	return !fails
}

// FailsOn returns the attribute of the first constraint that a node does not meet, if there is one.
func (v View) FailsOn(slot int32, constraints readonly.List[class.Constraint]) (attribute string, fails bool) {
	for i := range constraints.Len() {
		k := constraints.At(i)
		if k.ByID {
			if !k.Allows(v.ID(slot)) {
				return "node", true
			}
			continue
		}
		if value, has := v.Attribute(slot, k.Attribute); !has || !k.Allows(value) {
			return k.Attribute, true
		}
	}
	return "", false
}
