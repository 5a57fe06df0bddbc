package queues

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/resource"
)

var names = []string{"vcore", "memory", "gpu"}

func types() *resource.Types {
	t := resource.NewTypes()
	for _, n := range names {
		t.Intern(n)
	}
	return t
}

func set(amounts ...int64) resource.Set { // by names; below 0: not set
	var s []resource.Quantity
	for i, a := range amounts {
		if a >= 0 {
			s = append(s, resource.Quantity{Type: names[i], Value: a})
		}
	}
	return resource.NewSet(s...)
}

func TestPriority_SumOrFence(t *testing.T) {
	o := New(types())
	root := o.Add(&config.Queue{Path: "root", PriorityOffset: 5}, None, Kind{})
	if o.View().Priority(root, 3) != 3 {
		t.Error("root's offset counts")
	}
	for _, tc := range []struct {
		offset, inside, expected int32
		fence                    bool
	}{
		{5, 3, 8, false},
		{-10, 1000, -10, true},
		{0, -7, 0, true},
		{1, math.MaxInt32, math.MaxInt32, false},
		{-1, math.MinInt32, math.MinInt32, false},
		{math.MaxInt32, math.MaxInt32, math.MaxInt32, false},
		{math.MinInt32, math.MinInt32, math.MinInt32, false},
		{math.MinInt32, math.MaxInt32, -1, false},
	} {
		q := o.Add(&config.Queue{Path: "root.q", PriorityOffset: tc.offset, PriorityFence: tc.fence}, root, Kind{})
		if found := o.View().Priority(q, tc.inside); found != tc.expected {
			t.Errorf("%+v: found %d", tc, found)
		}
		o.Remove(q)
	}
}

// has gives a queue usage and pending asks, and takes them away again.
func has(o *Queues, q ID, used, waits resource.Vec, do func()) {
	o.Restore(q, used.Amounts())
	o.Enqueue(q, waits.Amounts())
	do()
	o.Free(q, used.Amounts())
	o.Dequeue(q, waits.Amounts())
}

func TestShares_DenominatorByPrecedence(t *testing.T) {
	ty := types()
	total := ty.Vec(set(100, 100, 0), 0)
	o := New(ty)
	root := o.Add(&config.Queue{Path: "root"}, None, Kind{})
	p := o.Add(&config.Queue{Path: "root.p", Max: set(50, -1, -1)}, root, Kind{})
	q := o.Add(&config.Queue{Path: "root.p.q", Guaranteed: set(-1, 10, 0)}, p, Kind{})
	child := o.Add(&config.Queue{Path: "root.p.q.c", Max: set(20, 40, -1)}, q, Kind{})
	for _, tc := range []struct {
		queue        ID
		t            int
		denominator  int64
		used, waits  resource.Set
		fair, wanted int64
	}{
		{root, 0, 100, set(25), set(50), 250_000_000, 500_000_000},
		{p, 0, 50, set(25), set(0, 1), 500_000_000, 10_000_000},
		{q, 1, 10, set(25, 9), nil, 900_000_000, 0},
		{q, 1, 10, set(0, 15), set(0, 300), 1_500_000_000, 3_000_000_000},
		{q, 2, 0, set(0, 0, 1), set(0, 0, 1), 1_000_000_000, 1_000_000_000}, // a guaranteed of 0; a type that the cluster has none of
		{q, 2, 0, nil, nil, 0, 0},
		{child, 0, 20, set(5, 30), set(1, 1, 0), 750_000_000, 10_000_000},
		{child, 2, 0, set(0, 0, 2), nil, 1_000_000_000, 0},
	} {
		v := o.View()
		if found := v.Denominator(tc.queue, tc.t, total); found != tc.denominator {
			t.Errorf("%s: %s is measured by %d, expected %d", v.Path(tc.queue), names[tc.t], found, tc.denominator)
		}
		has(o, tc.queue, ty.Vec(tc.used, 0), ty.Vec(tc.waits, 0), func() {
			if fair, wanted := v.Shares(tc.queue, total); fair != tc.fair || wanted != tc.wanted {
				t.Errorf("%s with %v and %v: the shares are %d and %d, expected %d and %d", v.Path(tc.queue), tc.used, tc.waits, fair, wanted, tc.fair, tc.wanted)
			}
		})
	}
}

func TestShares_OneStepAboveAnotherType(t *testing.T) {
	o := New(types())
	root := o.Add(&config.Queue{Path: "root"}, None, Kind{})
	o.Restore(root, resource.Vec{1, 333_333_334, 0}.Amounts())
	if found, _ := o.View().Shares(root, resource.Vec{3, 1_000_000_000, 1}); found != 333_333_334 {
		t.Errorf("a third rounded down, and 333333334 billionths: found %d", found)
	}
}

func TestShares_LargestOfTheTypes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		amounts := func(what string) resource.Vec {
			v := make(resource.Vec, len(names))
			for i := range v {
				v[i] = rapid.OneOf(rapid.Int64Range(0, 9), rapid.Int64Range(0, math.MaxInt64), rapid.Just(int64(math.MaxInt64))).Draw(t, what)
			}
			return v
		}
		o, total := New(types()), amounts("total")
		root := o.Add(&config.Queue{Path: "root"}, None, Kind{})
		o.Restore(root, amounts("used").Amounts())
		o.Enqueue(root, amounts("waiting").Amounts())
		o.Enqueue(root, amounts("waiting").Amounts()) // the sum may exceed the largest amount
		used, waiting := int64(0), int64(0)
		for i := range names {
			used = max(used, resource.Share(o.View().Used(root, i), total[i]))
			waiting = max(waiting, resource.Share(o.View().Waiting(root, i), total[i]))
		}
		if inUse, pending := o.View().Shares(root, total); inUse != used || pending != waiting {
			t.Fatalf("%v and %v of %v: found %d and %d, expected %d and %d", o.View().AllUsed(root), o.View().AllWaiting(root), total, inUse, pending, used, waiting)
		}
	})
}

func TestRoom_OwnMaxOnly(t *testing.T) {
	ty := types()
	o := New(ty)
	v := o.View()
	root := o.Add(&config.Queue{Path: "root"}, None, Kind{})
	q := o.Add(&config.Queue{Path: "root.q", Max: set(10, -1, 0), MaxApplications: 2}, root, Kind{})
	for _, tc := range []struct {
		used resource.Set
		room []int64
	}{
		{nil, []int64{10, resource.Most, 0}},
		{set(4, 1000, 0), []int64{6, resource.Most, 0}},
		{set(14, 0, 5), []int64{0, resource.Most, 0}},
	} {
		has(o, q, ty.Vec(tc.used, 0), nil, func() {
			if found := []int64{v.Room(q, 0), v.Room(q, 1), v.Room(q, 2)}; !slices.Equal(found, tc.room) {
				t.Errorf("with %v: found %v, expected %v", tc.used, found, tc.room)
			}
		})
	}
	o.Restore(q, ty.Vec(set(4), 0).Amounts())
	for _, tc := range []struct {
		largest resource.Set
		limits  bool
	}{{set(6), false}, {set(7), true}, {set(0, 1<<60), false}, {set(0, 0, 1), true}} {
		if v.MayLimit(q, ty.Vec(tc.largest, 0).Amounts()) != tc.limits {
			t.Errorf("the largest ask is %v: limits is %v", tc.largest, !tc.limits)
		}
	}
}

func TestFull_AtMaxApplications(t *testing.T) {
	o := New(types())
	root := o.Add(&config.Queue{Path: "root"}, None, Kind{})
	q := o.Add(&config.Queue{Path: "root.q", MaxApplications: 2}, root, Kind{})
	var changes []bool
	for _, step := range []int{1, 1, 1, -1, -1} {
		o.AddRunning(q, step, func(id ID, full bool) {
			if id != q {
				t.Error("without a bound, root is full")
			}
			changes = append(changes, full)
		})
		if v := o.View(); v.Full(q) != (v.Running(q) >= 2) || v.Full(root) {
			t.Errorf("%d running of at most 2: full is %v, root is %v", v.Running(q), v.Full(q), v.Full(root))
		}
	}
	if !slices.Equal(changes, []bool{true, false}) {
		t.Errorf("expected that the queue became full and open again, found %v", changes)
	}
}

func TestRemove_StaysReadableUntilRelease(t *testing.T) {
	o := New(types())
	v := o.View()
	root := o.Add(&config.Queue{Path: "root"}, None, Kind{})
	q := o.Add(&config.Queue{Path: "root.q", Leaf: true}, root, Kind{Dynamic: true})
	o.SetOver(q, Over{Tried: true})
	o.Remove(q)
	if !v.IsRemoved(q) || !v.IsLeaf(q) || v.Path(q) != "root.q" || v.Find("root.q") != None || v.NumChildren(root) != 0 || v.NumOver() != 0 {
		t.Error("a removed queue is in the tree, or its properties have gone")
	}
	if other := o.Add(&config.Queue{Path: "root.q"}, root, Kind{}); other == q {
		t.Error("the ID of a removed queue was reused before Release")
	}
	o.Release()
	if again := o.Add(&config.Queue{Path: "root.r"}, root, Kind{}); again != q || v.IsRemoved(q) || v.IsLeaf(q) || v.IsDynamic(q) {
		t.Error("after Release, the ID was not reused, or a property of the removed queue stayed")
	}
}
