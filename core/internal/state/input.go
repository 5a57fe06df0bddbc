package state

import (
	"fmt"

	"github.com/quern-project/quern/core/internal/api"
)

// Apply takes one input of the present instant. It returns Accepted, or the reason for which the input was refused.
func (c *Shared) Apply(in *api.Input) api.Reason {
	c.refused = api.Accepted
	s := c.Partitions[0]
	if len(c.Partitions) > 1 || in.Partition != "" || in.Type == api.ConfigSet {
		if s = c.partitionFor(in); s == nil {
			c.applyToAll(in)
			return c.refused
		}
	}
	s.World++
	s.limitsChanged = false
	s.apply(in)
	s.settle(in)
	if len(c.Partitions) > 1 {
		c.lapseContended(s)
	}
	return c.refused
}

// applyToAll takes an input that concerns all partitions, or one that names a partition which does not exist.
func (c *Shared) applyToAll(in *api.Input) {
	for _, s := range c.Partitions {
		s.World++
	}
	c.apply(in)
	for _, s := range c.Partitions {
		s.settle(in)
	}
}

// apply takes an input that belongs to no partition that exists.
func (c *Shared) apply(in *api.Input) {
	if c.refusesTexts(nil, in) {
		return
	}
	switch in.Type {
	case api.NodeAdd:
		c.rejectPartition(api.NodeRejected, in)
	case api.AppAdd:
		c.rejectPartition(api.AppRejected, in)
	case api.ConfigSet:
		c.setConfig(in)
	case api.PolicySet:
		c.setPolicy(in)
	case api.PolicyRemove:
		c.removePolicy(in)
	case api.PolicyAnswers:
		c.recordAnswers(in)
	}
}

func (c *Shared) rejectPartition(t api.DecisionType, in *api.Input) {
	c.refuse(t, in.ID, api.ReasonUnknownPartition, fmt.Sprintf("there is no partition %q", in.Partition))
}

// partitionFor is the partition that an input names, itself or by a node, application or ask; the first if it names none that
// exists. It is nil if the input concerns all, or is to be put into an unknown partition.
func (c *Shared) partitionFor(in *api.Input) (s *State) {
	switch in.Type {
	case api.NodeUpdate, api.NodeDrain, api.NodeResume, api.NodeRemove:
		s = c.partitionOfNode(in.ID)
	case api.AppRemove, api.AppMove:
		s = c.PartitionOfApp(in.ID)
	case api.AskAdd, api.AllocationRestore:
		s = c.PartitionOfApp(in.App)
	case api.AskUpdate, api.AskRemove, api.AllocationRelease:
		s = c.PartitionOfAsk(in.ID)
	case api.NodeAdd, api.AppAdd:
		return c.PartitionNamed(in.Partition)
	default:
		return nil
	}
	if s == nil {
		return c.Partitions[0]
	}
	return s
}

// settle takes in what follows from an input.
func (s *State) settle(in *api.Input) {
	if s.Policies.types != s.Types.Len() {
		s.widenPolicies()
	}
	if s.Claims().Len() > 0 {
		s.judgeClaims(in)
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

// judgeClaims ends the claims that cannot land any more after an input.
func (s *State) judgeClaims(in *api.Input) {
	switch in.Type {
	case api.NodeUpdate, api.NodeDrain, api.NodeRemove, api.ConfigSet, api.AllocationRestore, api.AskUpdate, api.AppMove:
		s.lapseClaims()
	default:
		if s.limitsChanged || s.anyContended() {
			s.lapseClaims()
		}
	}
}

// apply takes an input of the partition.
func (s *State) apply(in *api.Input) {
	if s.refusesTexts(s, in) {
		return
	}
	switch in.Type {
	case api.NodeAdd:
		s.addNode(in)
	case api.NodeUpdate:
		s.updateNode(in)
	case api.NodeDrain:
		s.drainNode(in)
	case api.NodeResume:
		s.resumeNode(in)
	case api.NodeRemove:
		s.removeNode(in)
	case api.AppAdd:
		s.addApp(in)
	case api.AppRemove:
		s.removeApp(in)
	case api.AppMove:
		s.moveApp(in)
	case api.AskAdd:
		s.addAsk(in)
	case api.AskUpdate:
		s.updateAsk(in)
	case api.AskRemove:
		s.removeAsk(in)
	case api.AllocationRelease:
		s.releaseAllocation(in)
	case api.AllocationRestore:
		s.restoreAllocation(in)
	default:
		s.Shared.apply(in)
	}
}
