package node

import (
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/hold"
	"github.com/quern-project/quern/core/resource"
)

// Node is one node. Its fields are read by all and changed through the Pool's methods, or followed by its Changed.
type Node struct {
	ID          string
	Capacity    resource.Vec
	Occupied    resource.Vec // used by others
	Used        resource.Vec // by allocations
	Leaving     resource.Vec // used by allocations that are to leave; nil: there are none
	Swaps       *Swaps       // tasks that wait for placeholders to leave; nil: there are none
	Attributes  map[string]string
	GrownAt     uint64 // the moment (see core) at which its room last grew
	Slot        int32
	membership  uint32 // a number of its own for each set of attributes that any node has had
	Schedulable bool
	// Hold is by a reservation, which only asks that mayTake grants may pass, and no search if its ask requires the node; or by a
	// claim: then no search returns the node, and its room counts for nothing.
	Hold hold.State
}

// Free is the room for a type, at least 0. What is kept for tasks that will land here is not free.
func (n *Node) Free(t int) int64 {
	return max(0, n.Capacity[t]-resource.Add(n.taken(t), n.awaited(t)))
}

// taken is what is in use of a type, by allocations and by others; never negative.
func (n *Node) taken(t int) int64 { return resource.Add(n.Used[t], n.Occupied[t]) }

// RoomToBe is the room for a type once all have left that were told to, and the tasks that wait for that have landed; below 0 where others use too much.
func (n *Node) RoomToBe(t int) int64 {
	room := resource.Sub(resource.Sub(n.Capacity[t], n.Occupied[t]), n.Used[t])
	if n.Leaving != nil {
		room = resource.Add(room, n.Leaving[t])
	}
	if n.Swaps != nil {
		room = resource.Sub(room, n.Swaps.Landing[t])
	}
	return room
}

// Empty is the room for a type if no allocation were there, at least 0.
func (n *Node) Empty(t int) int64 { return max(0, resource.Sub(n.Capacity[t], n.Occupied[t])) }

// Takes reports whether the node has room for a class now.
func (n *Node) Takes(c *class.Class) bool {
	for _, need := range c.Needs {
		if n.Free(need.Lane) < need.Min {
			return false
		}
	}
	return true
}

// Holds reports whether the node would have room for a class if no allocation were there.
func (n *Node) Holds(c *class.Class) bool {
	for _, need := range c.Needs {
		if n.Empty(need.Lane) < need.Min {
			return false
		}
	}
	return true
}

// available reports whether the node's room counts at all.
func (n *Node) available() bool { return n.Schedulable && !n.Hold.IsClaimed() }
