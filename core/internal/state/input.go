package state

import (
	"slices"

	"github.com/quern-project/quern/core/internal/api"
)

// Apply takes one input of the present instant. It returns Accepted, or the reason for which the input was refused.
func (s *State) Apply(in *api.Input) api.Reason {
	s.World++
	s.refused = api.Accepted
	s.apply(in)
	s.widenPolicies()
	switch in.Type {
	case api.NodeUpdate, api.NodeDrain, api.NodeRemove, api.ConfigSet, api.AllocationRestore, api.AskUpdate:
		s.lapseClaims()
	default:
		if slices.ContainsFunc(s.Claims, (*Claim).contended) {
			s.lapseClaims()
		}
	}
	return s.refused
}

func (s *State) apply(in *api.Input) {
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
	case api.ConfigSet:
		s.setConfig(in)
	case api.PolicySet:
		s.setPolicy(in)
	case api.PolicyRemove:
		s.removePolicy(in)
	case api.PolicyAnswers:
		s.recordAnswers(in)
	}
}
