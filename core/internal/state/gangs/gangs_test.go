package gangs

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/quern-project/quern/core/internal/state/apps"
	"github.com/quern-project/quern/core/internal/state/internal/table"
	"github.com/quern-project/quern/core/resource"
	_ "github.com/quern-project/quern/internal/seeded"
)

func TestRows_HoldNoPointers(t *testing.T) {
	if err := table.Flat[Gang](); err != nil {
		t.Error(err)
	}
}

// model is what an owner must have of one application.
type model struct {
	declared resource.Set
	gang     Gang
	staying  resource.Vec
	leaving  int
}

func TestGangs_EqualAMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o, models := New(2), map[apps.ID]*model{}
		var frozen *Frozen
		var then map[apps.ID]model
		for range rapid.IntRange(1, 80).Draw(t, "steps") {
			id := apps.ID(rapid.IntRange(1, 70).Draw(t, "application"))
			m := models[id]
			if m == nil {
				m = &model{resource.NewSet(resource.Quantity{Type: "vcore", Value: 3}), Gang{Hard: id%2 == 0, Timeout: time.Duration(id)}, make(resource.Vec, 2), 0}
				models[id] = m
				o.Declare(id, m.declared, m.gang)
			}
			change(t, o, id, m)
			if m.gang == (Gang{}) {
				delete(models, id)
			}
			if rapid.IntRange(0, 9).Draw(t, "freeze") == 0 {
				frozen, then = o.Freeze(), map[apps.ID]model{}
				for id, m := range models {
					then[id] = model{m.declared, m.gang, slices.Clone(m.staying), m.leaving}
				}
			}
		}
		for id := apps.ID(1); id <= 70; id++ {
			checkEqual(t, o.View(), id, models[id])
		}
		if frozen == nil {
			return
		}
		for id := apps.ID(1); id <= 70; id++ {
			m, has := then[id]
			if !has {
				checkEqual(t, frozen.Fork().View(), id, nil)
			} else {
				checkEqual(t, frozen.Fork().View(), id, &m)
			}
		}
	})
}

// change makes one change of an application.
func change(t *rapid.T, o *Gangs, id apps.ID, m *model) {
	demand := resource.Vec{1, 2}
	switch rapid.IntRange(0, 8).Draw(t, "change") {
	case 0:
		o.Enqueue(id, true)
		m.gang.Pending++
	case 1:
		o.Enqueue(id, false)
		m.gang.Tasks++
	case 2:
		if m.gang.Pending > 0 {
			o.Dequeue(id, true)
			m.gang.Pending--
		}
	case 3:
		if m.gang.Tasks > 0 {
			o.FreeTask(id)
			m.gang.Tasks--
		}
	case 4:
		o.Place(id, demand.Amounts())
		m.gang.Allocated++
		m.staying.Add(demand.Amounts())
	case 5:
		if int(m.gang.Allocated) > m.leaving {
			o.Leave(id, demand.Amounts())
			m.leaving++
			m.staying.Sub(demand.Amounts())
		}
	case 6:
		if m.leaving > 0 {
			o.Free(id)
			m.leaving--
			m.gang.Allocated--
		}
	case 7:
		o.Edit(id).Formed = true
		m.gang.Formed = true
	case 8:
		o.Forget(id)
		*m = model{}
	}
}

func checkEqual(t *rapid.T, v View, id apps.ID, m *model) {
	if m == nil {
		if v.Has(id) || v.Of(id) != (Gang{}) {
			t.Fatalf("application %d: expected no gang, found %+v", id, v.Of(id))
		}
		return
	}
	if !v.Has(id) || v.Of(id) != m.gang || !slices.Equal(v.Staying(id), m.staying) || !slices.Equal(v.Declared(id), m.declared) {
		t.Fatalf("application %d: expected %+v, found %+v, %v, %v", id, m, v.Of(id), v.Staying(id), v.Declared(id))
	}
	types := resource.NewTypes()
	types.Intern("vcore")
	if v.HasRoom(id, types) != (m.staying[0] >= 3) {
		t.Fatalf("application %d: with %d of 3 vcore, HasRoom is %v", id, m.staying[0], v.HasRoom(id, types))
	}
}

func TestSucceeded_IsSortedAndForgotten(t *testing.T) {
	o := New(1)
	o.SetSucceeded(1, []Succeeded{{ID: "b", Count: 1}})
	o.AddSucceeded(1, Succeeded{ID: "c", Count: 3})
	frozen := o.Freeze()
	o.AddSucceeded(1, Succeeded{ID: "a", Min: 2, Count: 2})
	if g, known := o.TakeSucceeded(1, "b"); !known || g.Count != 1 {
		t.Errorf("found %+v, %v", g, known)
	}
	if _, known := o.TakeSucceeded(1, "b"); known {
		t.Error("a gang that was taken is still there")
	}
	if list := o.View().Succeeded(1); !slices.Equal(list, []Succeeded{{"a", 2, 2}, {"c", 0, 3}}) {
		t.Errorf("found %+v", list)
	}
	if list := frozen.Fork().View().Succeeded(1); !slices.Equal(list, []Succeeded{{"b", 0, 1}, {"c", 0, 3}}) {
		t.Errorf("the version has %+v", list)
	}
	list := o.View().Succeeded(1)
	list[0].Count = 9
	if o.View().Succeeded(1)[0].Count != 2 {
		t.Error("a reader has changed the list of the owner")
	}
	if o.Forget(1); len(o.View().Succeeded(1)) > 0 {
		t.Error("the list outlives its application")
	}
}
