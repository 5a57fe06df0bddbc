package quota

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/quern-project/quern/internal/seeded"

	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/state/apps"
	"github.com/quern-project/quern/core/internal/state/asks"
	"github.com/quern-project/quern/core/internal/state/gangs"
	"github.com/quern-project/quern/core/internal/state/queues"
	"github.com/quern-project/quern/core/resource"
)

// tree has queues with allocations: root, a queue, and its leaves.
type tree struct {
	types       *resource.Types
	classes     class.Registry
	askOwner    *asks.Asks
	asks        *app.Owner
	values      *apps.Apps
	owner       *queues.Queues
	view        queues.View
	root, top   queues.ID
	leaves      []queues.ID
	apps        map[queues.ID]*app.OwnedLeaf
	allocations []app.Ask
	queueOf     map[app.Ask]queues.ID
}

func newTree(guaranteed resource.Set, leaves ...resource.Set) *tree {
	t := &tree{types: resource.NewTypes(), apps: map[queues.ID]*app.OwnedLeaf{}, queueOf: map[app.Ask]queues.ID{}}
	t.types.Admit(amounts(1, 1))
	t.classes, t.askOwner = class.NewRegistry(t.types), asks.New()
	t.values = apps.New(t.types.Width())
	t.asks = app.NewOwner(t.askOwner.View(), t.values.View(), gangs.View{}, t.classes.View())
	t.owner = queues.New(t.types)
	t.view = t.owner.View()
	t.root = t.owner.Add(&config.Queue{Path: "root"}, queues.None, queues.Kind{})
	t.top = t.owner.Add(&config.Queue{Path: "root.q", Guaranteed: guaranteed}, t.root, queues.Kind{})
	for i, set := range leaves {
		leaf := t.owner.Add(&config.Queue{Path: fmt.Sprintf("root.q.%c", 'a'+i), Leaf: true, Guaranteed: set}, t.top, queues.Kind{})
		t.leaves = append(t.leaves, leaf)
		t.apps[leaf] = app.NewLeaf(t.types)
	}
	return t
}

func amounts(vcore, memory int64) resource.Set {
	return resource.NewSet(resource.Quantity{Type: "memory", Value: memory}, resource.Quantity{Type: "vcore", Value: vcore})
}

// add allocates in an application of its own.
func (t *tree) add(leaf queues.ID, set resource.Set, node string) app.Ask {
	a := t.asks.NewApp(t.values.Add(fmt.Sprint("app", len(t.allocations)), apps.App{Seq: uint64(len(t.allocations) + 1)}, &apps.Details{}))
	t.apps[leaf].Admit(a.App())
	c := t.classes.Of(&class.Shape{Resources: set, Node: node})
	v := t.asks.Begin(t.askOwner.Add(fmt.Sprint("k", len(t.allocations)), asks.Ask{App: int32(a.Number()), Class: c.Number()}))
	t.askOwner.Place(v.Slot(), 0, uint64(len(t.allocations)+1), 0)
	a.AddPlaced(v, 0)
	t.owner.Restore(leaf, v.Class().Demand())
	t.allocations = append(t.allocations, v)
	t.queueOf[v] = leaf
	return v
}

func (t *tree) leave(v app.Ask) {
	t.askOwner.MarkLeaving(v.Slot())
	t.owner.AddLeaving(t.queueOf[v], v.Class().Demand(), true)
}

func (t *tree) choose(excess resource.Vec) []app.Ask {
	return Choose(t.view, t.top, excess, func(q queues.ID) app.Leaf { return t.apps[q].Leaf() }, nil)
}

// lawful reports whether a set may be released: no allocation is leaving or has a required node, and no queue falls below its guarantee for a
// type that the set uses there.
func (t *tree) lawful(set []app.Ask) bool {
	for _, q := range append([]queues.ID{t.root, t.top}, t.leaves...) {
		left, used := make(resource.Vec, t.types.Width()), make(resource.Vec, t.types.Width())
		for _, v := range t.allocations {
			if !t.view.Within(t.queueOf[v], q) || v.Leaving() {
				continue
			}
			if slices.Contains(set, v) {
				used.Add(v.Class().Demand())
			} else {
				left.Add(v.Class().Demand())
			}
		}
		for lane := range left {
			if promise := t.view.Guaranteed(q, lane); used[lane] > 0 && promise > 0 && left[lane] < promise {
				return false
			}
		}
	}
	return !slices.ContainsFunc(set, func(v app.Ask) bool { return v.Leaving() || v.Class().Node() != "" })
}

// missing returns the excess that remains without a set.
func missing(excess resource.Vec, set []app.Ask) resource.Vec {
	left := slices.Clone(excess)
	for _, v := range set {
		left.Sub(v.Class().Demand())
	}
	for i := range left {
		left[i] = max(0, left[i])
	}
	return left
}

func without(set []app.Ask, i int) []app.Ask { return slices.Delete(slices.Clone(set), i, i+1) }

func drawTree(t *rapid.T) *tree {
	n := func(label string, most int) int64 { return rapid.Int64Range(0, int64(most)).Draw(t, label) }
	var leaves []resource.Set
	for range 1 + n("leaves", 2) {
		leaves = append(leaves, amounts(n("guaranteed", 3), n("guaranteed memory", 2)))
	}
	tr := newTree(amounts(n("top", 4), n("top memory", 2)), leaves...)
	for range n("allocations", 10) {
		node := ""
		if n("bound", 9) == 9 {
			node = "n"
		}
		v := tr.add(tr.leaves[int(n("leaf", len(leaves)-1))], amounts(1+n("vcores", 2), n("memory", 2)), node)
		tr.askOwner.SetPriority(v.Slot(), int32(n("priority", 2)))
		tr.askOwner.Protect(v.Slot(), n("originator", 5) == 5, n("opted out", 5) == 5)
		if n("leaves already", 9) == 9 {
			tr.leave(v)
		}
	}
	return tr
}

// The choice is compared with every set of allocations.
func TestARoundIsLawfulAndTakesNothingThatIsNeedless(t *testing.T) {
	taken, short := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		tr := drawTree(t)
		bound := tr.types.Vec(amounts(rapid.Int64Range(0, 6).Draw(t, "max"), rapid.Int64Range(0, 6).Draw(t, "max memory")), 0)
		excess := tr.view.ExcessOver(tr.top, bound)
		if excess == nil {
			t.Skip("no excess")
		}
		victims := tr.choose(excess)
		taken += len(victims)
		if !tr.lawful(victims) {
			t.Fatalf("a queue goes below its guaranteed: %v", ids(victims))
		}
		left := missing(excess, victims)
		for i, v := range victims {
			if slices.Equal(missing(excess, without(victims, i)), left) {
				t.Errorf("%s is needless in %v", v.ID(), ids(victims))
			}
			if i > 0 && victims[i-1].Placed() > v.Placed() {
				t.Errorf("not in order of allocation: %v", ids(victims))
			}
		}
		if slices.Max(left) > 0 {
			short++
		}
		for set := range 1 << len(tr.allocations) {
			var other []app.Ask
			for i, v := range tr.allocations {
				if set&(1<<i) != 0 {
					other = append(other, v)
				}
			}
			less := !slices.Equal(missing(excess, other), excess)
			if len(victims) == 0 && less && tr.lawful(other) {
				t.Fatalf("nothing is taken, and %v may be", ids(other))
			}
			if len(other) < len(victims) && subset(other, victims) && slices.Equal(missing(excess, other), left) {
				t.Fatalf("%v are taken, and %v would do", ids(victims), ids(other))
			}
		}
	})
	t.Logf("%d victims; %d rounds leave an excess", taken, short)
}

func subset(set, of []app.Ask) bool {
	return !slices.ContainsFunc(set, func(v app.Ask) bool { return !slices.Contains(of, v) })
}

func ids(set []app.Ask) []string {
	var list []string
	for _, v := range set {
		list = append(list, v.ID())
	}
	return list
}

func TestSharesAreRoundedDownOnBothSidesOfZero(t *testing.T) {
	for _, c := range []struct{ amount, whole, want int64 }{
		{0, 3, 0}, {1, 3, 333_333_333}, {3, 3, 1_000_000_000}, {-1, 3, -333_333_334}, {-3, 3, -1_000_000_000},
		{resource.Most, resource.Most, 1_000_000_000}, {-resource.Most, resource.Most, -1_000_000_000}, {-1, resource.Most, -1},
	} {
		if got := billionths(c.amount, c.whole); got != c.want {
			t.Errorf("%d of %d: %d, want %d", c.amount, c.whole, got, c.want)
		}
	}
	if got := partOf(resource.Most, resource.Most-1, resource.Most); got != resource.Most-1 {
		t.Error(got)
	}
}

func TestAHeapGivesTheFirstFirst(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var h heap[candidate]
		for i, rank := range rapid.SliceOf(rapid.Uint64Range(0, 5)).Draw(t, "ranks") {
			h = append(h, candidate{rank: rank, placed: uint64(i)})
		}
		h.order()
		var last *candidate
		for len(h) > 0 {
			first := h[0]
			if last != nil && first.before(*last) {
				t.Fatalf("%v after %v", first, *last)
			}
			last = &first
			h.removeFirst()
		}
	})
}
