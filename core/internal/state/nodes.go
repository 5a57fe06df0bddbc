package state

import (
	"fmt"
	"maps"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/node"
	"github.com/quern-project/quern/core/resource"
)

func (s *State) addNode(in *core.AddNode) {
	if s.partitionOfNode(in.ID) != nil {
		s.rejectNode(in, core.ReasonDuplicate, fmt.Sprintf("node %q already exists", in.ID))
		return
	}
	s.admit(in.Capacity, in.Occupied)
	capacity := s.Types.Vec(in.Capacity, 0)
	if t := s.overflows(s.Nodes.Total(), nil, capacity); t >= 0 {
		s.rejectNode(in, core.ReasonAmountOverflow, s.overflow("the cluster's total", t))
		return
	}
	n := &node.Node{
		ID: in.ID, Capacity: capacity, Occupied: s.Types.Vec(in.Occupied, 0),
		Used: make(resource.Vec, s.Types.Width()), Attributes: maps.Clone(in.Attributes), Schedulable: !in.Unschedulable,
	}
	s.Nodes.Add(n)
	d := s.emit(core.NodeAccepted)
	d.ID, d.Partition = in.ID, s.Shown
	s.roomGrew(n)
	s.totalChanged()
}

func (s *State) rejectNode(in *core.AddNode, reason core.Reason, message string) {
	s.refuse(core.NodeRejected, in.ID, reason, message).Partition = s.Shown
}

// nodeOf returns the node with an ID. If there is none, it ignores the event and returns nil.
func (s *State) nodeOf(e core.Event, id string) *node.Node {
	n := s.Nodes.Find(id)
	if n == nil {
		s.ignore(e, core.ReasonUnknownNode, fmt.Sprintf("there is no node %q", id))
	}
	return n
}

func (s *State) updateNode(in *core.UpdateNode) {
	n := s.nodeOf(in, in.ID)
	if n == nil {
		return
	}
	s.admit(in.Capacity, in.Occupied)
	if message := s.updateOverflows(n, in); message != "" {
		s.ignore(in, core.ReasonAmountOverflow, message)
		return
	}
	grew := false
	if in.Occupied != nil {
		occupied := s.Types.Vec(in.Occupied, 0)
		grew = anyAbove(n.Occupied, occupied)
		n.Occupied = occupied
	}
	if in.Capacity != nil {
		capacity := s.Types.Vec(in.Capacity, 0)
		grew = anyAbove(capacity, n.Capacity) || grew
		s.Nodes.Resize(n, capacity)
		s.totalChanged()
	}
	if in.Attributes != nil {
		s.Nodes.Relabel(n, maps.Clone(in.Attributes))
	}
	if grew {
		s.roomGrew(n)
	} else {
		s.nodeOpened(n) // other attributes may admit other asks
	}
	s.lapse(n)
}

func anyAbove(a, b resource.Vec) bool {
	for t, v := range a {
		if v > b[t] {
			return true
		}
	}
	return false
}

func (s *State) drainNode(in *core.DrainNode) {
	n := s.nodeOf(in, in.ID)
	if n == nil || !n.Schedulable {
		return
	}
	n.Schedulable = false
	s.nodeChanged(n)
	s.lapse(n)
}

func (s *State) resumeNode(in *core.ResumeNode) {
	n := s.nodeOf(in, in.ID)
	if n == nil || n.Schedulable {
		return
	}
	n.Schedulable = true
	s.roomGrew(n)
}

func (s *State) removeNode(in *core.RemoveNode) {
	n := s.nodeOf(in, in.ID)
	if n == nil {
		return
	}
	n.Schedulable = false
	s.targetGone(n)
	if r, reserved := s.Reservations().On(n.Slot); reserved {
		s.Unreserve(s.AskAt(r.Ask), "")
	}
	if c, claimed := s.Claims().First(n.Slot); claimed {
		s.LapseClaim(s.AskAt(c.Ask), core.ReasonNodeGone)
	}
	for a := s.Asks.FirstOn(n.Slot); !a.IsNone(); a = s.Asks.FirstOn(n.Slot) {
		s.release(a, core.ReasonNodeRemoved)
	}
	s.Nodes.Remove(n)
	s.note(NodeRemoved).Node = n
	s.totalChanged()
}

// totalChanged records a change of the cluster's total, and with it of the share of every queue.
func (s *State) totalChanged() {
	s.Root.OpenedAt = s.World
	s.note(TotalChanged)
}

// lapse ends the ordinary reservation on a node if its ask would not fit the node even if that were empty. Holds of required nodes are
// checked before the next allocation.
func (s *State) lapse(n *node.Node) {
	r, reserved := s.Reservations().On(n.Slot)
	if !reserved || r.Required {
		return
	}
	ask := s.AskAt(r.Ask)
	if !class.Allows(ask.Class().Constraints, n.Attributes) || !n.Schedulable || !n.FitsEmpty(ask.Class()) {
		s.Unreserve(ask, "")
	}
}
