package translate

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/host/kube/podgroup"
)

// PodGroupKey returns the namespace and name of the PodGroup that a pod belongs to; empty: none.
func PodGroupKey(pod *corev1.Pod) string {
	if g := pod.Spec.SchedulingGroup; g != nil && g.PodGroupName != nil && *g.PodGroupName != "" {
		return pod.Namespace + "/" + *g.PodGroupName
	}
	return ""
}

// MinOfPodGroup is how many members the gang of a PodGroup needs of which so many are made at once; 0: nothing bounds that, or it is no gang.
func MinOfPodGroup(g *podgroup.Group, atOnce int) int {
	if g == nil || !g.Gang {
		return 0
	}
	return bounded(g.MinCount, atOnce)
}

// podGroupGang is the atomic gang of a pod's group; nil: its pods do not depend on one another, or the pod belongs to none. It waits without limit, as
// the group says nothing else. How long it may be broken stands on its pods. Pods that are placed one by one in one domain of a topology are a gang of
// which one is enough: the others follow it. So are those of a group that starts together with others.
func (c *Context) podGroupGang(pod *corev1.Pod, bad *problems) *core.Gang {
	g := c.PodGroup
	together := c.Composite != nil && c.Composite.Gang
	if g == nil || PodGroupKey(pod) == "" || !g.Gang && g.Topology == "" && !together {
		return nil
	}
	policy, wrong := metadata(&pod.ObjectMeta).GangPolicy()
	bad.note("Pod", &pod.ObjectMeta, noParameter, wrong...)
	gang := policy.OfPodGroup(g.Name, max(1, MinOfPodGroup(g, c.InGroup)), g.Whole)
	if together {
		gang.Set, gang.SetMin = c.Composite.Name, c.Composite.MinCount
	}
	return gang
}

// podGroupTopology is what a pod's group says of the nodes of its pods: those of one value of a label. It is a level of the topology that has this
// attribute, or one that is made for it.
func (c *Context) podGroupTopology() core.Topology {
	if c.PodGroup.Topology == "" {
		return core.Topology{}
	}
	return core.Topology{Required: config.AttributePrefix + c.PodGroup.Topology}
}
