package apps

import "github.com/quern-project/quern/core/internal/state/internal/table"

// Frozen is an immutable version of the applications of a partition. Any goroutine may fork it.
type Frozen struct {
	rows          table.Frozen[App]
	more, carries table.FrozenVectors
	carried       bool
	width         int
	ids           table.FrozenStringColumn
	index         table.FrozenIndex
	details       table.FrozenRecords[Details]
	preempted     table.FrozenColumn[int64]
}

// Freeze returns an immutable version, in constant time.
func (o *Apps) Freeze() *Frozen {
	return &Frozen{
		o.rows.Freeze(), o.more.Freeze(), o.carries.Freeze(), o.carried, o.width, o.ids.Freeze(), o.index.Freeze(), o.details.Freeze(), o.preempted.Freeze(),
	}
}

// Len returns the number of applications.
func (f *Frozen) Len() int { return f.rows.Len() }

// Fork returns an owner that starts with the applications of the version.
func (f *Frozen) Fork() *Apps {
	return &Apps{
		*f.rows.Fork(), f.more.Fork(), f.carries.Fork(), f.carried, f.width, *f.ids.Fork(), *f.index.Fork(), f.details.Fork(), *f.preempted.Fork(),
	}
}
