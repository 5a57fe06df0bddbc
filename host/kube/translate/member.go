package translate

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"

	"github.com/quern-project/quern/host/kubelabels"
)

// like is a pod as its group says that its members are, which plugins judge in place of a placeholder. Its labels are those of the group, or of
// the pod that declares the gang, if that is a member. If neither is known, affinity to other pods is left out: the members may mean each other.
func like(t *kubelabels.TaskGroup[placement], declares *corev1.Pod) *corev1.Pod {
	of := &t.Placement
	pod := &corev1.Pod{Spec: corev1.PodSpec{NodeSelector: of.NodeSelector, Tolerations: of.Tolerations, Affinity: of.Affinity, TopologySpreadConstraints: of.Spread}}
	pod.Namespace, pod.Labels = declares.Namespace, of.Labels
	switch {
	case of.Labels != nil:
	case TaskGroup(declares) == t.Name:
		pod.Labels = declares.Labels
	case of.Affinity != nil:
		own := *of.Affinity
		own.PodAffinity = nil
		pod.Spec.Affinity = &own
	}
	return pod
}

// sound reports whether plugins can read what a task group says of its members: the API server has not seen it as part of a pod.
func sound(pod *corev1.Pod) bool {
	selector := func(s *metav1.LabelSelector) bool {
		_, err := metav1.LabelSelectorAsSelector(s)
		return err == nil
	}
	term := func(t corev1.PodAffinityTerm) bool {
		return t.TopologyKey != "" && selector(t.LabelSelector) && selector(t.NamespaceSelector)
	}
	every := func(list []corev1.PodAffinityTerm) bool {
		return !slices.ContainsFunc(list, func(t corev1.PodAffinityTerm) bool { return !term(t) })
	}
	if a := pod.Spec.Affinity; a != nil {
		if a.PodAffinity != nil && !every(a.PodAffinity.RequiredDuringSchedulingIgnoredDuringExecution) ||
			a.PodAntiAffinity != nil && !every(a.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution) {
			return false
		}
		if a.NodeAffinity != nil && a.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution != nil {
			if _, err := nodeaffinity.NewNodeSelector(a.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution); err != nil {
				return false
			}
		}
	}
	return !slices.ContainsFunc(pod.Spec.TopologySpreadConstraints, func(c corev1.TopologySpreadConstraint) bool {
		return c.TopologyKey == "" || c.MaxSkew < 1 || !selector(c.LabelSelector)
	})
}
