package inspect

import (
	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/state/queues"
)

// never lists the bounds that an ask alone exceeds, by type: the maxima of its queues, leaf first, then the largest node that it may
// run on, including drained ones.
func (s *View) never(c class.Class, leaf queues.ID) []explain.Bound {
	var list []explain.Bound
	tree := s.Queues()
	largest, apart := s.largestNode(c)
	for i, need := range c.Resources() {
		for q := leaf; tree.Parent(q) != queues.None; q = tree.Parent(q) {
			if most, ok := tree.Conf(q).Max.Value(need.Type); ok && most < need.Value {
				list = append(list, explain.Bound{Queue: tree.Shown(q), Type: need.Type, Needs: need.Value, Most: most, Milli: need.Milli})
			}
		}
		if largest != nil && largest[i] < need.Value {
			list = append(list, explain.Bound{Type: need.Type, Needs: need.Value, Most: largest[i], Milli: need.Milli})
			apart = false
		}
	}
	if apart {
		list = append(list, explain.Bound{})
	}
	return list
}

// largestNode returns, for each type, the largest capacity among the nodes that the ask may run on. apart reports that none of them
// would hold the ask; it is false if there are no such nodes. If one would hold it, largest is nil.
func (s *View) largestNode(c class.Class) (largest []int64, apart bool) {
	for n := range s.Nodes().Sorted().All {
		if c.Node() != "" && c.Node() != s.Nodes().ID(n) || !s.Nodes().Allows(n, c.Constraints()) {
			continue
		}
		if s.Nodes().FitsEmpty(n, c) {
			return nil, false
		}
		if largest == nil {
			largest = make([]int64, len(c.Resources()))
		}
		for i, need := range c.Resources() {
			largest[i] = max(largest[i], s.Nodes().Empty(n, s.lane(need.Type)))
		}
	}
	return largest, largest != nil
}
