package queue_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/internal/demandrow"
	"github.com/quern-project/quern/core/internal/state/queues"
	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/core/resource"
)

// siblings is a parent with children, some of which are stuck: they have the smallest share, so that they come first, and ask for more than any
// node has.
type siblings struct {
	*tree

	search   *demandrow.Search
	one, big resource.Vec
	stuck    map[queues.ID]bool
}

func newSiblings(n, stuck int) *siblings {
	ty := types()
	var list []*config.Queue
	for i := range n {
		list = append(list, &config.Queue{Path: fmt.Sprintf("root.q%05d", i), Leaf: true, Guaranteed: set(1<<30, 1<<30, -1)})
	}
	s := &siblings{one: ty.Vec(set(1, 1, 0), 0), big: ty.Vec(set(100, 1, 0), 0), stuck: map[queues.ID]bool{}}
	s.tree = newTree(ty, cluster(ty, set(1<<40, 1<<40, 1<<40)), always(order(policy.FairQueues())), &config.Queue{Path: "root", PrioritySort: true}, list...)
	s.cluster.Largest = ty.Vec(set(100, 1, 0), 0).Amounts()
	s.owner.SetTotal(s.cluster.Total)
	room := ty.Vec(set(10, 10, 10), 0)
	free := demandrow.Bound{Bits: 1, Room: room}
	unlimited := ty.Vec(set(1<<50, 1<<50, 1<<50), 0)
	s.search = &demandrow.Search{ShrinkEpoch: 1, Open: true, Any: free, Grown: free, Headroom: unlimited, Beyond: unlimited}
	for i, q := range s.all {
		if s.stuck[q] = stuck > 0 && i%stuck == 0; !s.stuck[q] {
			s.use(q, ty.Vec(set(int64(i*7919%n), 1, 0), 0))
		}
		for range 3 {
			s.owner.Enqueue(q, s.one.Amounts())
		}
		s.describe(q)
	}
	s.Sync(s.parent, s.cluster)
	return s
}

func (s *siblings) describe(q queues.ID) {
	demand := s.one
	if s.stuck[q] {
		demand = s.big
	}
	s.PendingRow(q).Class(1, demand.Amounts(), time.Second, 0)
	s.SetPending(q, true, true)
}

// allocate finds the first child with an ask that fits, counts an allocation of it, and updates the order.
func (s *siblings) allocate() {
	q := s.Next(s.parent, s.search)
	s.owner.Restore(q, s.one.Amounts())
	s.MarkChanged(q)
	for _, child := range s.Changed(s.parent) {
		s.describe(child)
	}
	s.Sync(s.parent, s.cluster)
}

// BenchmarkFirstChild measures the cost of an allocation at a level of the tree: find the first child, and increase its share.
func BenchmarkFirstChild(b *testing.B) {
	for _, n := range []int{10, 100, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s := newSiblings(n, 0)
			b.ReportAllocs()
			for b.Loop() {
				s.allocate()
			}
		})
	}
}

// BenchmarkFirstChildHalfStuck is BenchmarkFirstChild with every second child stuck, in one cycle, and with a cycle for each allocation.
func BenchmarkFirstChildHalfStuck(b *testing.B) {
	for _, n := range []int{10, 100, 10_000} {
		for _, cycles := range []string{"one cycle", "a cycle each"} {
			b.Run(fmt.Sprint(n, "/", cycles), func(b *testing.B) {
				s := newSiblings(n, 2)
				b.ReportAllocs()
				for b.Loop() {
					if cycles != "one cycle" {
						s.search.ShrinkEpoch++
					}
					s.allocate()
				}
			})
		}
	}
}

func TestAnAllocationAmongStuckChildrenUsesNoMemory(t *testing.T) {
	for _, stuck := range []int{0, 2} {
		s := newSiblings(200, stuck)
		for range 1000 {
			s.search.ShrinkEpoch++
			s.allocate()
		}
		if allocs := testing.AllocsPerRun(500, func() { s.search.ShrinkEpoch++; s.allocate() }); allocs != 0 {
			t.Errorf("one stuck of every %d: %v allocations of memory a step", stuck, allocs)
		}
	}
}
