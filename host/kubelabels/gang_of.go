package kubelabels

import (
	"cmp"
	"time"

	"github.com/quern-project/quern/core"
)

// GangTimeout is how long the members of task groups wait for one another if their application does not say.
const GangTimeout = 15 * time.Minute

// TaskGroupsID names the atomic gang of an application's task groups. There is one, since all of them are placed together.
const TaskGroupsID = "task-groups"

// PodGroupID names the gang of a PodGroup.
func PodGroupID(name string) string { return "pod-group/" + name }

// OfTaskGroups returns the atomic gang of an application's task groups.
func (p GangPolicy) OfTaskGroups(members int) *core.Gang {
	disruptions := map[string]core.Disruption{"whole": core.DisruptWhole, "member": core.DisruptMember}
	return &core.Gang{ID: TaskGroupsID, Min: members, Timeout: cmp.Or(p.Timeout, GangTimeout), Fallback: !p.Hard, Disruption: disruptions[p.Disruption], Repair: p.repair(), Max: p.most(members)}
}

// OfPodGroup returns the atomic gang of a PodGroup, which waits without limit; whole: its pods are preempted together. Only its repair and its largest size depend on the policy.
func (p GangPolicy) OfPodGroup(name string, members int, whole bool) *core.Gang {
	gang := &core.Gang{ID: PodGroupID(name), Min: members, Disruption: core.DisruptMember, Repair: p.repair(), Max: p.most(members)}
	if whole {
		gang.Disruption = core.DisruptWhole
	}
	return gang
}

// most returns the largest size of a gang, which is never below its minimum.
func (p GangPolicy) most(members int) int {
	if p.Max == 0 {
		return 0
	}
	return max(p.Max, members)
}

func (p GangPolicy) repair() core.Repair { return core.Repair{Bounded: p.HasRepair, Within: p.Repair} }
