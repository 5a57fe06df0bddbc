package core

import (
	"fmt"
	"maps"

	"github.com/quern-project/quern/core/internal/node"
	"github.com/quern-project/quern/core/resource"
)

func (s *Scheduler) addNode(in *Input) {
	if s.nodes.Find(in.ID) != nil {
		d := s.emit(NodeRejected)
		d.ID, d.Reason, d.Message = in.ID, ReasonDuplicate, fmt.Sprintf("node %q is there already", in.ID)
		return
	}
	s.admit(in.Capacity, in.Occupied)
	capacity := s.types.Vec(in.Capacity, 0)
	if t := overflows(s.nodes.Total(), nil, capacity); t >= 0 {
		d := s.emit(NodeRejected)
		d.ID, d.Reason, d.Message = in.ID, ReasonAmountOverflow, s.overflow("the cluster's total", t)
		return
	}
	n := &node.Node{
		ID: in.ID, Capacity: capacity, Occupied: s.types.Vec(in.Occupied, 0),
		Used: make(resource.Vec, s.types.Width()), Attributes: maps.Clone(in.Attributes), Schedulable: !in.Unschedulable,
	}
	s.nodes.Add(n)
	for int(n.Slot) >= len(s.local) {
		s.local = append(s.local, residents{})
	}
	s.local[n.Slot] = residents{}
	s.emit(NodeAccepted).ID = in.ID
	s.roomGrew(n)
	s.totalChanged()
}

// unknownNode finds the node an input names, or says that it does not exist.
func (s *Scheduler) nodeOf(in *Input) *node.Node {
	n := s.nodes.Find(in.ID)
	if n == nil {
		s.ignore(in, ReasonUnknownNode, fmt.Sprintf("there is no node %q", in.ID))
	}
	return n
}

func (s *Scheduler) updateNode(in *Input) {
	n := s.nodeOf(in)
	if n == nil {
		return
	}
	s.admit(in.Capacity, in.Occupied)
	if message := s.updateOverflows(n, in); message != "" {
		s.ignore(in, ReasonAmountOverflow, message)
		return
	}
	grew := false
	if in.Occupied != nil {
		occupied := s.types.Vec(in.Occupied, 0)
		grew = anyAbove(n.Occupied, occupied)
		n.Occupied = occupied
	}
	if in.Capacity != nil {
		capacity := s.types.Vec(in.Capacity, 0)
		grew = anyAbove(capacity, n.Capacity) || grew
		s.nodes.Resize(n, capacity)
		s.totalChanged()
	}
	if in.Attributes != nil {
		s.nodes.Relabel(n, maps.Clone(in.Attributes))
	}
	if grew {
		s.roomGrew(n)
	} else {
		s.nodeOpened(n) // other attributes may let other asks in
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

func (s *Scheduler) drainNode(in *Input) {
	n := s.nodeOf(in)
	if n == nil || !n.Schedulable {
		return
	}
	n.Schedulable = false
	s.seek.stir()
	s.nodeChanged(n)
	s.lapse(n)
}

func (s *Scheduler) resumeNode(in *Input) {
	n := s.nodeOf(in)
	if n == nil || n.Schedulable {
		return
	}
	n.Schedulable = true
	s.roomGrew(n)
}

func (s *Scheduler) removeNode(in *Input) {
	n := s.nodeOf(in)
	if n == nil {
		return
	}
	n.Schedulable = false
	if holder := s.local[n.Slot].holder; holder != nil {
		s.unreserve(holder, "")
	}
	if c := s.local[n.Slot].claim; c != nil {
		s.lapseClaim(c.ask, ReasonNodeGone)
	}
	for a := s.local[n.Slot].placed.First; a != nil; a = s.local[n.Slot].placed.First {
		s.release(a, ReasonNodeRemoved)
	}
	s.nodes.Remove(n)
	s.search.forget(n)
	s.totalChanged()
}

// totalChanged has every queue's share of the cluster looked at anew when it is next visited.
func (s *Scheduler) totalChanged() {
	s.seek.stir()
	s.wide.Epoch++
	s.root.OpenedAt = s.search.world
	s.search.bounds = true
	if s.policies.judgeApps {
		for _, l := range s.leaves {
			if l != nil {
				l.Resort()
				s.touch(l.queue)
			}
		}
	}
}

// roomGrew notes that a node has more room than before.
func (s *Scheduler) roomGrew(n *node.Node) {
	n.GrownAt = s.search.moment()
	s.nodeOpened(n)
}

// nodeOpened notes that a node may take what it did not take before.
func (s *Scheduler) nodeOpened(n *node.Node) {
	s.seek.stir()
	s.nodeChanged(n)
	s.search.grew(n)
	s.kept.check(s, n)
	s.claims.check(s, n)
}
