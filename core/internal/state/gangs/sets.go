package gangs

import (
	"slices"

	"github.com/quern-project/quern/core/internal/state/apps"
)

// StartSet records that gangs of a set of an application have been placed.
func (o *Gangs) StartSet(id apps.ID, set string) {
	list := o.sets.At(uint32(id))
	if at, known := slices.BinarySearch(list, set); !known {
		o.RestoreSets(id, slices.Insert(slices.Clone(list), at, set))
	}
}

// RestoreSets replaces the sets of an application of which gangs have been placed. They must be sorted; the caller must not change the list
// afterwards.
func (o *Gangs) RestoreSets(id apps.ID, list []string) {
	if len(list) > 0 {
		kept := list // the address of list itself would make every call allocate memory
		o.sets.Set(uint32(id), &kept)
	} else if len(o.sets.At(uint32(id))) > 0 {
		o.sets.Set(uint32(id), nil)
	}
}

// SetStarted reports whether gangs of a set of an application have been placed.
func (v View) SetStarted(id apps.ID, set string) bool {
	_, started := slices.BinarySearch(v.o.sets.At(uint32(id)), set)
	return started
}

// StartedSets lists the sets of an application of which gangs have been placed, sorted. The caller owns the list.
func (v View) StartedSets(id apps.ID) []string { return slices.Clone(v.o.sets.At(uint32(id))) }
