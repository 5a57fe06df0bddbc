package node

import "github.com/quern-project/quern/core/resource"

// Swaps sums the demands of tasks that will be allocated on a node once placeholders have left, on this node or on others.
type Swaps struct {
	Landing resource.Vec // sum of the tasks' demands
	Extra   resource.Vec // the part of each demand beyond its placeholder on this node; it is kept free
	count   int          // number of tasks
}

// AddReplacement adds a task that will be allocated on the node or, if more is false, removes it. held is the usage of the task's placeholder, or
// nil if that is on another node. The caller must call the pool's Changed afterwards.
func (n *Node) AddReplacement(demand, held resource.Vec, more bool) {
	if n.Swaps == nil {
		n.Swaps = &Swaps{Landing: make(resource.Vec, len(n.Used)), Extra: make(resource.Vec, len(n.Used))}
	}
	s := n.Swaps
	beyond := append(resource.Vec(nil), demand...)
	for t := range held {
		beyond[t] = max(0, beyond[t]-held[t])
	}
	if more {
		s.Landing.Add(demand)
		s.Extra.Add(beyond)
		s.count++
		return
	}
	s.Landing.Sub(demand)
	s.Extra.Sub(beyond)
	if s.count--; s.count == 0 {
		n.Swaps = nil
	}
}

func (s *Swaps) widen(width int) {
	s.Landing, s.Extra = s.Landing.Widen(width, 0), s.Extra.Widen(width, 0)
}

// keptForTasks returns the amount of a type that is kept free for tasks.
func (n *Node) keptForTasks(t int) int64 {
	if n.Swaps == nil {
		return 0
	}
	return n.Swaps.Extra[t]
}

// FreeWithout returns the free amount of a type if an allocation of some amount were gone. It is negative if the node is
// over-committed.
func (n *Node) FreeWithout(t int, amount int64) int64 {
	room := resource.Sub(resource.Sub(n.Capacity[t], n.Occupied[t]), resource.Sub(n.Used[t], amount))
	return resource.Sub(room, n.keptForTasks(t))
}
