package translate

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/quern-project/quern/core"
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

// podGroupGang is the atomic gang of a pod's group; nil: its policy is not to be a gang, or the pod belongs to none. It waits without limit, as the
// group says nothing else. How long it may be broken stands on its pods.
func (c *Context) podGroupGang(pod *corev1.Pod, bad *problems) *core.Gang {
	if c.PodGroup == nil || PodGroupKey(pod) == "" || !c.PodGroup.Gang {
		return nil
	}
	policy, wrong := metadata(&pod.ObjectMeta).GangPolicy()
	bad.note("Pod", &pod.ObjectMeta, noParameter, wrong...)
	return policy.OfPodGroup(c.PodGroup.Name, MinOfPodGroup(c.PodGroup, c.InGroup), c.PodGroup.Whole)
}
