package queues

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/internal/state/internal/table"
	_ "github.com/quern-project/quern/internal/seeded"

	"github.com/quern-project/quern/core/resource"
)

func TestRows_HoldNoPointers(t *testing.T) {
	for _, err := range []error{table.Flat[row](), table.Flat[excess]()} {
		if err != nil {
			t.Error(err)
		}
	}
}

// model is a plain map of the facts about each leaf, from which every sum is computed anew.
type model struct {
	owner  *Queues
	types  *resource.Types
	leaves map[ID]*facts
}

type facts struct {
	waiting, allocated, leaving, claimed, replacing []resource.Vec
	live, running                                   int
}

// step changes a random fact of a leaf in the owner and in the model.
func (m *model) step(t *rapid.T, leaf ID) {
	f, o := m.leaves[leaf], m.owner
	demand := make(resource.Vec, o.width)
	for i := range demand {
		demand[i] = rapid.OneOf(rapid.Int64Range(0, 9), rapid.Just(int64(math.MaxInt64/8))).Draw(t, "demand")
	}
	addOrRemove := func(list *[]resource.Vec, change func(leaf ID, demand resource.Amounts, more bool)) {
		if n := len(*list); n > 0 && rapid.Bool().Draw(t, "less") {
			change(leaf, (*list)[n-1].Amounts(), false)
			*list = (*list)[:n-1]
			return
		}
		change(leaf, demand.Amounts(), true)
		*list = append(*list, demand)
	}
	switch rapid.IntRange(0, 7).Draw(t, "fact") {
	case 0:
		addOrRemove(&f.waiting, func(leaf ID, demand resource.Amounts, more bool) {
			if more {
				o.Enqueue(leaf, demand)
			} else {
				o.Dequeue(leaf, demand)
			}
		})
	case 1:
		if n := len(f.waiting); n > 0 && len(f.allocated) < 4 { // so that usage does not overflow
			o.Allocate(leaf, f.waiting[n-1].Amounts())
			f.allocated, f.waiting = append(f.allocated, f.waiting[n-1]), f.waiting[:n-1]
		}
	case 2:
		if n := len(f.allocated); n > 0 {
			o.Free(leaf, f.allocated[n-1].Amounts())
			f.allocated = f.allocated[:n-1]
		}
	case 3:
		small := resource.Vec{1}
		o.Restore(leaf, small.Amounts())
		f.allocated = append(f.allocated, small)
	case 4:
		demand = resource.Vec{rapid.Int64Range(0, 9).Draw(t, "future")}
		addOrRemove(&f.leaving, o.AddLeaving)
	case 5:
		demand = resource.Vec{rapid.Int64Range(0, 9).Draw(t, "future")}
		addOrRemove(&f.claimed, o.AddClaim)
		addOrRemove(&f.replacing, o.AddReplacing)
	case 6:
		o.Enter(leaf, None, &Usage{})
		f.live++
	case 7:
		o.AddRunning(leaf, 1, func(id ID, full bool) {
			if most := o.confs[id].MaxApplications; !full || most == 0 {
				t.Fatalf("%s became full: %v, although its maxapplications is %d", o.confs[id].Path, full, most)
			}
		})
		f.running++
	}
}

func sum(list []resource.Vec, t int) (total uint64) {
	for _, v := range list {
		if t < len(v) {
			total += uint64(v[t])
		}
	}
	return total
}

// check compares the sums of every queue with the facts of the leaves below it.
func (m *model) check(t *rapid.T) {
	v := m.owner.View()
	for q := range v.All {
		var all facts
		for leaf, f := range m.leaves {
			if v.Within(leaf, q) {
				all.waiting, all.allocated = append(all.waiting, f.waiting...), append(all.allocated, f.allocated...)
				all.leaving, all.claimed = append(all.leaving, f.leaving...), append(all.claimed, f.claimed...)
				all.replacing, all.live, all.running = append(all.replacing, f.replacing...), all.live+f.live, all.running+f.running
			}
		}
		if v.Asks(q) != len(all.waiting) || v.Allocations(q) != len(all.allocated) || v.Live(q) != all.live || v.Running(q) != all.running {
			t.Fatalf("%s has %d asks, %d allocations, %d applications and %d running, expected %d, %d, %d and %d", v.Path(q),
				v.Asks(q), v.Allocations(q), v.Live(q), v.Running(q), len(all.waiting), len(all.allocated), all.live, all.running)
		}
		for lane := range v.Types() {
			m.checkAmounts(t, q, lane, &all)
		}
	}
}

func (m *model) checkAmounts(t *rapid.T, q ID, lane int, f *facts) {
	v := m.owner.View()
	used, leaves := int64(sum(f.allocated, lane)), int64(sum(f.leaving, lane))
	claims, replaces := int64(sum(f.claimed, lane)), int64(sum(f.replacing, lane))
	more := max(0, claims+replaces-leaves)
	room := int64(resource.Most)
	if most := v.Max(q, lane); most != resource.Unlimited {
		room = max(0, most-more-used)
	}
	for _, tc := range []struct {
		name            string
		found, expected int64
	}{
		{"waiting", v.Waiting(q, lane), int64(min(sum(f.waiting, lane), math.MaxInt64))},
		{"used", v.Used(q, lane), used},
		{"leaving", v.Leaving(q, lane), leaves},
		{"claimed", v.Claimed(q, lane), claims},
		{"future", v.FutureUsage(q, lane), used - leaves + claims + replaces},
		{"taken", v.Taken(q, lane), used + more},
		{"taken by others", v.TakenByOthers(q, lane), used + max(0, replaces-leaves)},
		{"room", v.Room(q, lane), room},
	} {
		if tc.found != tc.expected {
			t.Fatalf("%s of type %d in %s is %d, expected %d", tc.name, lane, v.Path(q), tc.found, tc.expected)
		}
	}
	demand := make(resource.Vec, v.Types())
	demand[lane] = rapid.Int64Range(1, 9).Draw(t, "largest")
	if found := v.MayLimit(q, demand.Amounts()); found != (room < demand[lane]) {
		t.Fatalf("%s with room for %d limits an ask of %d: %v", v.Path(q), room, demand[lane], found)
	}
}

// newModel makes a model with a tree.
func newModel(t *rapid.T) *model {
	m := &model{types: resource.NewTypes(), leaves: map[ID]*facts{}}
	m.types.Intern("vcore")
	m.owner = New(m.types)
	m.build(t, anyQueue(t))
	return m
}

func anyQueue(t *rapid.T) func(path string, leaf bool) *config.Queue {
	return func(path string, leaf bool) *config.Queue {
		c := &config.Queue{Path: path, Leaf: leaf, MaxApplications: rapid.SampledFrom([]uint64{0, 3}).Draw(t, "maxapplications")}
		if rapid.Bool().Draw(t, "max") {
			c.Max = resource.NewSet(resource.Quantity{Type: "vcore", Value: rapid.Int64Range(0, 30).Draw(t, "max")})
		}
		return c
	}
}

// change changes a fact, the types or the tree.
func (m *model) change(t *rapid.T) {
	switch rapid.IntRange(0, 19).Draw(t, "step") {
	case 0:
		m.types.Intern(fmt.Sprint("type", m.types.Len()))
		if m.types.Width() != m.owner.width {
			m.owner.Widen()
		}
	case 1:
		m.build(t, anyQueue(t))
	default:
		m.step(t, rapid.SampledFrom(m.list()).Draw(t, "leaf"))
	}
}

// Compares the sums with a plain model, also after types are added and after the tree is rebuilt.
func TestQueues_EqualAModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := newModel(t)
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			m.change(t)
			m.check(t)
		}
	})
}

// list lists the leaves by path.
func (m *model) list() (list []ID) {
	var below func(q ID)
	below = func(q ID) {
		if m.owner.View().IsLeaf(q) {
			list = append(list, q)
		}
		for child := range m.owner.View().Children(q) {
			below(child)
		}
	}
	below(m.owner.root)
	return list
}

// build rebuilds the tree. Leaves with facts stay; some new ones come.
func (m *model) build(t *rapid.T, conf func(path string, leaf bool) *config.Queue) {
	old := map[string]ID{}
	for leaf := range m.leaves {
		old[m.owner.confs[leaf].Path] = leaf
	}
	b := m.owner.Rebuild()
	root := b.Put(b.Before("root"), conf("root", false), None, Kind{})
	m.owner.SetTotal(resource.Vec{100})
	kept := map[ID]*facts{}
	for _, name := range []string{"b", "a"} {
		path := "root." + name
		parent := b.Put(b.Before(path), conf(path, false), root, Kind{})
		for _, leaf := range []string{"z", "y", "x"} {
			path := path + "." + leaf
			before := old[path]
			if found := b.Before(path); found != before {
				t.Fatalf("%s was queue %d, found %d", path, before, found)
			}
			f := m.leaves[before]
			if f == nil {
				f = &facts{}
			}
			if idle := f.live+f.running+len(f.waiting)+len(f.allocated)+len(f.leaving)+len(f.claimed)+len(f.replacing) == 0; idle && rapid.Bool().Draw(t, "goes") {
				continue
			}
			q := b.Put(before, conf(path, true), parent, Kind{})
			if before != None && q != before {
				t.Fatalf("%s changed its ID from %d to %d", path, before, q)
			}
			kept[q] = f
			b.Count(q)
		}
		b.Count(parent)
	}
	for _, q := range b.End() {
		if _, stays := kept[q]; stays {
			t.Fatalf("queue %d has gone", q)
		}
	}
	m.leaves = kept
	m.owner.Release()
	if len(kept) == 0 {
		q := m.owner.Add(conf("root.c", true), root, Kind{Dynamic: true})
		m.leaves[q] = &facts{}
	}
}
