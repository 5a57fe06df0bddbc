package gangs

import (
	"github.com/quern-project/quern/core/internal/state/internal/table"
	"github.com/quern-project/quern/core/resource"
)

// Frozen is an immutable version of the gangs of a partition. Any goroutine may fork it.
type Frozen struct {
	rows      table.FrozenColumn[Gang]
	declared  table.FrozenRecords[resource.Set]
	staying   table.FrozenVectors
	present   table.FrozenVectors
	succeeded table.FrozenRecords[[]Succeeded]
	sets      table.FrozenRecords[[]string]
	width     int
}

// Freeze returns an immutable version, in constant time.
func (o *Gangs) Freeze() *Frozen {
	return &Frozen{o.rows.Freeze(), o.declared.Freeze(), o.staying.Freeze(), o.present.Freeze(), o.succeeded.Freeze(), o.sets.Freeze(), o.width}
}

// Fork returns an owner that starts with the gangs of the version.
func (f *Frozen) Fork() *Gangs {
	return &Gangs{*f.rows.Fork(), f.declared.Fork(), f.staying.Fork(), f.present.Fork(), f.succeeded.Fork(), f.sets.Fork(), f.width}
}
