package translate

import (
	"slices"

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
	together := len(c.Composites) > 0 && c.Composites[0].Gang
	if g == nil || PodGroupKey(pod) == "" || !g.Gang && g.Topology == "" && !together {
		return nil
	}
	policy, wrong := metadata(&pod.ObjectMeta).GangPolicy()
	bad.note("Pod", &pod.ObjectMeta, noParameter, wrong...)
	gang := policy.OfPodGroup(g.Name, max(1, MinOfPodGroup(g, c.InGroup)), g.Whole || Disrupted(c.Composites) != nil)
	if together {
		gang.Set, gang.SetMin = c.Composites[0].Name, c.Composites[0].MinCount
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

// root is the outermost group that a pod belongs to; nil: none.
func (c *Context) root() *podgroup.Group {
	if n := len(c.Composites); n > 0 {
		return c.Composites[n-1]
	}
	return c.PodGroup
}

// Disrupted returns the outermost of composite groups, the innermost of which comes first, whose pods are preempted together; nil: none.
func Disrupted(composites []*podgroup.Group) *podgroup.Group {
	for _, g := range slices.Backward(composites) {
		if g.Whole {
			return g
		}
	}
	return nil
}
