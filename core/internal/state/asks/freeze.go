package asks

import "github.com/quern-project/quern/core/internal/state/internal/table"

// Frozen is an immutable version of the asks of a partition. Any goroutine may fork it.
type Frozen struct {
	rows      table.Frozen[row]
	members   table.FrozenColumn[Member]
	movable   table.FrozenColumn[bool]
	walltimes table.FrozenColumn[Walltime]
	slices    table.FrozenColumn[int32]
	told      table.FrozenColumn[Told]
	preempted table.FrozenColumn[int64]
	ids       table.FrozenStringColumn
	index     table.FrozenIndex
}

// Freeze returns an immutable version, in constant time. The rows of removed asks must have been freed.
func (o *Asks) Freeze() *Frozen {
	return &Frozen{o.rows.Freeze(), o.members.Freeze(), o.movable.Freeze(), o.walltimes.Freeze(), o.slices.Freeze(), o.told.Freeze(), o.preempted.Freeze(), o.ids.Freeze(), o.index.Freeze()}
}

// Len returns the number of asks.
func (f *Frozen) Len() int { return f.rows.Len() }

// Fork returns an owner that starts with the asks of the version, in the same slots.
func (f *Frozen) Fork() *Asks {
	return &Asks{*f.rows.Fork(), *f.members.Fork(), *f.movable.Fork(), *f.walltimes.Fork(), *f.slices.Fork(), *f.told.Fork(), *f.preempted.Fork(), *f.ids.Fork(), *f.index.Fork()}
}
