package class

import (
	"slices"

	"github.com/quern-project/quern/core/resource"
)

// Frozen is an immutable version of the classes of a scheduler, without the asks that they count and the failures that they record. Any
// goroutine may fork it.
type Frozen struct {
	classes []*class // only their shapes, numbers and IDs may be read, which never change
	free    []int32
	nextID  uint64
	largest resource.Vec
}

// Freeze returns an immutable version, in time proportional to the number of classes. It panics if numbers were dropped and not reclaimed.
func (r Registry) Freeze() *Frozen {
	if len(r.dropped) > 0 {
		panic("class: the number of a dropped class may still be read")
	}
	return &Frozen{slices.Clone(r.classes), slices.Clone(r.free), r.nextID, slices.Clone(r.largest)}
}

// Fork returns a registry with the classes of the version, under the same numbers. Count and Enqueue add their asks. types must have the
// types of the original in the same order.
func (f *Frozen) Fork(types *resource.Types) Registry {
	r := NewRegistry(types)
	r.classes, r.free, r.nextID = make([]*class, len(f.classes)), slices.Clone(f.free), f.nextID
	all := make([]class, len(f.classes)) // together, since that takes less time
	for i, was := range f.classes {
		if was == nil {
			continue
		}
		c := &all[i]
		*c = class{
			id: was.id, number: was.number, resources: was.resources, own: was.own, constraints: was.constraints, topology: was.topology,
			node: was.node, predicate: was.predicate, walltime: was.walltime, key: was.key, devices: was.devices,
		}
		r.measure(c)
		r.classes[i], r.byKey[c.key] = c, c
		r.idle++
	}
	copy(r.largest, f.largest)
	return r
}

// Count counts one more ask of a class, whose row names its number already.
func (r Registry) Count(c Class) { r.count(c.class) }
