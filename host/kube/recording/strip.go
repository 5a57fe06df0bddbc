package recording

import (
	"maps"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/quern-project/quern/host/kubelabels"
)

// everyScheduler is the scheduler's name of all pods where those of every scheduler are recorded.
const everyScheduler = "recorded"

// strip makes what drops from an object all that a history does not need, before the object is kept: of a pod, most of its bytes.
func strip(schedulers []string) cache.TransformFunc {
	return func(object any) (any, error) {
		switch o := object.(type) {
		case *corev1.Pod:
			stripPod(o, schedulers)
		case *corev1.Node:
			o.ManagedFields, o.Annotations = nil, nil
			o.Status = corev1.NodeStatus{Allocatable: o.Status.Allocatable}
		case metav1.Object:
			o.SetManagedFields(nil)
		}
		return object, nil
	}
}

func stripPod(p *corev1.Pod, schedulers []string) {
	if len(schedulers) == 0 {
		p.Spec.SchedulerName = everyScheduler
	}
	p.ManagedFields = nil
	maps.DeleteFunc(p.Annotations, func(key, _ string) bool {
		return strings.Contains(key, "/") && !strings.HasPrefix(key, kubelabels.Domain) && key != corev1.MirrorPodAnnotationKey
	})
	s := &p.Spec
	*s = corev1.PodSpec{
		NodeName: s.NodeName, HostNetwork: s.HostNetwork, HostUsers: s.HostUsers, SchedulerName: s.SchedulerName, SchedulingGates: s.SchedulingGates, Priority: s.Priority,
		PriorityClassName: s.PriorityClassName, PreemptionPolicy: s.PreemptionPolicy, NodeSelector: s.NodeSelector, Affinity: s.Affinity,
		Tolerations: s.Tolerations, TopologySpreadConstraints: s.TopologySpreadConstraints, Overhead: s.Overhead, Resources: s.Resources,
		ResourceClaims: s.ResourceClaims, Volumes: s.Volumes, InitContainers: stripContainers(s.InitContainers), Containers: stripContainers(s.Containers),
	}
	st := &p.Status
	*st = corev1.PodStatus{
		Phase: st.Phase, Conditions: resizeConditions(st.Conditions), Resources: st.Resources, AllocatedResources: st.AllocatedResources,
		InitContainerStatuses: stripStatuses(st.InitContainerStatuses), ContainerStatuses: stripStatuses(st.ContainerStatuses),
	}
}

func stripContainers(list []corev1.Container) []corev1.Container {
	for i := range list {
		c := &list[i]
		*c = corev1.Container{Name: c.Name, Resources: *requests(&c.Resources), RestartPolicy: c.RestartPolicy, RestartPolicyRules: c.RestartPolicyRules, Ports: c.Ports}
	}
	return list
}

// requests keeps what is counted of a container: the API server has made requests of limits where there were none.
func requests(r *corev1.ResourceRequirements) *corev1.ResourceRequirements {
	if r == nil {
		return nil
	}
	return &corev1.ResourceRequirements{Requests: r.Requests}
}

// stripStatuses keeps what a resize in place changes, and nothing of containers that were not resized.
func stripStatuses(list []corev1.ContainerStatus) []corev1.ContainerStatus {
	var kept []corev1.ContainerStatus
	for i := range list {
		if c := &list[i]; c.Resources != nil || c.AllocatedResources != nil {
			kept = append(kept, corev1.ContainerStatus{Name: c.Name, Resources: requests(c.Resources), AllocatedResources: c.AllocatedResources})
		}
	}
	return kept
}

func resizeConditions(list []corev1.PodCondition) []corev1.PodCondition {
	var kept []corev1.PodCondition
	for _, c := range list {
		if c.Type == corev1.PodResizePending || c.Type == corev1.PodResizeInProgress {
			kept = append(kept, c)
		}
	}
	return kept
}
