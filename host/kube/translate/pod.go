package translate

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Settings say which pods are scheduled.
type Settings struct {
	Schedulers []string // names in spec.schedulerName
	Queue      string   // of applications that name none; empty: placement rules decide
}

// Key is the ID of a pod's ask and allocation: no two pods have one name at a time.
func Key(pod *corev1.Pod) string { return pod.Namespace + "/" + pod.Name }

// Stage is what a pod is to the scheduler.
type Stage int

// The stages of a pod.
const (
	Gone    Stage = iota // it has ended, is deleted, or is held by scheduling gates
	Waiting              // an ask
	Placed               // an allocation
	Foreign              // of another scheduler, on a node
)

// StageOf returns what a pod is to the scheduler; nil is a pod that is not there. A pod with a node occupies it until all of its
// containers have ended, also while it terminates.
func (s *Settings) StageOf(pod *corev1.Pod) Stage {
	switch {
	case pod == nil, pod.Status.Phase == corev1.PodSucceeded, pod.Status.Phase == corev1.PodFailed:
		return Gone
	case pod.Spec.NodeName != "" && s.ours(pod):
		return Placed
	case pod.Spec.NodeName != "":
		return Foreign
	case !s.ours(pod), pod.DeletionTimestamp != nil, len(pod.Spec.SchedulingGates) > 0:
		return Gone
	}
	return Waiting
}

// Schedules reports whether a pod names this scheduler, whatever has become of it.
func (s *Settings) Schedules(pod *corev1.Pod) bool { return s.ours(pod) }

// ours reports whether a pod names this scheduler. A static pod is the kubelet's, whatever scheduler it names. A pod of a DaemonSet
// counts like others: no other scheduler would place it.
func (s *Settings) ours(pod *corev1.Pod) bool {
	return slices.Contains(s.Schedulers, pod.Spec.SchedulerName) && !Static(pod)
}

// Static reports whether a pod is the API server's copy of one that a kubelet runs by itself.
func Static(pod *corev1.Pod) bool {
	_, mirror := pod.Annotations[corev1.MirrorPodAnnotationKey]
	return mirror || slices.ContainsFunc(pod.OwnerReferences, func(o metav1.OwnerReference) bool { return o.Kind == "Node" })
}

// controller returns the owner that makes a pod again when it is gone; nil: none.
func controller(pod *corev1.Pod) *metav1.OwnerReference { return metav1.GetControllerOf(pod) }
