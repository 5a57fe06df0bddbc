package recording

import (
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/quern-project/quern/host/kube/nodefit"
	"github.com/quern-project/quern/host/kubelabels"
)

// everyScheduler is the scheduler's name of all pods where those of every scheduler are recorded.
const everyScheduler = "recorded"

// strip returns a function that removes the fields which a history does not need, most bytes of a pod, before the informer stores an object.
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
	stripMetadata(&p.ObjectMeta)
	stripSpec(&p.Spec, schedulers)
	stripStatus(&p.Status)
}

func stripMetadata(m *metav1.ObjectMeta) {
	maps.DeleteFunc(m.Annotations, func(key, _ string) bool { return !keepsAnnotation(key) })
	*m = metav1.ObjectMeta{
		Namespace: m.Namespace, Name: m.Name, UID: m.UID, CreationTimestamp: m.CreationTimestamp, DeletionTimestamp: m.DeletionTimestamp,
		Labels: m.Labels, Annotations: m.Annotations, OwnerReferences: m.OwnerReferences,
	}
}

func stripSpec(s *corev1.PodSpec, schedulers []string) {
	if len(schedulers) == 0 {
		s.SchedulerName = everyScheduler
	}
	*s = corev1.PodSpec{
		NodeName: s.NodeName, HostNetwork: s.HostNetwork, HostUsers: s.HostUsers, SchedulerName: s.SchedulerName, SchedulingGates: s.SchedulingGates, Priority: s.Priority, ActiveDeadlineSeconds: s.ActiveDeadlineSeconds,
		PriorityClassName: s.PriorityClassName, PreemptionPolicy: s.PreemptionPolicy, NodeSelector: s.NodeSelector, Affinity: s.Affinity,
		Tolerations: s.Tolerations, TopologySpreadConstraints: s.TopologySpreadConstraints, Overhead: s.Overhead, Resources: s.Resources, ResourceClaims: s.ResourceClaims,
		Volumes: slices.DeleteFunc(s.Volumes, isFree), InitContainers: stripContainers(s.InitContainers), Containers: stripContainers(s.Containers),
	}
}

func stripStatus(s *corev1.PodStatus) {
	if !endsPod(s.Phase) {
		s.Phase = ""
	}
	*s = corev1.PodStatus{
		Phase: s.Phase, Conditions: slices.DeleteFunc(s.Conditions, func(c corev1.PodCondition) bool { return !isResize(c.Type) }), Resources: s.Resources,
		AllocatedResources:    s.AllocatedResources,
		InitContainerStatuses: stripStatuses(s.InitContainerStatuses), ContainerStatuses: stripStatuses(s.ContainerStatuses),
	}
}

// keepsAnnotation leaves out what other programs note on a pod.
func keepsAnnotation(key string) bool {
	return !strings.Contains(key, "/") || strings.HasPrefix(key, kubelabels.Domain) || key == kubelabels.Walltime || key == corev1.MirrorPodAnnotationKey
}

// isFree reports whether a volume has no influence on where a pod runs, as nearly all that only one pod uses.
func isFree(v corev1.Volume) bool {
	return v.PersistentVolumeClaim == nil && v.Ephemeral == nil && nodefit.IsLocal(&v.VolumeSource)
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

// isResize selects the conditions that say whether the amounts of a pod's status count.
func isResize(t corev1.PodConditionType) bool {
	return t == corev1.PodResizePending || t == corev1.PodResizeInProgress
}

// endsPod selects the phases that count: a pod that is bound has its node whether it runs already or not.
func endsPod[T ~string | ~[]byte](phase T) bool {
	return string(phase) == string(corev1.PodSucceeded) || string(phase) == string(corev1.PodFailed)
}
