package nodefit

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	scheduling "k8s.io/component-helpers/scheduling/corev1"
	"k8s.io/klog/v2"
)

// The taints by which installers keep workloads off the nodes of the control plane.
var controlPlane = []string{"node-role.kubernetes.io/control-plane", "node-role.kubernetes.io/master"}

// OfControlPlane reports whether a node has a taint of the control plane.
func OfControlPlane(n *corev1.Node) bool {
	return slices.ContainsFunc(n.Spec.Taints, func(t corev1.Taint) bool { return slices.Contains(controlPlane, t.Key) && keepsPodsAway(&t) })
}

// Repels reports whether a node of the control plane keeps a pod away by the taints that it has as such.
func Repels(pod *corev1.Pod, n *corev1.Node) bool {
	_, found := scheduling.FindMatchingUntoleratedTaint(klog.Logger{}, controlPlaneTaints(n), pod.Spec.Tolerations, keepsPodsAway, false)
	return found
}

func controlPlaneTaints(n *corev1.Node) []corev1.Taint {
	return slices.DeleteFunc(slices.Clone(n.Spec.Taints), func(t corev1.Taint) bool { return !slices.Contains(controlPlane, t.Key) || !keepsPodsAway(&t) })
}
