package core

import (
	"fmt"
	"strings"

	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/queue"
	"github.com/quern-project/quern/core/resource"
)

// never lists what an ask alone is larger than, by type: maxima on its way to the root, leaf first, then the nodes that
// it may run on, drained ones included.
func (s *Scheduler) never(c *class.Class, leaf *queue.Queue) []Bound {
	var list []Bound
	largest, apart := s.largestNode(c)
	for i, need := range c.Resources {
		for q := leaf; q.Parent != nil; q = q.Parent {
			if most, ok := q.Conf.Max.Value(need.Type); ok && most < need.Value {
				list = append(list, Bound{q.Path, need.Type, need.Value, most})
			}
		}
		if largest != nil && largest[i] < need.Value {
			list = append(list, Bound{"", need.Type, need.Value, largest[i]})
			apart = false
		}
	}
	if apart {
		list = append(list, Bound{})
	}
	return list
}

// largestNode returns the most of each type that any node has which the ask may run on; apart says that no node would
// hold the ask. Without such a node there is nothing to compare with.
func (s *Scheduler) largestNode(c *class.Class) (largest []int64, apart bool) {
	for _, n := range s.nodes.Sorted() {
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
			largest[i] = max(largest[i], n.Empty(s.types.Intern(need.Type)))
		}
	}
	return largest, largest != nil
}

// neverText says in a sentence that an ask can never run as things are configured; empty: it can.
func neverText(list []Bound, c *class.Class) string {
	if len(list) == 0 {
		return ""
	}
	nodes := "node"
	if c.Node != "" || len(c.Constraints) > 0 {
		nodes = "node that it may run on"
	}
	var b strings.Builder
	b.WriteString(" It can never run as queues and nodes are configured:")
	typ := ""
	for i, bound := range list {
		switch {
		case bound.Type != typ && i > 0:
			b.WriteString(";")
		case bound.Type == typ && i > 0:
			b.WriteString(",")
		}
		if bound.Type == "" {
			fmt.Fprintf(&b, " no %s has all that it needs at once", nodes)
			continue
		}
		if bound.Type != typ {
			typ = bound.Type
			fmt.Fprintf(&b, " it needs %s %s,", resource.Format(typ, bound.Needs), typ)
		}
		if bound.Queue != "" {
			fmt.Fprintf(&b, " the max of %s is %s", bound.Queue, resource.Format(typ, bound.Most))
		} else {
			fmt.Fprintf(&b, " the largest %s has %s", nodes, resource.Format(typ, bound.Most))
		}
	}
	return b.String() + "."
}
