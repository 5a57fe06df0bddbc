package inspect

import (
	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/internal/queue"
)

// Totals returns sums over all partitions, in the order of the configuration.
func Totals(views []*View) (t core.Totals) {
	for _, s := range views {
		for _, n := range s.Nodes.Sorted() {
			t.Nodes++
			if !s.Nodes.Schedulable(n) {
				t.Drained++
			}
		}
		s.queueTotals(s.Root, &t.Queues)
	}
	return t
}

func (s *View) queueTotals(q *queue.Queue, out *[]core.QueueTotals) {
	t := core.QueueTotals{Queue: q.Shown, Leaf: q.Leaf(), Depth: q.Depth,
		Used: s.Types.Set(q.Used, 0), Guaranteed: withoutZeros(q.Conf.Guaranteed), Max: q.Conf.Max, Pending: s.Types.Set(q.Waiting.Vec(), 0),
		PendingAsks: q.Asks, Allocations: q.Allocations, Applications: q.Live, Running: q.Running}
	if q.Parent == nil {
		t.Max = s.total()
	}
	*out = append(*out, t)
	for _, child := range q.Children() {
		s.queueTotals(child, out)
	}
}
