package gangs

import (
	"slices"

	"github.com/quern-project/quern/core/internal/state/apps"
	"github.com/quern-project/quern/core/internal/state/internal/table"
	"github.com/quern-project/quern/core/resource"
)

// View reads the gangs of a partition.
type View struct{ o *Gangs }

// Has reports whether an application has placeholders, now or earlier.
func (v View) Has(id apps.ID) bool { return len(v.o.declared.At(uint32(id))) > 0 }

// Of returns the gang of an application, or the zero Gang.
func (v View) Of(id apps.ID) Gang { return v.o.rows.At(uint32(id)) }

// Declared returns the declared sum of the placeholders of an application. The caller owns the set.
func (v View) Declared(id apps.ID) resource.Set { return slices.Clone(v.o.declared.At(uint32(id))) }

// Staying returns the sum of the allocated placeholders that are not leaving. The caller owns the vector.
func (v View) Staying(id apps.ID) resource.Vec {
	list := make(resource.Vec, v.o.width)
	for t := range list {
		list[t] = v.o.staying.At(table.ID(id), t)
	}
	return list
}

// Kept calls yield for each type of the declared sum with how much a Unit has of it, and what it has declared.
func (v View) Kept(id apps.ID, types resource.TypeView, yield func(lane int, has, declared int64)) {
	for _, q := range v.o.declared.At(uint32(id)) {
		if t, known := types.Find(q.Type); known && q.Value > 0 {
			yield(t, v.o.present.At(table.ID(id), t), q.Value)
		}
	}
}

// HasRoom reports whether the allocated placeholders add up to the declared sum, so that the gang is formed.
func (v View) HasRoom(id apps.ID, types *resource.Types) bool {
	for _, q := range v.o.declared.At(uint32(id)) {
		if q.Value <= 0 {
			continue
		}
		if t, known := types.Find(q.Type); !known || v.o.staying.At(table.ID(id), t) < q.Value {
			return false
		}
	}
	return true
}

// Succeeded lists the atomic gangs of an application that have no members, but of which some have succeeded, sorted by ID. The caller
// owns the list.
func (v View) Succeeded(id apps.ID) []Succeeded { return slices.Clone(v.o.succeeded.At(uint32(id))) }
