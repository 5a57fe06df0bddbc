package queue_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/quern-project/quern/internal/seeded"

	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/internal/demandrow"
	"github.com/quern-project/quern/core/internal/state/queues"
	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/core/resource"
)

// everything passes all pending asks.
func everything(shrinkEpoch uint64, width int) *demandrow.Search {
	room := make(resource.Vec, width)
	room.Fill(resource.Most)
	all := demandrow.Bound{Bits: math.MaxUint64, Room: room}
	return &demandrow.Search{ShrinkEpoch: shrinkEpoch, Open: true, Any: all, Grown: all, Headroom: room, Beyond: room}
}

// family is a parent whose children are added and removed.
type family struct {
	*tree

	t           *rapid.T
	children    []queues.ID
	shrinkEpoch uint64
}

func (f *family) add() {
	for range rapid.SampledFrom([]int{1, 1, 1, 20}).Draw(f.t, "come") {
		name := rapid.StringMatching(`[abz#@_-]{1,3}`).Draw(f.t, "name")
		if slices.ContainsFunc(f.children, func(q queues.ID) bool { return f.view.Path(q) == "root."+name }) {
			continue
		}
		conf := &config.Queue{Path: "root." + name, Leaf: true, PriorityOffset: rapid.Int32Range(0, 1).Draw(f.t, "offset")}
		child := f.owner.Add(conf, f.parent, queues.Kind{Dynamic: true})
		f.Add(child, f.parent)
		f.children = append(f.children, child)
		if rapid.IntRange(0, 3).Draw(f.t, "waits") > 0 {
			f.waits[child] = 0
			f.wait(child, f.types.Vec(set(1), 0))
		}
		f.MarkChanged(child)
	}
}

func (f *family) disown() {
	for range rapid.SampledFrom([]int{1, 1, 30}).Draw(f.t, "go") {
		if len(f.children) == 0 {
			return
		}
		i := rapid.IntRange(0, len(f.children)-1).Draw(f.t, "which")
		child := f.children[i]
		f.children = slices.Delete(f.children, i, i+1)
		delete(f.waits, child)
		f.owner.Remove(child)
		f.Remove(child)
		if f.view.Parent(child) != queues.None {
			f.t.Fatal("a child that went has a parent")
		}
	}
}

// check compares the orders with the rule.
func (f *family) check(priority bool) {
	f.sync()
	f.owner.Release()
	var paths, here []string
	for _, q := range f.children {
		paths = append(paths, f.view.Path(q))
	}
	for q := range f.view.Children(f.parent) {
		here = append(here, f.view.Path(q))
	}
	slices.Sort(paths)
	if !slices.Equal(here, paths) || f.view.NumChildren(f.parent) != len(paths) {
		f.t.Fatalf("expected the children %v, found %v", paths, here)
	}
	expected := f.sorted(priority)
	f.shrinkEpoch++
	first := f.Next(f.parent, everything(f.shrinkEpoch, f.types.Width()))
	if (first == queues.None) != (len(expected) == 0) || first != queues.None && f.view.Path(first) != expected[0] {
		f.t.Fatalf("expected %v, the first is %v", expected, first)
	}
	if rapid.Bool().Draw(f.t, "fails") && first != queues.None { // it is excluded until the next shrink epoch
		f.Fail(first, f.shrinkEpoch)
		if second := f.Next(f.parent, everything(f.shrinkEpoch, f.types.Width())); second != queues.None && f.view.Path(second) != expected[1] || second == queues.None && len(expected) > 1 {
			f.t.Fatalf("expected %v, the second is %v", expected, second)
		}
	}
	if rapid.Bool().Draw(f.t, "in order") {
		if found := f.paths(); !slices.Equal(found, expected) {
			f.t.Fatalf("expected %v, found %v", expected, found)
		}
	}
}

func TestChildrenThatComeAndGoAreInTheOrderOfTheRule(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ty := types()
		priority := rapid.Bool().Draw(t, "priority")
		var children []*config.Queue
		for i := range rapid.IntRange(0, 3).Draw(t, "children") {
			children = append(children, &config.Queue{Path: fmt.Sprint("root.m", i), Leaf: true})
		}
		f := &family{t: t, tree: newTree(ty, cluster(ty, set(10, 10, 0)), always(order(policy.FairQueues())), &config.Queue{Path: "root", PrioritySort: priority}, children...)}
		f.children = slices.Clone(f.all)
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			switch rapid.IntRange(0, 4).Draw(t, "step") {
			case 0, 1:
				f.add()
			case 2:
				f.disown()
			default:
				if len(f.children) > 0 {
					q := rapid.SampledFrom(f.children).Draw(t, "child")
					f.use(q, ty.Vec(set(rapid.Int64Range(0, 2).Draw(t, "used")), 0))
					f.waits[q] = rapid.Int32Range(0, 2).Draw(t, "priority")
					f.wait(q, ty.Vec(set(rapid.Int64Range(1, 2).Draw(t, "waiting")), 0))
					f.MarkChanged(q)
				}
			}
			f.check(priority)
		}
	})
}

// BenchmarkAChildComesAndGoes shows that adding and removing a child costs little more with many siblings.
func BenchmarkAChildComesAndGoes(b *testing.B) {
	for _, n := range []int{100, 10_000, 100_000} {
		b.Run(fmt.Sprint("among-", n), func(b *testing.B) {
			ty := types()
			c := cluster(ty, set(10, 10, 0))
			tr := newTree(ty, c, always(order(policy.FairQueues())), &config.Queue{Path: "root"})
			for i := range n {
				tr.Add(tr.owner.Add(&config.Queue{Path: fmt.Sprintf("root.q%06d", i), Leaf: true}, tr.parent, queues.Kind{Dynamic: true}), tr.parent)
			}
			tr.Sync(tr.parent, c)
			conf := &config.Queue{Path: "root." + strings.Repeat("q", 7), Leaf: true}
			for b.Loop() {
				child := tr.owner.Add(conf, tr.parent, queues.Kind{Dynamic: true})
				tr.Add(child, tr.parent)
				tr.Sync(tr.parent, c)
				tr.owner.Remove(child)
				tr.Remove(child)
				tr.owner.Release()
			}
		})
	}
}
