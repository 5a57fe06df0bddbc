package node

import (
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/hold"
	"github.com/quern-project/quern/core/resource"
)

// Node is one node. After a change of its fields, the owner must call the Pool's Changed, Emptied or Filled. Attributes, Capacity and
// Slot are changed only by methods of Pool.
type Node struct {
	ID          string
	Capacity    resource.Vec
	Occupied    resource.Vec // used by others, outside the scheduler's allocations
	Used        resource.Vec // used by allocations
	Leaving     resource.Vec // used by leaving allocations; nil if there are none
	Swaps       *Swaps       // tasks that will replace leaving placeholders; nil if there are none
	Attributes  map[string]string
	GrownAt     uint64 // number of the event (state.State.Moment) at which its room last grew
	Slot        int32
	membership  uint32 // number of its set of attributes: each Relabel of any node uses a new one
	Schedulable bool
	// Hold is a reservation or a claim. A search returns a reserved node only to asks that mayTake permits, and not at all if its
	// ask requires the node. It never returns a claimed node, whose room does not count as free.
	Hold hold.State
}

// Free returns the free amount of a type, at least 0. Room kept for tasks that replace placeholders is not free.
func (n *Node) Free(t int) int64 {
	return max(0, n.Capacity[t]-resource.Add(n.taken(t), n.keptForTasks(t)))
}

// taken returns the used amount of a type, by allocations and by others. It is never negative.
func (n *Node) taken(t int) int64 { return resource.Add(n.Used[t], n.Occupied[t]) }

// FutureRoom returns the free amount of a type once all leaving allocations have left and the tasks that replace them are allocated. It
// is negative if others use more than the rest.
func (n *Node) FutureRoom(t int) int64 {
	room := resource.Sub(resource.Sub(n.Capacity[t], n.Occupied[t]), n.Used[t])
	if n.Leaving != nil {
		room = resource.Add(room, n.Leaving[t])
	}
	if n.Swaps != nil {
		room = resource.Sub(room, n.Swaps.Landing[t])
	}
	return room
}

// Empty returns the free amount of a type if the node had no allocations, at least 0.
func (n *Node) Empty(t int) int64 { return max(0, resource.Sub(n.Capacity[t], n.Occupied[t])) }

// Fits reports whether a class fits the node now.
func (n *Node) Fits(c *class.Class) bool {
	for _, need := range c.Needs {
		if n.Free(need.Lane) < need.Min {
			return false
		}
	}
	return true
}

// FitsEmpty reports whether a class would fit the node if it had no allocations.
func (n *Node) FitsEmpty(c *class.Class) bool {
	for _, need := range c.Needs {
		if n.Empty(need.Lane) < need.Min {
			return false
		}
	}
	return true
}

// available reports whether the node's free room counts: it is schedulable and not claimed.
func (n *Node) available() bool { return n.Schedulable && !n.Hold.IsClaimed() }
