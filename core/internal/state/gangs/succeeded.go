package gangs

import (
	"cmp"
	"slices"

	"github.com/quern-project/quern/core/internal/state/apps"
)

// Succeeded is an atomic gang without members of which some have succeeded.
type Succeeded struct {
	ID    string
	Min   int // number of members that must be allocated or have succeeded; 0 if unknown, since they succeeded before a restart
	Count int // number of succeeded members, at least 1
}

// SetSucceeded replaces the list of an application, which must be sorted by ID. The caller must not change it afterwards.
func (o *Gangs) SetSucceeded(id apps.ID, list []Succeeded) {
	if len(list) > 0 {
		kept := list // the address of list itself would make every call allocate memory
		o.succeeded.Set(uint32(id), &kept)
	} else if len(o.succeeded.At(uint32(id))) > 0 {
		o.succeeded.Set(uint32(id), nil)
	}
}

// AddSucceeded adds a gang that is not in the list of an application.
func (o *Gangs) AddSucceeded(id apps.ID, g Succeeded) {
	list := o.View().Succeeded(id)
	i, _ := find(list, g.ID)
	o.SetSucceeded(id, slices.Insert(list, i, g))
}

// TakeSucceeded removes a gang from the list of an application and returns it.
func (o *Gangs) TakeSucceeded(id apps.ID, gang string) (g Succeeded, known bool) {
	i, known := find(o.succeeded.At(uint32(id)), gang)
	if !known {
		return Succeeded{}, false
	}
	list := o.View().Succeeded(id)
	g = list[i]
	o.SetSucceeded(id, slices.Delete(list, i, i+1))
	return g, true
}

func find(list []Succeeded, id string) (int, bool) {
	return slices.BinarySearchFunc(list, id, func(g Succeeded, id string) int { return cmp.Compare(g.ID, id) })
}
