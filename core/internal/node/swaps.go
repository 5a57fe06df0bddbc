package node

import "github.com/quern-project/quern/core/resource"

// Swaps is what tasks will use on a node that wait for placeholders to leave, here or on other nodes.
type Swaps struct {
	Landing resource.Vec // needed by those tasks
	Extra   resource.Vec // of that, what is beyond the placeholder here that the task waits for: it is kept free
	count   int          // tasks
}

// Land counts a task that will land on the node, or takes it back. held is what the placeholder uses that it waits for, as long
// as that is here; nil: nothing. The pool's Changed has to follow.
func (n *Node) Land(demand, held resource.Vec, more bool) {
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

// awaited is the room for a type that is kept for tasks beyond what is in use.
func (n *Node) awaited(t int) int64 {
	if n.Swaps == nil {
		return 0
	}
	return n.Swaps.Extra[t]
}

// FreeWithout is the room for a type if an allocation of an amount were gone from the node; below 0 where too much is in use.
func (n *Node) FreeWithout(t int, amount int64) int64 {
	room := resource.Sub(resource.Sub(n.Capacity[t], n.Occupied[t]), resource.Sub(n.Used[t], amount))
	return resource.Sub(room, n.awaited(t))
}
