package asks

import "time"

// Place allocates a pending ask on a node. number is its place in the order of allocation over the partition.
func (o *Asks) Place(slot Slot, node int32, number uint64, at time.Duration) {
	r := o.rows.Edit(slot)
	r.Node, r.placement = node, placement{number, at}
}

// RenumberPlacement sets the number and the time of an allocation to those of a restored one.
func (o *Asks) RenumberPlacement(slot Slot, number uint64, at time.Duration) {
	o.rows.Edit(slot).placement = placement{number, at}
}
