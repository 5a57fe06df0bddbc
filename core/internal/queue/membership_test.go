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
	"github.com/quern-project/quern/core/internal/pending"
	"github.com/quern-project/quern/core/internal/queue"
	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/core/resource"
)

// everything passes all pending asks.
func everything(world uint64, width int) *pending.Search {
	room := make(resource.Vec, width)
	room.Fill(resource.Most)
	all := pending.Bound{Bits: math.MaxUint64, Room: room}
	return &pending.Search{World: world, Open: true, Any: all, Grown: all, Headroom: room, Beyond: room}
}

// family is a parent whose children are added and removed.
type family struct {
	tree
	t        *rapid.T
	children []*queue.Queue
	world    uint64
}

func (f *family) add() {
	for range rapid.SampledFrom([]int{1, 1, 1, 20}).Draw(f.t, "come") {
		name := rapid.StringMatching(`[abz#@_-]{1,3}`).Draw(f.t, "name")
		if slices.ContainsFunc(f.children, func(q *queue.Queue) bool { return q.Path == "root."+name }) {
			continue
		}
		conf := &config.Queue{Path: "root." + name, Leaf: true, PriorityOffset: rapid.Int32Range(0, 1).Draw(f.t, "offset")}
		child := queue.New(conf, f.parent, f.types)
		f.parent.Add(child)
		f.children = append(f.children, child)
		if rapid.IntRange(0, 3).Draw(f.t, "waits") > 0 {
			f.waits[child] = 0
			child.Waiting.Add(f.types.Vec(set(1), 0))
		}
		child.MarkChanged()
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
		f.parent.RemoveChild(child)
		if child.Parent != nil {
			f.t.Fatal("a child that went has a parent")
		}
	}
}

// check compares the orders with the rule.
func (f *family) check(priority bool) {
	f.markChanged()
	f.parent.Sync(f.cluster)
	var paths, here []string
	for _, q := range f.children {
		paths = append(paths, q.Path)
	}
	for _, q := range f.parent.Children() {
		here = append(here, q.Path)
	}
	slices.Sort(paths)
	if !slices.Equal(here, paths) || f.parent.NumChildren() != len(paths) {
		f.t.Fatalf("expected the children %v, found %v", paths, here)
	}
	expected := f.sorted(priority)
	f.world++
	first := f.parent.Next(everything(f.world, f.types.Width()))
	if (first == nil) != (len(expected) == 0) || first != nil && first.Path != expected[0] {
		f.t.Fatalf("expected %v, the first is %v", expected, first)
	}
	if rapid.Bool().Draw(f.t, "fails") && first != nil { // it is excluded until the next world
		first.Fail(f.world)
		if second := f.parent.Next(everything(f.world, f.types.Width())); second != nil && second.Path != expected[1] || second == nil && len(expected) > 1 {
			f.t.Fatalf("expected %v, the second is %v", expected, second)
		}
	}
	if rapid.Bool().Draw(f.t, "in order") {
		var found []string
		f.parent.Each(func(q *queue.Queue) bool { found = append(found, q.Path); return true })
		if !slices.Equal(found, expected) {
			f.t.Fatalf("expected %v, found %v", expected, found)
		}
	}
}

func TestChildrenThatComeAndGoAreInTheOrderOfTheRule(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ty := types()
		f := &family{t: t, tree: tree{types: ty, cluster: cluster(ty, set(10, 10, 0)), waits: map[*queue.Queue]int32{}}}
		priority := rapid.Bool().Draw(t, "priority")
		f.parent = queue.New(&config.Queue{Path: "root", PrioritySort: priority}, nil, ty)
		for i := range rapid.IntRange(0, 3).Draw(t, "children") {
			f.children = append(f.children, queue.New(&config.Queue{Path: fmt.Sprint("root.m", i), Leaf: true}, f.parent, ty))
		}
		f.parent.Adopt(slices.Clone(f.children), order(policy.FairQueues()))
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			switch rapid.IntRange(0, 4).Draw(t, "step") {
			case 0, 1:
				f.add()
			case 2:
				f.disown()
			default:
				if len(f.children) > 0 {
					q := rapid.SampledFrom(f.children).Draw(t, "child")
					q.Used = ty.Vec(set(rapid.Int64Range(0, 2).Draw(t, "used")), 0)
					f.waits[q] = rapid.Int32Range(0, 2).Draw(t, "priority")
					q.Waiting = resource.NewSum(ty.Width())
					q.Waiting.Add(ty.Vec(set(rapid.Int64Range(1, 2).Draw(t, "waiting")), 0))
					q.MarkChanged()
				}
			}
			f.check(priority)
		}
	})
}

func TestAFormerChildWithDueLeavesLeavesNoneBehind(t *testing.T) {
	ty := types()
	root := queue.New(&config.Queue{Path: "root"}, nil, ty)
	p := queue.New(&config.Queue{Path: "root.p"}, root, ty)
	q := queue.New(&config.Queue{Path: "root.p.q", Leaf: true}, p, ty)
	root.Adopt([]*queue.Queue{p}, order(policy.FairQueues()))
	p.Adopt(nil, order(policy.FairQueues()))
	p.Add(q)
	root.LeavesDue, p.LeavesDue, q.LeavesDue = 3, 1, 1
	p.RemoveChild(q)
	if root.LeavesDue != 2 || p.LeavesDue != 0 {
		t.Errorf("root has %d, its child %d", root.LeavesDue, p.LeavesDue)
	}
}

// BenchmarkAChildComesAndGoes shows that adding and removing a child costs little more with many siblings.
func BenchmarkAChildComesAndGoes(b *testing.B) {
	for _, n := range []int{100, 10_000, 100_000} {
		b.Run(fmt.Sprint("among-", n), func(b *testing.B) {
			ty := types()
			c := cluster(ty, set(10, 10, 0))
			parent := queue.New(&config.Queue{Path: "root"}, nil, ty)
			parent.Adopt(nil, order(policy.FairQueues()))
			for i := range n {
				parent.Add(queue.New(&config.Queue{Path: fmt.Sprintf("root.q%06d", i), Leaf: true}, parent, ty))
			}
			parent.Sync(c)
			conf := &config.Queue{Path: "root." + strings.Repeat("q", 7), Leaf: true}
			for b.Loop() {
				child := queue.New(conf, parent, ty)
				parent.Add(child)
				parent.Sync(c)
				parent.RemoveChild(child)
			}
		})
	}
}
