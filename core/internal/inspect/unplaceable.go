package inspect

import (
	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/queue"
)

// never lists what an ask alone is larger than, by type: maxima on its way to the root, leaf first, then the nodes that
// it may run on, drained ones included.
func (s *View) never(c *class.Class, leaf *queue.Queue) []explain.Bound {
	var list []explain.Bound
	largest, apart := s.largestNode(c)
	for i, need := range c.Resources {
		for q := leaf; q.Parent != nil; q = q.Parent {
			if most, ok := q.Conf.Max.Value(need.Type); ok && most < need.Value {
				list = append(list, explain.Bound{Queue: q.Shown, Type: need.Type, Needs: need.Value, Most: most})
			}
		}
		if largest != nil && largest[i] < need.Value {
			list = append(list, explain.Bound{Type: need.Type, Needs: need.Value, Most: largest[i]})
			apart = false
		}
	}
	if apart {
		list = append(list, explain.Bound{})
	}
	return list
}

// largestNode returns the most of each type that any node has which the ask may run on; apart says that no node would
// hold the ask. Without such a node there is nothing to compare with.
func (s *View) largestNode(c *class.Class) (largest []int64, apart bool) {
	for _, n := range s.Nodes.Sorted() {
		if c.Node != "" && c.Node != n.ID || !class.Allows(c.Constraints, n.Attributes) {
			continue
		}
		if n.Holds(c) {
			return nil, false
		}
		if largest == nil {
			largest = make([]int64, len(c.Resources))
		}
		for i, need := range c.Resources {
			largest[i] = max(largest[i], n.Empty(s.Types.Intern(need.Type)))
		}
	}
	return largest, largest != nil
}
