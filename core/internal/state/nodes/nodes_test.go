package nodes

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/quern-project/quern/internal/seeded"

	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/hold"
	"github.com/quern-project/quern/core/internal/readonly"
	"github.com/quern-project/quern/core/resource"
)

func TestTasks_RoomOfTasksIsNotFree(t *testing.T) {
	o := New(1)
	v, n := o.View(), o.Add(&Node{ID: "n", Capacity: resource.Vec{10}, Occupied: resource.Vec{1}})
	o.Allocate(n, resource.Vec{4}.Amounts())
	expect := func(free, future int64) {
		t.Helper()
		if v.Free(n, 0) != free || v.FutureRoom(n, 0) != future {
			t.Fatalf("expected %d free and %d in future, found %d and %d", free, future, v.Free(n, 0), v.FutureRoom(n, 0))
		}
	}
	expect(5, 5)
	o.AddTask(n, resource.Vec{3}.Amounts(), resource.Vec{4}.Amounts()) // smaller than its placeholder here
	expect(5, 2)
	o.AddTask(n, resource.Vec{2}.Amounts(), resource.Amounts{}) // its placeholder is elsewhere
	expect(3, 0)
	if free := v.FreeWithout(n, 0, 4); free != 7 {
		t.Fatalf("expected 7 free without the placeholder, found %d", free)
	}
	o.SubTask(n, resource.Vec{3}.Amounts(), resource.Vec{4}.Amounts())
	o.AddTask(n, resource.Vec{3}.Amounts(), resource.Amounts{}) // the placeholder has left
	o.Release(n, resource.Vec{4}.Amounts())
	expect(4, 4)
	o.SubTask(n, resource.Vec{3}.Amounts(), resource.Amounts{})
	o.SubTask(n, resource.Vec{2}.Amounts(), resource.Amounts{})
	expect(9, 9)
	if v.AwaitsTasks(n) {
		t.Fatal("expected no task")
	}
}

func TestRemove_SlotStaysReadableUntilReclaim(t *testing.T) {
	o := New(1)
	v := o.View()
	first := o.Add(&Node{ID: "a", Capacity: resource.Vec{7}, Attributes: map[string]string{"zone": "x"}, Schedulable: true})
	membership := v.Membership(first)
	o.Reserve(first, true)
	o.Drain(first)
	o.Remove(first)
	if v.Find("a") != None || v.Has(first) || v.Len() != 0 || v.Total()[0] != 0 || v.Membership(first) != 0 {
		t.Error("the removed node is still there")
	}
	zone, _ := v.Attribute(first, "zone")
	if v.ID(first) != "a" || v.Hold(first) != hold.Required || v.Capacity(first)[0] != 7 || zone != "x" {
		t.Error("the removed node cannot be read")
	}
	if second := o.Add(&Node{ID: "a"}); second == first {
		t.Error("the slot is reused before followers have read the removal")
	}
	o.Reclaim()
	if v.ID(first) != "" || v.Capacity(first)[0] != 0 || v.Attributes(first) != nil {
		t.Error("the free slot has remains of its node")
	}
	third := o.Add(&Node{ID: "c"})
	if third != first || v.Hold(third) != hold.None || v.GrownAt(third) != 0 || v.Membership(third) == membership {
		t.Error("expected the reused slot to be that of a new node")
	}
}

func TestAttributes_EqualSetsAreStoredOnceAndFreed(t *testing.T) {
	o := New(1)
	v := o.View()
	var slots []int32
	for i := range 30 {
		slots = append(slots, o.Add(&Node{ID: fmt.Sprint("n", i), Attributes: map[string]string{"zone": fmt.Sprint("z", i%3), "model": "m"}}))
	}
	count := func(sets, pairs, texts int) {
		t.Helper()
		if x := &o.attributes; x.sets.Len() != sets || x.pairs.Len() != pairs || x.texts.Len() != texts || x.byKey.Len() != sets {
			t.Errorf("expected %d sets of %d attributes with %d texts, found %d, %d and %d", sets, pairs, texts, x.sets.Len(), x.pairs.Len(), x.texts.Len())
		}
	}
	count(3, 6, 6)
	constraints := readonly.Of([]class.Constraint{{Attribute: "model", Values: readonly.Of([]string{"m"})}, {Attribute: "zone", Values: readonly.Of([]string{"z0", "z2"})}})
	if failed, _ := v.FailsOn(slots[1], constraints); !v.Allows(slots[0], constraints) || failed != "zone" {
		t.Error("expected zones z0 and z2 alone to be allowed")
	}
	for i, n := range slots {
		if i%3 == 0 {
			o.Relabel(n, nil)
		} else {
			o.Remove(n)
		}
	}
	o.Reclaim()
	count(0, 0, 0)
	if o.ids.Len() != 10 || v.Attributes(slots[0]) != nil {
		t.Errorf("expected 10 IDs and no attributes, found %d and %v", o.ids.Len(), v.Attributes(slots[0]))
	}
}

func TestFailsOn_FirstConstraintWithoutAValue(t *testing.T) {
	o := New(1)
	v, n := o.View(), o.Add(&Node{ID: "n"})
	zone, model := class.Constraint{Attribute: "zone", Values: readonly.Of([]string{"x", "y"})}, class.Constraint{Attribute: "model", Values: readonly.Of([]string{"T4"})}
	never := class.Constraint{Attribute: "none"}
	for _, tc := range []struct {
		constraints []class.Constraint
		attributes  map[string]string
		fails       string // empty: it meets all
	}{
		{[]class.Constraint{model, zone}, map[string]string{"zone": "x", "model": "T4", "more": ""}, ""},
		{[]class.Constraint{model, zone}, map[string]string{"zone": "y", "model": "T4"}, ""},
		{[]class.Constraint{model, zone}, map[string]string{"zone": "z", "model": "T4"}, "zone"},
		{[]class.Constraint{model, zone}, map[string]string{"zone": "z"}, "model"},
		{[]class.Constraint{model, zone}, nil, "model"},
		{[]class.Constraint{model, never, zone}, map[string]string{"zone": "x", "model": "T4", "none": ""}, "none"},
	} {
		o.Relabel(n, tc.attributes)
		constraints := readonly.Of(tc.constraints)
		failed, fails := v.FailsOn(n, constraints)
		if failed != tc.fails || fails != (failed != "") || v.Allows(n, constraints) == fails {
			t.Errorf("%v: expected it to fail on %q, found %q", tc.attributes, tc.fails, failed)
		}
	}
}

// plainNode is a node of the model with which the owner is compared.
type plainNode struct {
	node                          Node
	used, leaving, landing, extra int64
	hold                          hold.State
	grownAt                       uint64
	tasks                         [][2]int64 // demand and placeholder
}

func TestNodes_EqualAPlainModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o, model, width := New(1), map[string]*plainNode{}, 1
		roll := func(what string, n int) int { return rapid.IntRange(0, n-1).Draw(t, what) }
		for range rapid.IntRange(1, 80).Draw(t, "steps") {
			width = step(o, model, width, roll)
			compare(t, o.View(), model, width)
		}
	})
}

// step changes the owner and the model. It returns the number of resource types.
func step(o *Nodes, model map[string]*plainNode, width int, roll func(string, int) int) int {
	id := fmt.Sprint("n", roll("node", 9))
	n := model[id]
	if n == nil {
		n = &plainNode{node: Node{ID: id, Capacity: anyVec(roll, width), Occupied: anyVec(roll, width), Attributes: anyAttributes(roll), Schedulable: roll("schedulable", 2) == 0}}
		model[id] = n
		o.Add(&n.node)
	} else if change(o, n, roll) {
		delete(model, id)
	}
	if roll("widen", 20) == 0 {
		width += 3
		o.Widen(width)
	}
	if roll("reclaim", 3) == 0 {
		o.Reclaim()
	}
	return width
}

func anyVec(roll func(string, int) int, width int) resource.Vec {
	v := make(resource.Vec, width)
	for i := range v {
		v[i] = int64(roll("amount", 20))
	}
	return v
}

func anyAttributes(roll func(string, int) int) map[string]string {
	attributes := map[string]string{}
	for _, name := range []string{"zone", "model", "a long name of an attribute"} {
		if value := roll(name, 3); value > 0 {
			attributes[name] = fmt.Sprint("value ", value)
		}
	}
	return attributes
}

// change changes a node in the owner and in the model. It reports whether it has removed the node.
func change(o *Nodes, n *plainNode, roll func(string, int) int) (removed bool) {
	slot, amount := o.View().Find(n.node.ID), int64(1+roll("demand", 5))
	demand := resource.Vec{amount}
	switch roll("what", 12) {
	case 0:
		o.Remove(slot)
		return true
	case 1:
		n.node.Capacity = anyVec(roll, len(o.total))
		o.Resize(slot, n.node.Capacity)
	case 2:
		n.node.Occupied = anyVec(roll, len(o.total))
		o.Occupy(slot, n.node.Occupied)
	case 3:
		n.node.Attributes = anyAttributes(roll)
		o.Relabel(slot, n.node.Attributes)
	case 4:
		o.Drain(slot)
		if n.node.Schedulable = roll("resume", 2) == 0; n.node.Schedulable {
			o.Resume(slot)
		}
	case 5:
		n.used += amount
		o.Allocate(slot, demand.Amounts())
	case 6:
		n.used -= amount
		o.Release(slot, demand.Amounts())
	case 7:
		n.leaving += amount
		o.AddLeaving(slot, demand.Amounts())
	case 8:
		n.grownAt = uint64(amount)
		o.Grow(slot, n.grownAt)
	case 9:
		changeTasks(o, n, slot, [2]int64{amount, int64(roll("placeholder", 5))})
	case 10:
		if n.hold.IsReserved() {
			n.hold = n.hold.Unreserve()
			o.Unreserve(slot)
		} else {
			n.hold = n.hold.Reserve(amount > 2)
			o.Reserve(slot, amount > 2)
		}
	default:
		if n.hold.IsClaimed() {
			n.hold = n.hold.Unclaim()
			o.Unclaim(slot)
		} else {
			n.hold = n.hold.Claim()
			o.Claim(slot)
		}
	}
	return false
}

// changeTasks adds a task, or removes the first one if there are two.
func changeTasks(o *Nodes, n *plainNode, slot int32, task [2]int64) {
	if len(n.tasks) < 2 {
		n.tasks = append(n.tasks, task)
		n.landing, n.extra = n.landing+task[0], n.extra+max(0, task[0]-task[1])
		o.AddTask(slot, resource.Vec{task[0]}.Amounts(), resource.Vec{task[1]}.Amounts())
		return
	}
	task, n.tasks = n.tasks[0], n.tasks[1:]
	n.landing, n.extra = n.landing-task[0], n.extra-max(0, task[0]-task[1])
	o.SubTask(slot, resource.Vec{task[0]}.Amounts(), resource.Vec{task[1]}.Amounts())
}

func compare(t *rapid.T, v View, model map[string]*plainNode, width int) {
	total := make(resource.Vec, width)
	for id, n := range model {
		slot := v.Find(id)
		if slot == None || !v.Has(slot) || v.ID(slot) != id {
			t.Fatalf("node %q is not found", id)
		}
		total.Add(n.node.Capacity.Amounts())
		capacity, occupied := n.node.Capacity[0], n.node.Occupied[0]
		expected := fmt.Sprint(capacity, occupied, n.used, max(0, capacity-n.used-occupied-n.extra), max(0, capacity-occupied),
			capacity-occupied-n.used+n.leaving-n.landing, n.leaving > 0, len(n.tasks) > 0, n.grownAt, n.hold, n.node.Schedulable, n.node.Schedulable && !n.hold.IsClaimed())
		free, room, amounts := make([]int64, width), make([]int64, width), v.Amounts(slot)
		for lane := range free {
			free[lane] = amounts.Free(lane)
			if amounts.Capacity(lane) != v.CapacityOf(slot, lane) || amounts.Taken(lane) != v.TakenOf(slot, lane) {
				t.Fatalf("node %q: amounts of type %d differ", id, lane)
			}
		}
		v.WriteFutureRoom(slot, room)
		found := fmt.Sprint(v.CapacityOf(slot, 0), v.OccupiedOf(slot, 0), v.Used(slot)[0], free[0], v.Empty(slot, 0),
			room[0], v.Leaves(slot), v.AwaitsTasks(slot), v.GrownAt(slot), v.Hold(slot), v.Schedulable(slot), v.Available(slot))
		if found != expected {
			t.Fatalf("node %q: expected %s, found %s", id, expected, found)
		}
		if !maps.Equal(v.Attributes(slot), n.node.Attributes) {
			t.Fatalf("node %q: expected attributes %v, found %v", id, n.node.Attributes, v.Attributes(slot))
		}
		for lane := range free {
			more := make(resource.Vec, len(free))
			more[lane] = max(free[lane], 0) + 1
			c := class.Together(more)
			if v.Free(slot, lane) != free[lane] || v.FutureRoom(slot, lane) != room[lane] || v.Fits(slot, c) || v.FitsEmpty(slot, c) != (v.Empty(slot, lane) >= more[lane]) {
				t.Fatalf("node %q: amounts of type %d contradict each other", id, lane)
			}
		}
	}
	if !slices.Equal(v.Total(), total) || v.Len() != len(model) {
		t.Fatalf("expected %d nodes with %v, found %d with %v", len(model), total, v.Len(), v.Total())
	}
}

// What a view returns cannot change the owner: values, and copies of maps and vectors.
func TestView_ReturnsCopies(t *testing.T) {
	o := New(1)
	v, n := o.View(), o.Add(&Node{ID: "n", Capacity: resource.Vec{5}, Attributes: map[string]string{"a": "b"}})
	v.Total()[0], v.Capacity(n)[0], v.Attributes(n)["a"] = 1, 1, "c"
	if v.Total()[0] != 5 || v.Capacity(n)[0] != 5 || v.Attributes(n)["a"] != "b" {
		t.Error("a change of a result has changed the owner")
	}
	for i := range reflect.TypeFor[View]().NumMethod() {
		m := reflect.TypeFor[View]().Method(i)
		for k := range m.Type.NumOut() {
			if kind := m.Type.Out(k).Kind(); kind == reflect.Func || kind == reflect.Chan || kind == reflect.Interface {
				t.Errorf("%s returns a %s", m.Name, kind)
			}
		}
	}
}
