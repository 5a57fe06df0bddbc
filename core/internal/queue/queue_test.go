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
	"github.com/quern-project/quern/core/internal/state/queues"
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
		Largest: t.Vec(set(1, 1, 1), 0).Amounts(), Scratch: make(resource.Vec, t.Width())}
}

// tree is a parent with children, and the test's model of their pending asks.
type tree struct {
	*queue.Order

	owner   *queues.Queues
	view    queues.View
	types   *resource.Types
	cluster *queue.Cluster
	parent  queues.ID
	all     []queues.ID
	waits   map[queues.ID]int32 // the highest priority inside
}

// newTree makes a parent with children, which are ordered by a policy.
func newTree(ty *resource.Types, c *queue.Cluster, of queue.Policy, parent *config.Queue, children ...*config.Queue) *tree {
	tr := &tree{owner: queues.New(ty), types: ty, cluster: c, waits: map[queues.ID]int32{}}
	tr.view = tr.owner.View()
	tr.parent = tr.owner.Add(parent, queues.None, queues.Kind{})
	for _, conf := range children {
		tr.all = append(tr.all, tr.owner.Add(conf, tr.parent, queues.Kind{}))
	}
	tr.Order = queue.New(tr.view, ty.View(), of, nil)
	return tr
}

// always is a policy for every parent.
func always(a *policy.Acting) queue.Policy { return func(queues.ID) *policy.Acting { return a } }

// use sets the usage of a child.
func (tr *tree) use(q queues.ID, used resource.Vec) {
	tr.owner.Free(q, tr.view.AllUsed(q).Amounts())
	tr.owner.Restore(q, used.Amounts())
}

// wait sets the demand of a child's pending asks.
func (tr *tree) wait(q queues.ID, demand resource.Vec) {
	tr.owner.Dequeue(q, tr.view.AllWaiting(q).Amounts())
	tr.owner.Enqueue(q, demand.Amounts())
}

// run sets the number of a child's applications that hold places.
func (tr *tree) run(q queues.ID, n int) {
	tr.owner.AddRunning(q, n-tr.view.Running(q), func(queues.ID, bool) {})
}

func (tr *tree) fairShare(q queues.ID) int64 {
	share, _ := tr.view.Shares(q, tr.cluster.Total)
	return share
}

func (tr *tree) pendingShare(q queues.ID) int64 {
	_, share := tr.view.Shares(q, tr.cluster.Total)
	return share
}

func (tr *tree) describe(q queues.ID) {
	priority, waits := tr.waits[q]
	if waits {
		tr.PendingRow(q).Class(1, tr.view.AllWaiting(q).Amounts(), time.Second, priority)
	}
	tr.SetPending(q, waits, true)
}

// sync describes the changed children and updates the order.
func (tr *tree) sync() {
	for _, q := range tr.Changed(tr.parent) {
		tr.describe(q)
	}
	tr.Sync(tr.parent, tr.cluster)
}

// paths lists the children with pending asks in order.
func (tr *tree) paths() (list []string) {
	tr.Each(tr.parent, func(q queues.ID) bool { list = append(list, tr.view.Path(q)); return true })
	return list
}

// sorted returns the children in the order of the rule: priority, fair share, pending share, path.
func (tr *tree) sorted(priority bool) []string {
	var list []queues.ID
	for q := range tr.view.Children(tr.parent) {
		if _, waits := tr.waits[q]; waits {
			list = append(list, q)
		}
	}
	slices.SortFunc(list, func(a, b queues.ID) int {
		if x, y := tr.view.Priority(a, tr.waits[a]), tr.view.Priority(b, tr.waits[b]); priority && x != y {
			return int(y) - int(x)
		}
		if x, y := tr.fairShare(a), tr.fairShare(b); x != y {
			return int(x - y)
		}
		if x, y := tr.pendingShare(a), tr.pendingShare(b); x != y {
			return int(y - x)
		}
		return strings.Compare(tr.view.Path(a), tr.view.Path(b))
	})
	var out []string
	for _, q := range list {
		out = append(out, tr.view.Path(q))
	}
	return out
}

func TestChildren_OrderFollowsTheRulesAfterChanges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		amount := func(what string) resource.Set {
			return set(rapid.Int64Range(0, 5).Draw(t, what), rapid.Int64Range(0, 3).Draw(t, what))
		}
		ty := types()
		priority := rapid.Bool().Draw(t, "priority")
		var children []*config.Queue
		for i, name := range []string{"b", "a-b", "a", "c", "B"}[:rapid.IntRange(1, 5).Draw(t, "children")] {
			conf := &config.Queue{Path: "root." + name, Leaf: true, PriorityOffset: int32(i % 2), PriorityFence: i == 3}
			if rapid.Bool().Draw(t, "guarantees") {
				conf.Guaranteed = amount("guaranteed")
			}
			children = append(children, conf)
		}
		tr := newTree(ty, cluster(ty, set(10, 10, 0)), always(order(policy.FairQueues())), &config.Queue{Path: "root", PrioritySort: priority}, children...)
		for range rapid.IntRange(1, 25).Draw(t, "steps") {
			q := rapid.SampledFrom(tr.all).Draw(t, "child")
			switch rapid.IntRange(0, 6).Draw(t, "step") {
			case 0:
				tr.use(q, ty.Vec(amount("used"), 0))
			case 1:
				delete(tr.waits, q)
				tr.wait(q, nil)
			case 2:
				tr.cluster.Total = ty.Vec(amount("total"), 0)
				tr.cluster.Epoch++
			case 3:
				for range 4 {
					ty.Intern(fmt.Sprint("type", ty.Len()))
				}
				tr.owner.Widen()
				tr.Widen()
				tr.cluster.Total, tr.cluster.Largest = tr.cluster.Total.Widen(ty.Width(), 0), tr.cluster.Largest.Clone().Widen(ty.Width(), 0).Amounts()
				tr.cluster.Scratch = make(resource.Vec, ty.Width())
				for _, c := range tr.all {
					tr.describe(c)
				}
			default:
				tr.waits[q] = rapid.Int32Range(-2, 2).Draw(t, "priority")
				tr.wait(q, ty.Vec(amount("waiting"), 0))
			}
			tr.MarkChanged(q)
			tr.sync()
			if expected, found := tr.sorted(priority), tr.paths(); !slices.Equal(found, expected) {
				t.Fatalf("expected %v, found %v", expected, found)
			}
			if tr.Stale(tr.parent, tr.cluster) {
				t.Fatal("stale after a Sync")
			}
			if len(tr.waits) > 0 {
				highest := int32(math.MinInt32)
				for q, p := range tr.waits {
					highest = max(highest, tr.view.Priority(q, p))
				}
				if tr.Highest(tr.parent) != highest {
					t.Fatalf("the highest priority is %d, expected %d", tr.Highest(tr.parent), highest)
				}
			}
		}
	})
}

func TestOrder_AnotherPolicyIsAskedAboutAll(t *testing.T) {
	ty := types()
	var children []*config.Queue
	for i, name := range []string{"a", "b", "c"} {
		children = append(children, &config.Queue{
			Path: "root." + name, Leaf: true, Inherited: map[string]string{"rank": fmt.Sprint(9 - i), "word": "x"}, Max: set(5),
		})
	}
	acting := order(policy.FairQueues())
	tr := newTree(ty, cluster(ty, set(10, 10, 0)), func(queues.ID) *policy.Acting { return acting }, &config.Queue{Path: "root"}, children...)
	for i, q := range tr.all {
		tr.waits[q] = int32(i)
	}
	inOrder := func() string {
		tr.sync()
		return strings.Join(tr.paths(), " ")
	}
	if found := inOrder(); found != "root.a root.b root.c" {
		t.Fatalf("found %s", found)
	}
	spec := &policy.PointSpec{Keys: 3, Depends: policy.OnRow, Columns: []policy.Column{{Kind: policy.Property, Arg: "word", Default: 4}, {Kind: policy.Guaranteed, Arg: "vcore", Default: -1}, {Kind: policy.Property, Arg: "rank"}}}
	acting = order(&policy.Module{Manifest: policy.Manifest{Name: "rank", Points: map[policy.Point]*policy.PointSpec{policy.QueueOrder: spec}}, Evaluator: columns{}})
	tr.SetPolicies()
	if found := inOrder(); found != "root.c root.b root.a" {
		t.Fatalf("found %s", found)
	}
	tr.owner.Remove(tr.all[1])
	tr.Remove(tr.all[1])
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
