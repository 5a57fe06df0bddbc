package queue_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/internal/queue"
	"github.com/quern-project/quern/core/policy"
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

func order(m *policy.Module) *policy.Acting {
	return &policy.Acting{Point: policy.QueueOrder, Module: m, Fallback: m}
}

func cluster(t *resource.Types, total resource.Set) *queue.Cluster {
	return &queue.Cluster{Total: t.Vec(total, 0), Epoch: 1, Within: func(bits uint64, _ resource.Vec) uint64 { return bits },
		Largest: t.Vec(set(1, 1, 1), 0), Scratch: make(resource.Vec, t.Width())}
}

func TestAQueueShowsItsPriorityBySumOrFence(t *testing.T) {
	root := queue.New(&config.Queue{Path: "root", PriorityOffset: 5}, nil, types())
	if root.Priority(3) != 3 {
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
		q := queue.New(&config.Queue{Path: "root.q", PriorityOffset: tc.offset, PriorityFence: tc.fence}, root, types())
		if found := q.Priority(tc.inside); found != tc.expected {
			t.Errorf("%+v: found %d", tc, found)
		}
	}
}

func TestShares_DenominatorByPrecedence(t *testing.T) {
	ty := types()
	total := ty.Vec(set(100, 100, 0), 0)
	root := queue.New(&config.Queue{Path: "root"}, nil, ty)
	p := queue.New(&config.Queue{Path: "root.p", Max: set(50, -1, -1)}, root, ty)
	q := queue.New(&config.Queue{Path: "root.p.q", Guaranteed: set(-1, 10, 0)}, p, ty)
	child := queue.New(&config.Queue{Path: "root.p.q.c", Max: set(20, 40, -1)}, q, ty)
	for _, tc := range []struct {
		queue        *queue.Queue
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
		if found := tc.queue.Denominator(tc.t, total); found != tc.denominator {
			t.Errorf("%s: %s is measured by %d, expected %d", tc.queue.Path, names[tc.t], found, tc.denominator)
		}
		tc.queue.Used, tc.queue.Waiting = ty.Vec(tc.used, 0), resource.NewSum(ty.Width())
		tc.queue.Waiting.Add(ty.Vec(tc.waits, 0))
		if fair, wanted := tc.queue.FairShare(total), tc.queue.PendingShare(total); fair != tc.fair || wanted != tc.wanted {
			t.Errorf("%s with %v and %v: the shares are %d and %d, expected %d and %d", tc.queue.Path, tc.used, tc.waits, fair, wanted, tc.fair, tc.wanted)
		}
	}
}

func TestAShareThatIsAStepAboveThatOfAnotherTypeIsTheLargest(t *testing.T) {
	q := queue.New(&config.Queue{Path: "root"}, nil, types())
	q.Used = resource.Vec{1, 333_333_334, 0}
	if found := q.FairShare(resource.Vec{3, 1_000_000_000, 1}); found != 333_333_334 {
		t.Errorf("a third rounded down, and 333333334 billionths: found %d", found)
	}
}

func TestAShareIsTheLargestOfItsTypes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		amounts := func(what string) resource.Vec {
			v := make(resource.Vec, len(names))
			for i := range v {
				v[i] = rapid.OneOf(rapid.Int64Range(0, 9), rapid.Int64Range(0, math.MaxInt64), rapid.Just(int64(math.MaxInt64))).Draw(t, what)
			}
			return v
		}
		total := amounts("total")
		q := queue.New(&config.Queue{Path: "root"}, nil, types())
		q.Used = amounts("used")
		q.Waiting.Add(amounts("waiting"))
		used, waiting := int64(0), int64(0)
		for i := range names {
			used = max(used, resource.Share(q.Used[i], total[i]))
			waiting = max(waiting, resource.Share(q.Waiting.At(i), total[i]))
		}
		if q.FairShare(total) != used || q.PendingShare(total) != waiting {
			t.Fatalf("%v and %v of %v: found %d and %d, expected %d and %d", q.Used, q.Waiting.Vec(), total, q.FairShare(total), q.PendingShare(total), used, waiting)
		}
	})
}

func TestRoomIsWhatTheOwnMaxLeaves(t *testing.T) {
	ty := types()
	q := queue.New(&config.Queue{Path: "root.q", Max: set(10, -1, 0), MaxApplications: 2}, nil, ty)
	for _, tc := range []struct {
		used resource.Set
		room []int64
	}{
		{nil, []int64{10, resource.Most, 0}},
		{set(4, 1000, 0), []int64{6, resource.Most, 0}},
		{set(14, 0, 5), []int64{0, resource.Most, 0}},
	} {
		q.Used = ty.Vec(tc.used, 0)
		if found := []int64{q.Room(0), q.Room(1), q.Room(2)}; !slices.Equal(found, tc.room) {
			t.Errorf("with %v: found %v, expected %v", tc.used, found, tc.room)
		}
	}
	q.Used = ty.Vec(set(4), 0)
	for _, tc := range []struct {
		largest resource.Set
		limits  bool
	}{{set(6), false}, {set(7), true}, {set(0, 1<<60), false}, {set(0, 0, 1), true}} {
		if q.MayLimit(ty.Vec(tc.largest, 0)) != tc.limits {
			t.Errorf("the largest ask is %v: limits is %v", tc.largest, !tc.limits)
		}
	}
	for running, full := range map[int]bool{0: false, 1: false, 2: true, 3: true} {
		if q.Running = running; q.Full() != full {
			t.Errorf("%d running: full is %v", running, !full)
		}
	}
	q = queue.New(&config.Queue{}, nil, ty)
	if q.Running = 3; q.Full() {
		t.Error("without a bound the queue is full")
	}
}

// tree is a parent with children, and the test's model of their pending asks.
type tree struct {
	types   *resource.Types
	cluster *queue.Cluster
	parent  *queue.Queue
	waits   map[*queue.Queue]int32 // the highest priority inside
}

func (tr *tree) tell(q *queue.Queue) {
	priority, waits := tr.waits[q]
	if waits {
		q.PendingRow().Class(1, q.Waiting.Vec(), time.Second, priority)
	}
	q.SetPending(waits, true)
}

// markChanged describes the changed children.
func (tr *tree) markChanged() {
	for _, q := range tr.parent.Changed() {
		tr.tell(q)
	}
}

// sorted returns the children in the order of the rule: priority, fair share, pending share, path.
func (tr *tree) sorted(priority bool) []string {
	var list []*queue.Queue
	for _, q := range tr.parent.Children() {
		if _, waits := tr.waits[q]; waits {
			list = append(list, q)
		}
	}
	slices.SortFunc(list, func(a, b *queue.Queue) int {
		if x, y := a.Priority(tr.waits[a]), b.Priority(tr.waits[b]); priority && x != y {
			return int(y) - int(x)
		}
		if x, y := a.FairShare(tr.cluster.Total), b.FairShare(tr.cluster.Total); x != y {
			return int(x - y)
		}
		if x, y := a.PendingShare(tr.cluster.Total), b.PendingShare(tr.cluster.Total); x != y {
			return int(y - x)
		}
		return strings.Compare(a.Path, b.Path)
	})
	var out []string
	for _, q := range list {
		out = append(out, q.Path)
	}
	return out
}

func TestChildrenAreInTheOrderOfTheRuleWhateverChanges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		amount := func(what string) resource.Set {
			return set(rapid.Int64Range(0, 5).Draw(t, what), rapid.Int64Range(0, 3).Draw(t, what))
		}
		ty := types()
		priority := rapid.Bool().Draw(t, "priority")
		tr := &tree{types: ty, cluster: cluster(ty, set(10, 10, 0)), waits: map[*queue.Queue]int32{}}
		tr.parent = queue.New(&config.Queue{Path: "root", PrioritySort: priority}, nil, ty)
		var children []*queue.Queue
		for i, name := range []string{"b", "a-b", "a", "c", "B"}[:rapid.IntRange(1, 5).Draw(t, "children")] {
			conf := &config.Queue{Path: "root." + name, Leaf: true, PriorityOffset: int32(i % 2), PriorityFence: i == 3}
			if rapid.Bool().Draw(t, "guarantees") {
				conf.Guaranteed = amount("guaranteed")
			}
			children = append(children, queue.New(conf, tr.parent, ty))
		}
		tr.parent.Adopt(children, order(policy.FairQueues()))
		for range rapid.IntRange(1, 25).Draw(t, "steps") {
			q := rapid.SampledFrom(children).Draw(t, "child")
			switch rapid.IntRange(0, 6).Draw(t, "step") {
			case 0:
				q.Used = ty.Vec(amount("used"), 0)
			case 1:
				delete(tr.waits, q)
				q.Waiting = resource.NewSum(ty.Width())
			case 2:
				tr.cluster.Total = ty.Vec(amount("total"), 0)
				tr.cluster.Epoch++
			case 3:
				for range 4 {
					ty.Intern(fmt.Sprint("type", ty.Len()))
				}
				tr.parent.Widen(ty.Width())
				tr.cluster.Total, tr.cluster.Largest = tr.cluster.Total.Widen(ty.Width(), 0), tr.cluster.Largest.Widen(ty.Width(), 0)
				tr.cluster.Scratch = make(resource.Vec, ty.Width())
				for _, c := range children {
					tr.tell(c)
				}
			default:
				tr.waits[q] = rapid.Int32Range(-2, 2).Draw(t, "priority")
				q.Waiting = resource.NewSum(ty.Width())
				q.Waiting.Add(ty.Vec(amount("waiting"), 0))
			}
			q.MarkChanged()
			tr.markChanged()
			tr.parent.Sync(tr.cluster)
			var found []string
			tr.parent.Each(func(q *queue.Queue) bool { found = append(found, q.Path); return true })
			if expected := tr.sorted(priority); !slices.Equal(found, expected) {
				t.Fatalf("expected %v, found %v", expected, found)
			}
			if tr.parent.Stale(tr.cluster) {
				t.Fatal("stale after a Sync")
			}
			if len(tr.waits) > 0 {
				highest := int32(math.MinInt32)
				for q, p := range tr.waits {
					highest = max(highest, q.Priority(p))
				}
				if tr.parent.Highest() != highest {
					t.Fatalf("the highest priority is %d, expected %d", tr.parent.Highest(), highest)
				}
			}
		}
	})
}

func TestAnotherOrderOfTheChildrenIsAskedAboutAll(t *testing.T) {
	ty := types()
	tr := &tree{types: ty, cluster: cluster(ty, set(10, 10, 0)), waits: map[*queue.Queue]int32{}}
	tr.parent = queue.New(&config.Queue{Path: "root"}, nil, ty)
	var children []*queue.Queue
	for i, name := range []string{"a", "b", "c"} {
		conf := &config.Queue{Path: "root." + name, Leaf: true, Inherited: map[string]string{"rank": fmt.Sprint(9 - i), "word": "x"}, Max: set(5)}
		children = append(children, queue.New(conf, tr.parent, ty))
		tr.waits[children[i]] = int32(i)
	}
	tr.parent.Adopt(children, order(policy.FairQueues()))
	inOrder := func() string {
		tr.markChanged()
		tr.parent.Sync(tr.cluster)
		var out []string
		tr.parent.Each(func(q *queue.Queue) bool { out = append(out, q.Conf.Path); return true })
		return strings.Join(out, " ")
	}
	if found := inOrder(); found != "root.a root.b root.c" {
		t.Fatalf("found %s", found)
	}
	spec := &policy.PointSpec{Keys: 3, Depends: policy.OnRow, Columns: []policy.Column{{Kind: policy.Property, Arg: "word", Default: 4}, {Kind: policy.Guaranteed, Arg: "vcore", Default: -1}, {Kind: policy.Property, Arg: "rank"}}}
	module := &policy.Module{Manifest: policy.Manifest{Name: "rank", Points: map[policy.Point]*policy.PointSpec{policy.QueueOrder: spec}}, Evaluator: columns{}}
	tr.parent.SetOrder(order(module))
	if found := inOrder(); found != "root.c root.b root.a" {
		t.Fatalf("found %s", found)
	}
	tr.parent.RemoveChild(children[1])
	if found := inOrder(); found != "root.c root.a" {
		t.Fatalf("found %s", found)
	}
}

// columns answers with its columns.
type columns struct{}

func (columns) Eval(b *policy.Batch) error {
	for _, r := range b.Rows {
		for k := range b.Keys {
			b.Out[int(r)*b.Keys+k] = b.Cols[k][r]
		}
	}
	return nil
}
