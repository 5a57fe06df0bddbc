package state

import (
	"fmt"
	"slices"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/device"
	"github.com/quern-project/quern/core/internal/state/nodes"
)

func (s *State) addNode(in *core.AddNode) {
	if s.partitionOfNode(in.ID) != nil {
		s.rejectNode(in, core.ReasonDuplicate, fmt.Sprintf("node %q already exists", in.ID))
		return
	}
	devices, ok := s.addedDevices(in)
	if !ok {
		return
	}
	s.admit(in.Capacity, in.Occupied)
	capacity := s.types.Vec(in.Capacity, 0)
	devices.Capacity(capacity)
	if t := s.overflows(s.finder.TotalOf, capacity); t >= 0 {
		s.rejectNode(in, core.ReasonAmountOverflow, s.overflow("the cluster's total", t))
		return
	}
	occupied := s.types.Vec(in.Occupied, 0)
	devices.Others(occupied)
	n := s.nodes.Add(&nodes.Node{
		ID: in.ID, Capacity: capacity, Occupied: occupied, Attributes: in.Attributes, Schedulable: !in.Unschedulable,
	})
	if devices != nil {
		s.nodes.SetDevices(n, devices)
	}
	s.finder.Added(n)
	s.joinWindows(n)
	d := s.emit(core.NodeAccepted)
	d.ID, d.Partition = in.ID, s.shown
	s.roomGrew(n)
	s.totalChanged()
}

func (s *State) rejectNode(in *core.AddNode, reason core.Reason, message string) {
	s.refuse(core.NodeRejected, in.ID, reason, message).Partition = s.shown
}

// nodeOf returns the node with an ID. If there is none, it ignores the event and returns app.NoNode.
func (s *State) nodeOf(e core.Event, id string) int32 {
	n := s.finder.Find(id)
	if n == app.NoNode {
		s.ignore(e, core.ReasonUnknownNode, fmt.Sprintf("there is no node %q", id))
	}
	return n
}

func (s *State) updateNode(in *core.UpdateNode) {
	n := s.nodeOf(in, in.ID)
	if n == app.NoNode {
		return
	}
	in, devices, ok := s.updatedDevices(n, in)
	if !ok {
		return
	}
	s.admit(in.Capacity, in.Occupied)
	if message := s.updateOverflows(n, in); message != "" {
		s.ignore(in, core.ReasonAmountOverflow, message)
		return
	}
	grew, moved := device.Grew(s.finder.Devices(n), devices), false
	if devices != s.finder.Devices(n) {
		s.nodes.SetDevices(n, devices)
		s.finder.Changed(n)
	}
	if in.Occupied != nil {
		occupied := s.types.Vec(in.Occupied, 0)
		for t, amount := range occupied {
			grew = grew || amount < s.finder.OccupiedOf(n, t)
		}
		s.nodes.Occupy(n, occupied)
	}
	if in.Capacity != nil {
		capacity := s.types.Vec(in.Capacity, 0)
		for t, amount := range capacity {
			grew = grew || amount > s.finder.CapacityOf(n, t)
		}
		s.nodes.Resize(n, capacity)
		s.finder.Changed(n)
		s.totalChanged()
	}
	if in.Attributes != nil {
		moved = s.relabel(n, in.Attributes)
		s.joinWindows(n)
	}
	if grew {
		s.roomGrew(n)
	} else {
		s.nodeOpened(n) // other attributes may admit other asks
	}
	if !grew {
		s.Slipped(SlipCapacity)
	}
	if moved {
		s.lapseAll() // gangs may have other domains
	}
	s.lapse(n)
}

func (s *State) drainNode(in *core.DrainNode) {
	n := s.nodeOf(in, in.ID)
	if n == app.NoNode || !s.finder.Schedulable(n) {
		return
	}
	s.nodes.Drain(n)
	s.nodeChanged(n)
	s.Slipped(SlipCapacity)
	s.lapse(n)
}

func (s *State) resumeNode(in *core.ResumeNode) {
	n := s.nodeOf(in, in.ID)
	if n == app.NoNode || s.finder.Schedulable(n) {
		return
	}
	s.nodes.Resume(n)
	s.roomGrew(n)
}

func (s *State) removeNode(in *core.RemoveNode) {
	n := s.nodeOf(in, in.ID)
	if n == app.NoNode {
		return
	}
	s.nodes.Drain(n)
	s.targetGone(n)
	if r, reserved := s.Reservations().On(n); reserved {
		s.Unreserve(s.AskAt(r.Ask), "")
	}
	if c, claimed := s.Claims().First(n); claimed {
		s.LapseClaim(s.AskAt(c.Ask), core.ReasonNodeGone)
	}
	s.letGo("", func(p Placement) bool { return p.Node == n })
	for a := s.orders.FirstOn(n); !a.IsNone(); a = s.orders.FirstOn(n) {
		s.memberLost(a, core.ReasonNodeRemoved)
		s.release(a, core.ReasonNodeRemoved)
	}
	s.windows.Leave(n)
	s.planned.ForgetNode(n)
	s.finder.Removing(n)
	s.nodes.Remove(n)
	s.note(NodeRemoved).node = n
	s.Slipped(SlipCapacity)
	s.totalChanged()
}

// totalChanged records a change of the cluster's total, and with it of the share of every queue.
func (s *State) totalChanged() {
	s.queues.SetTotal(s.finder.Total())
	s.queues.Open(s.Queues().Root(), s.shrinkEpoch)
	s.note(TotalChanged)
}

// lapseAll is lapse for all reserved nodes.
func (s *State) lapseAll() {
	for _, r := range slices.Collect(s.Reservations().All()) {
		s.lapse(r.Node)
	}
}

// lapse ends the ordinary reservation on a node if its ask would not fit the node even if that were empty. Holds of required nodes are
// checked before the next allocation.
func (s *State) lapse(n int32) {
	r, reserved := s.Reservations().On(n)
	if !reserved || r.Required {
		return
	}
	ask := s.AskAt(r.Ask)
	if !s.finder.Allows(n, ask.Class().Constraints()) || !s.finder.Schedulable(n) || !s.finder.FitsEmpty(n, ask.Class()) {
		s.Unreserve(ask, "")
	}
}
