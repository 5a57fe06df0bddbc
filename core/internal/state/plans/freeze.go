package plans

import "github.com/quern-project/quern/core/internal/state/internal/table"

// Frozen is an immutable version of the plans of a partition. Any goroutine may fork it.
type Frozen struct {
	rows table.Frozen[Plan]
	of   table.FrozenColumn[table.ID]
}

// Freeze returns an immutable version, in constant time.
func (o *Plans) Freeze() *Frozen { return &Frozen{o.rows.Freeze(), o.of.Freeze()} }

// Fork returns an owner that starts with the plans of the version.
func (f *Frozen) Fork() *Plans { return &Plans{rows: f.rows.Fork(), of: f.of.Fork()} }
