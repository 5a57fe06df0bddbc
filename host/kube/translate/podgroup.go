package translate

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/quern-project/quern/core"
)

// PodGroupKey returns the namespace and name of the PodGroup that a pod belongs to; empty: none.
func PodGroupKey(pod *corev1.Pod) string {
	if g := pod.Spec.SchedulingGroup; g != nil && g.PodGroupName != nil && *g.PodGroupName != "" {
		return pod.Namespace + "/" + *g.PodGroupName
	}
	return ""
}

// podGroupGang is the atomic gang of a pod's group; nil: its policy is not to be a gang, or the pod belongs to none.
func (c *Context) podGroupGang(pod *corev1.Pod) *core.Gang {
	if c.PodGroup == nil || PodGroupKey(pod) == "" || c.PodGroup.Spec.SchedulingPolicy.Gang == nil {
		return nil
	}
	return &core.Gang{ID: "pod-group/" + c.PodGroup.Name, Min: int(c.PodGroup.Spec.SchedulingPolicy.Gang.MinCount)}
}
