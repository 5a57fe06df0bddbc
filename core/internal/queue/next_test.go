package queue_test

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/internal/demandrow"
	"github.com/quern-project/quern/core/internal/queue"
	"github.com/quern-project/quern/core/internal/state/queues"
	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/core/resource"
)

// sizes of a parent: with one, two and three levels of blocks.
var childCounts = []int{1, 2, 3, 17, 40, 300}

// walked is the test's model of a child.
type walked struct {
	path    string
	bit     uint64 // 0: no pending asks
	demand  int64
	inside  int32
	changed uint64
	failed  uint64
	opened  uint64
	started bool // its application
	full    bool // no application may start
}

// walk has three copies of a parent, and a plain list: one in native order, one with a module that answers the same keys, and one with a
// module that answers other keys and may fail.
type walk struct {
	parents [3]*tree
	acting  *policy.Acting // of the third copy
	faults  bool           // the next call of its module fails
	cluster *queue.Cluster
	list    []*walked
}

func newWalk(n int, priority bool) *walk {
	ty := types()
	w := &walk{cluster: cluster(ty, set(100, 100, 100))}
	asked := policy.FairQueues()
	asked.Native = policy.NoNative
	w.acting = &policy.Acting{Point: policy.QueueOrder, Module: largestFirst(&w.faults), Fallback: policy.FairQueues()}
	w.acting.OnFault = func(a *policy.Acting, _ error) { a.Fail() }
	for p, acting := range []*policy.Acting{order(policy.FairQueues()), order(asked), w.acting} {
		var children []*config.Queue
		for i := range n {
			conf := &config.Queue{Path: fmt.Sprintf("root.q%03d", i), Leaf: true, PriorityOffset: int32(i % 3), Max: set(int64(20+i%5), -1, -1), MaxApplications: 2}
			if i%4 > 0 {
				conf.Guaranteed = set(int64(i%7), 10, -1)
			}
			children = append(children, conf)
		}
		w.parents[p] = newTree(ty, w.cluster, always(acting), &config.Queue{Path: "root", PrioritySort: priority}, children...)
	}
	for i := range n {
		w.list = append(w.list, &walked{path: w.parents[0].view.Path(w.parents[0].all[i])})
	}
	return w
}

// largestFirst is a module with another order than the built-in rule, by a single key.
func largestFirst(faults *bool) *policy.Module {
	spec := &policy.PointSpec{Keys: 1, Depends: policy.OnRow, Columns: []policy.Column{{Kind: policy.FairShare}}}
	return &policy.Module{Manifest: policy.Manifest{Name: "largest", Points: map[policy.Point]*policy.PointSpec{policy.QueueOrder: spec}}, Evaluator: negated{faults}}
}

type negated struct{ faults *bool }

func (n negated) Eval(b *policy.Batch) error {
	if *n.faults {
		*n.faults = false
		return errors.New("a fault")
	}
	for _, r := range b.Rows {
		b.Out[r] = -b.Cols[0][r]
	}
	return nil
}

func (w *walk) each(i int, change func(p *tree, q queues.ID)) {
	for _, p := range w.parents {
		change(p, p.all[i])
	}
}

// sync describes the changed children and sorts them in.
func (w *walk) sync() {
	for _, parent := range w.parents {
		for _, q := range parent.Changed(parent.parent) {
			c, row := w.list[slices.Index(parent.all, q)], parent.PendingRow(q)
			before := fmt.Sprint(*row)
			if c.bit != 0 {
				row.Class(c.bit, resource.Vec{c.demand, 0, 0}.Amounts(), time.Second, c.inside)
				row.NoReserve()
				row.SetChanged(c.changed)
				if !c.started {
					row.NotStarted()
				}
			}
			parent.SetPending(q, c.bit != 0, fmt.Sprint(*row) != before)
		}
		parent.Sync(parent.parent, w.cluster)
	}
}

// room returns what a child's own max leaves.
func (w *walk) room(i int) int64 { return w.parents[0].view.Room(w.parents[0].all[i], 0) }

// passes is the obvious implementation of a search for one child.
func (w *walk) passes(i int, s *demandrow.Search) bool {
	c, b := w.list[i], &s.Grown
	if s.Open || max(c.changed, c.opened) > s.Exhausted {
		b = &s.Any
	}
	return c.bit&b.Bits != 0 && (c.started || !c.full && !s.NoNew) && c.failed < s.ShrinkEpoch && c.demand <= min(s.Headroom[0], b.Room[0], w.room(i))
}

// sorted lists the children of a parent with pending asks, sorted by the rule.
func (w *walk) sorted(p int) []int {
	var list []int
	for i, c := range w.list {
		if c.bit != 0 {
			list = append(list, i)
		}
	}
	tr := w.parents[0]
	slices.SortFunc(list, func(i, j int) int {
		a, b := tr.all[i], tr.all[j]
		x, y := tr.view.Priority(a, w.list[i].inside), tr.view.Priority(b, w.list[j].inside)
		paths := strings.Compare(w.list[i].path, w.list[j].path)
		switch {
		case tr.view.Conf(tr.parent).PrioritySort && x != y:
			return int(y) - int(x)
		case p == 2 && !w.acting.Failing():
			return cmp.Or(cmp.Compare(tr.fairShare(b), tr.fairShare(a)), paths)
		case tr.fairShare(a) != tr.fairShare(b):
			return int(tr.fairShare(a) - tr.fairShare(b))
		case tr.pendingShare(a) != tr.pendingShare(b):
			return int(tr.pendingShare(b) - tr.pendingShare(a))
		}
		return paths
	})
	return list
}

// change makes a random change that Sync has to follow.
func (w *walk) change(t *rapid.T, shrinkEpoch uint64) {
	i := rapid.IntRange(0, len(w.list)-1).Draw(t, "child")
	c := w.list[i]
	switch rapid.IntRange(0, 7).Draw(t, "change") {
	case 0:
		c.bit = 0
	case 1, 2:
		c.bit, c.demand = 1<<rapid.IntRange(0, 2).Draw(t, "bit"), rapid.Int64Range(0, 6).Draw(t, "demand")
		c.started = rapid.Bool().Draw(t, "started")
		c.inside, c.changed = rapid.Int32Range(-1, 1).Draw(t, "priority"), shrinkEpoch
		amount := rapid.Int64Range(0, 9).Draw(t, "waiting")
		w.each(i, func(p *tree, q queues.ID) { p.wait(q, resource.Vec{amount, c.demand, 0}) })
	case 3:
		used := resource.Vec{rapid.Int64Range(0, 25).Draw(t, "used"), rapid.Int64Range(0, 9).Draw(t, "used"), 0}
		w.each(i, func(p *tree, q queues.ID) { p.use(q, used) })
	case 4:
		c.opened = shrinkEpoch
		w.each(i, func(p *tree, q queues.ID) { p.owner.Open(q, shrinkEpoch) })
	case 5:
		w.cluster.Total = resource.Vec{rapid.Int64Range(1, 200).Draw(t, "total"), 100, 100}
		w.cluster.Epoch++
	case 6:
		c.full = !c.full
		w.each(i, func(p *tree, q queues.ID) { p.run(q, map[bool]int{false: 1, true: 2}[c.full]) })
	case 7:
		if w.acting.Failing() {
			w.acting.Recover()
		} else if w.faults = rapid.Bool().Draw(t, "faults when asked"); !w.faults {
			w.acting.Fail()
		}
		return
	}
	c.failed = 0
	w.each(i, func(p *tree, q queues.ID) { p.MarkChanged(q) })
}

// checkOrder compares the list of Each.
func (w *walk) checkOrder(t *rapid.T) {
	for p, parent := range w.parents {
		var expected []string
		for _, i := range w.sorted(p) {
			expected = append(expected, w.list[i].path)
		}
		if found := parent.paths(); !slices.Equal(found, expected) {
			t.Fatalf("parent %d: expected %v, found %v", p, expected, found)
		}
	}
}

// TestAWalkVisitsWhatPassesInOrder runs cycles: pending asks, usage and rooms change at random, and then children are visited in order, each
// failing or getting an allocation, until none passes. Within a shrink epoch, room only shrinks.
func TestAWalkVisitsWhatPassesInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := newWalk(rapid.SampledFrom(childCounts).Draw(t, "children"), rapid.Bool().Draw(t, "priority"))
		w.cluster.Largest = resource.Vec{6, 0, 0}.Amounts()
		w.cluster.Within = func(bits uint64, room resource.Vec) uint64 { return bits } // as if classes shared a bit
		settled := uint64(0)
		for shrinkEpoch := uint64(1); shrinkEpoch <= 8; shrinkEpoch++ {
			for range rapid.IntRange(0, 2*len(w.list)).Draw(t, "changes") {
				w.change(t, shrinkEpoch)
			}
			w.sync()
			if rapid.IntRange(0, 3).Draw(t, "look") == 0 {
				w.checkOrder(t)
			}
			s := &demandrow.Search{ShrinkEpoch: shrinkEpoch, Exhausted: settled, NoNew: rapid.Bool().Draw(t, "no new"), Headroom: resource.Vec{rapid.Int64Range(0, 9).Draw(t, "headroom"), 9, 9}}
			s.Beyond = s.Headroom
			s.Any = demandrow.Bound{Bits: 7, Room: resource.Vec{rapid.Int64Range(0, 6).Draw(t, "room"), 9, 9}}
			s.Grown = demandrow.Bound{Bits: rapid.Uint64Range(0, 7).Draw(t, "bits"), Room: slices.Clone(s.Any.Room)} // a node that grew is some node
			s.Grown.Room[0] = rapid.Int64Range(0, s.Any.Room[0]).Draw(t, "grown room")
			w.cycle(t, s)
			if rapid.Bool().Draw(t, "complete") {
				settled = shrinkEpoch
			}
		}
	})
}

func (w *walk) cycle(t *rapid.T, s *demandrow.Search) {
	for range rapid.IntRange(0, 2*len(w.list)+2).Draw(t, "visits") {
		visited := -1
		for p, parent := range w.parents {
			expected, found := -1, -1
			for _, i := range w.sorted(p) {
				if w.passes(i, s) {
					expected = i
					break
				}
			}
			if q := parent.Next(parent.parent, s); q != queues.None {
				found = slices.Index(parent.all, q)
			}
			if found != expected {
				t.Fatalf("parent %d, shrinkEpoch %d: found child %d, expected %d", p, s.ShrinkEpoch, found, expected)
			}
			if p < 2 || rapid.Bool().Draw(t, "by module") {
				visited = found
			}
		}
		switch {
		case visited < 0:
			return
		case rapid.Bool().Draw(t, "fails"):
			w.list[visited].failed = s.ShrinkEpoch
			w.each(visited, func(p *tree, q queues.ID) { p.Fail(q, s.ShrinkEpoch) })
		default:
			w.list[visited].failed = 0
			w.each(visited, func(p *tree, q queues.ID) { p.owner.Restore(q, resource.Vec{1}.Amounts()); p.MarkChanged(q) })
			for _, room := range []resource.Vec{s.Any.Room, s.Grown.Room, s.Headroom} {
				room[0] = max(0, room[0]-1)
			}
			w.sync()
		}
		if rapid.IntRange(0, 15).Draw(t, "look") == 0 {
			w.checkOrder(t)
		}
	}
}

func TestAChildThatIsFullNoLongerIsFoundAgain(t *testing.T) {
	ty := types()
	c := cluster(ty, set(10, 10, 10))
	tr := newTree(ty, c, always(order(policy.FairQueues())), &config.Queue{Path: "root"}, &config.Queue{Path: "root.q", Leaf: true, MaxApplications: 1})
	child := tr.all[0]
	tr.PendingRow(child).Class(1, ty.Vec(set(1, 1, 0), 0).Amounts(), time.Second, 0)
	tr.PendingRow(child).NotStarted()
	room := ty.Vec(set(10, 10, 10), 0)
	free := demandrow.Bound{Bits: 1, Room: room}
	search := &demandrow.Search{ShrinkEpoch: 1, Open: true, Any: free, Grown: free, Headroom: room, Beyond: room}
	for i, running := range []int{1, 0, 1, 0} {
		tr.run(child, running)
		tr.MarkChanged(child)
		tr.SetPending(child, true, i == 0)
		tr.Sync(tr.parent, c)
		if found := tr.Next(tr.parent, search); (found == child) != (running == 0) {
			t.Errorf("step %d, %d running of at most 1: found %v", i, running, found != queues.None)
		}
	}
}
