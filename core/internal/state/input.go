package state

import (
	"fmt"

	"github.com/quern-project/quern/core/internal/api"
)

// Apply takes one input of the present instant. It returns Accepted, or the reason for which the input was refused.
func (c *Shared) Apply(in *api.Input) api.Reason {
	c.refused = api.Accepted
	s := c.Partitions[0]
	if len(c.Partitions) > 1 || beyondFirst(in.Event) {
		if s = c.partitionFor(in.Event); s == nil {
			c.applyToAll(in.Event)
			return c.refused
		}
	}
	s.World++
	s.limitsChanged = false
	s.apply(in.Event)
	s.settle(in.Event)
	if len(c.Partitions) > 1 {
		c.lapseContended(s)
	}
	return c.refused
}

// beyondFirst reports whether an event may concern more than the first partition, although there is no other yet.
func beyondFirst(e api.Event) bool {
	switch e := e.(type) {
	case *api.AddNode:
		return e.Partition != ""
	case *api.AddApp:
		return e.Partition != ""
	case *api.SetConfig:
		return true
	default:
		return false
	}
}

// applyToAll takes an event that concerns all partitions, or one that names a partition which does not exist.
func (c *Shared) applyToAll(e api.Event) {
	for _, s := range c.Partitions {
		s.World++
	}
	c.apply(e)
	for _, s := range c.Partitions {
		s.settle(e)
	}
}

// apply takes an event that belongs to no partition that exists.
func (c *Shared) apply(e api.Event) {
	if c.refusesTexts(nil, e) {
		return
	}
	switch e := e.(type) {
	case *api.AddNode:
		c.rejectPartition(api.NodeRejected, e.ID, e.Partition)
	case *api.AddApp:
		c.rejectPartition(api.AppRejected, e.ID, e.Partition)
	case *api.SetConfig:
		c.setConfig(e)
	case *api.SetPolicy:
		c.setPolicy(e)
	case *api.RemovePolicy:
		c.removePolicy(e)
	case *api.RecordAnswers:
		c.recordAnswers(e)
	case *api.UpdateNode, *api.DrainNode, *api.ResumeNode, *api.RemoveNode, *api.RemoveApp, *api.MoveApp,
		*api.AddAsk, *api.UpdateAsk, *api.RemoveAsk, *api.ReleaseAllocation, *api.RestoreAllocation: // of a partition
	case *api.SetState, *api.Tick: // see Collect; time passes
	}
}

func (c *Shared) rejectPartition(t api.DecisionType, id, partition string) {
	c.refuse(t, id, api.ReasonUnknownPartition, fmt.Sprintf("there is no partition %q", partition))
}

// partitionFor is the partition that an event names, itself or by a node, application or ask; the first if it names none that
// exists. It is nil if the event concerns all, or is to be put into an unknown partition.
func (c *Shared) partitionFor(e api.Event) (s *State) {
	switch e := e.(type) {
	case *api.AddNode:
		return c.PartitionNamed(e.Partition)
	case *api.AddApp:
		return c.PartitionNamed(e.Partition)
	case *api.UpdateNode:
		s = c.partitionOfNode(e.ID)
	case *api.DrainNode:
		s = c.partitionOfNode(e.ID)
	case *api.ResumeNode:
		s = c.partitionOfNode(e.ID)
	case *api.RemoveNode:
		s = c.partitionOfNode(e.ID)
	case *api.RemoveApp:
		s = c.PartitionOfApp(e.ID)
	case *api.MoveApp:
		s = c.PartitionOfApp(e.ID)
	case *api.AddAsk:
		s = c.PartitionOfApp(e.App)
	case *api.RestoreAllocation:
		s = c.PartitionOfApp(e.App)
	case *api.UpdateAsk:
		s = c.PartitionOfAsk(e.ID)
	case *api.RemoveAsk:
		s = c.PartitionOfAsk(e.ID)
	case *api.ReleaseAllocation:
		s = c.PartitionOfAsk(e.ID)
	case *api.SetConfig, *api.SetPolicy, *api.RemovePolicy, *api.RecordAnswers, *api.SetState, *api.Tick:
		return nil
	}
	if s == nil {
		return c.Partitions[0]
	}
	return s
}

// settle takes in what follows from an event.
func (s *State) settle(e api.Event) {
	if s.Policies.types != s.Types.Len() {
		s.widenPolicies()
	}
	if s.Claims().Len() > 0 {
		s.judgeClaims(e)
	}
	s.noteQuotas()
}

// lapseContended ends claims in the partitions that an input does not concern, since timers have moved applications.
func (c *Shared) lapseContended(concerned *State) {
	for _, s := range c.Partitions {
		if s != concerned && s.anyContended() {
			s.lapseClaims()
		}
	}
}

// judgeClaims ends the claims that cannot land any more after an event.
func (s *State) judgeClaims(e api.Event) {
	switch e.(type) {
	case *api.UpdateNode, *api.DrainNode, *api.RemoveNode, *api.SetConfig, *api.RestoreAllocation, *api.UpdateAsk, *api.MoveApp:
		s.lapseClaims()
	default:
		if s.limitsChanged || s.anyContended() {
			s.lapseClaims()
		}
	}
}

// apply takes an event of the partition.
func (s *State) apply(e api.Event) {
	if s.refusesTexts(s, e) {
		return
	}
	switch e := e.(type) {
	case *api.AddNode:
		s.addNode(e)
	case *api.UpdateNode:
		s.updateNode(e)
	case *api.DrainNode:
		s.drainNode(e)
	case *api.ResumeNode:
		s.resumeNode(e)
	case *api.RemoveNode:
		s.removeNode(e)
	case *api.AddApp:
		s.addApp(e)
	case *api.RemoveApp:
		s.removeApp(e)
	case *api.MoveApp:
		s.moveApp(e)
	case *api.AddAsk:
		s.addAsk(e)
	case *api.UpdateAsk:
		s.updateAsk(e)
	case *api.RemoveAsk:
		s.removeAsk(e)
	case *api.ReleaseAllocation:
		s.releaseAllocation(e)
	case *api.RestoreAllocation:
		s.restoreAllocation(e)
	default:
		s.Shared.apply(e)
	}
}
