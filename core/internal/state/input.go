package state

import (
	"fmt"

	"github.com/quern-project/quern/core"
)

// Apply applies an input of the current instant. It returns Accepted, or the reason why the input was refused.
func (c *Shared) Apply(in *core.Input) core.Reason {
	c.refused = core.Accepted
	if _, nothing := in.Event.(*core.Tick); !nothing {
		c.judged = false
	}
	s := c.partitions[0]
	if len(c.partitions) > 1 || beyondFirst(in.Event) {
		if s = c.partitionFor(in.Event); s == nil {
			c.applyToAll(in.Event)
			return c.refused
		}
	}
	s.shrinkEpoch++
	s.limitsChanged = false
	s.apply(in.Event)
	s.settle(in.Event)
	if len(c.partitions) > 1 {
		c.lapseContended(s)
	}
	return c.refused
}

// beyondFirst reports whether an event may concern more than the first partition, although there is only one.
func beyondFirst(e core.Event) bool {
	switch e := e.(type) {
	case *core.AddNode:
		return e.Partition != ""
	case *core.AddApp:
		return e.Partition != ""
	case *core.AddWindow:
		return e.Partition != ""
	case *core.SetConfig:
		return true
	default:
		return false
	}
}

// applyToAll applies an event that concerns all partitions, or that names a partition which does not exist.
func (c *Shared) applyToAll(e core.Event) {
	for _, s := range c.partitions {
		s.shrinkEpoch++
	}
	c.apply(e)
	for _, s := range c.partitions {
		s.settle(e)
	}
}

// apply applies an event that does not belong to an existing partition.
func (c *Shared) apply(e core.Event) {
	if c.refusesTexts(nil, e) {
		return
	}
	switch e := e.(type) {
	case *core.AddNode:
		c.rejectPartition(core.NodeRejected, e.ID, e.Partition)
	case *core.AddApp:
		c.rejectPartition(core.AppRejected, e.ID, e.Partition)
	case *core.AddWindow:
		c.rejectPartition(core.WindowRejected, e.ID, e.Partition)
	case *core.SetConfig:
		c.setConfig(e)
	case *core.SetPolicy:
		c.setPolicy(e)
	case *core.RemovePolicy:
		c.removePolicy(e)
	case *core.RecordAnswers:
		c.recordAnswers(e)
	case *core.UpdateNode, *core.DrainNode, *core.ResumeNode, *core.RemoveNode, *core.RemoveApp, *core.MoveApp,
		*core.AddAsk, *core.UpdateAsk, *core.RemoveAsk, *core.ReleaseAllocation, *core.RestoreAllocation, *core.RemoveWindow: // these belong to a partition
	case *core.SetState, *core.Tick: // Collect applies snapshots; a tick changes nothing
	}
}

func (c *Shared) rejectPartition(t core.DecisionType, id, partition string) {
	c.refuse(t, id, core.ReasonUnknownPartition, fmt.Sprintf("there is no partition %q", partition))
}

// partitionFor returns the partition of an event, which it names itself or by a node, application or ask; the first if none of these
// exists. It returns nil if the event concerns all partitions, or names an unknown one.
func (c *Shared) partitionFor(e core.Event) (s *State) {
	switch e := e.(type) {
	case *core.AddNode:
		return c.PartitionNamed(e.Partition)
	case *core.AddWindow:
		return c.PartitionNamed(e.Partition)
	case *core.RemoveWindow:
		s = c.partitionOfWindow(e.ID)
	case *core.AddApp:
		return c.PartitionNamed(e.Partition)
	case *core.AddAsk:
		s = c.PartitionOfApp(e.App)
	case *core.RestoreAllocation:
		s = c.PartitionOfApp(e.App)
	case *core.UpdateNode, *core.DrainNode, *core.ResumeNode, *core.RemoveNode:
		s = c.partitionOfNode(core.Input{Event: e}.ID())
	case *core.RemoveApp, *core.MoveApp:
		s = c.PartitionOfApp(core.Input{Event: e}.ID())
	case *core.UpdateAsk, *core.RemoveAsk, *core.ReleaseAllocation:
		s = c.PartitionOfAsk(core.Input{Event: e}.ID())
	case *core.SetConfig, *core.SetPolicy, *core.RemovePolicy, *core.RecordAnswers, *core.SetState, *core.Tick:
		return nil
	}
	if s == nil {
		return c.partitions[0]
	}
	return s
}

// settle applies the consequences of an event.
func (s *State) settle(e core.Event) {
	if s.policies.types != s.types.Len() {
		s.widenPolicies()
	}
	if s.bindGangs(); s.lapses {
		s.lapses = false
		s.lapseAll()
	}
	if s.Claims().Len() > 0 {
		s.expireInvalidClaims(e)
	}
	s.noteQuotas()
}

// lapseContended ends claims in the partitions that an input does not concern, since timers may have changed their applications.
func (c *Shared) lapseContended(concerned *State) {
	for _, s := range c.partitions {
		if s != concerned && s.anyContended() {
			s.lapseClaims()
		}
	}
}

// expireInvalidClaims ends the claims that can no longer be allocated after an event.
func (s *State) expireInvalidClaims(e core.Event) {
	switch e.(type) {
	case *core.UpdateNode, *core.DrainNode, *core.RemoveNode, *core.SetConfig, *core.RestoreAllocation, *core.UpdateAsk, *core.MoveApp:
		s.lapseClaims()
	default:
		if s.limitsChanged || s.rebound || s.anyContended() {
			s.lapseClaims()
		}
	}
	s.rebound = false
}

// apply applies an event of the partition.
func (s *State) apply(e core.Event) {
	if s.refusesTexts(s, e) {
		return
	}
	switch e := e.(type) {
	case *core.AddNode:
		s.addNode(e)
	case *core.UpdateNode:
		s.updateNode(e)
	case *core.DrainNode:
		s.drainNode(e)
	case *core.ResumeNode:
		s.resumeNode(e)
	case *core.RemoveNode:
		s.removeNode(e)
	case *core.AddApp:
		s.addApp(e)
	case *core.RemoveApp:
		s.removeApp(e)
	case *core.MoveApp:
		s.moveApp(e)
	case *core.AddAsk:
		s.addAsk(e)
	case *core.UpdateAsk:
		s.updateAsk(e)
	case *core.RemoveAsk:
		s.removeAsk(e)
	case *core.ReleaseAllocation:
		s.releaseAllocation(e)
	case *core.RestoreAllocation:
		s.restoreAllocation(e)
	case *core.AddWindow:
		s.addWindow(e)
	case *core.RemoveWindow:
		s.removeWindow(e)
	default:
		s.shared.apply(e)
	}
}
