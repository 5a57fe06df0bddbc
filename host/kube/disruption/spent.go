package disruption

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Spend counts the preemption of a pod against its budgets, and returns those that had no disruption left, by kind, namespace and name.
func (s *Budgets) Spend(pod *corev1.Pod) (violated []string) {
	if s.spent[pod.Namespace] == nil {
		s.spent[pod.Namespace] = map[types.UID]*corev1.Pod{}
	}
	s.spent[pod.Namespace][pod.UID] = pod
	for _, b := range s.byNamespace[pod.Namespace] {
		if !b.matches(pod) {
			continue
		}
		if b.left <= 0 {
			violated = append(violated, "PodDisruptionBudget "+pod.Namespace+"/"+b.name)
		}
		if b.left--; b.left == 0 {
			s.recheckPods(pod.Namespace, []*budget{b})
		}
	}
	return violated
}

// Unspend takes back the preemption of a pod that does not end after all. Without a preemption it does nothing.
func (s *Budgets) Unspend(pod *corev1.Pod) {
	spent := s.spent[pod.Namespace]
	if spent[pod.UID] == nil {
		return
	}
	if delete(spent, pod.UID); len(spent) == 0 {
		delete(s.spent, pod.Namespace)
	}
	s.Changed(pod.Namespace)
}

// Deleted says that a pod has begun to end: its budgets may have counted its preemption already.
func (s *Budgets) Deleted(pod *corev1.Pod) {
	if s.spent[pod.Namespace][pod.UID] != nil {
		s.Changed(pod.Namespace)
	}
}

// Ended says that a pod has ended. If it was preempted, its budgets will count that.
func (s *Budgets) Ended(pod *corev1.Pod) {
	if s.spent[pod.Namespace][pod.UID] == nil {
		return
	}
	if s.Any(pod.Namespace) {
		s.ended[pod.Namespace] = append(s.ended[pod.Namespace], pod)
	}
	s.Unspend(pod)
}

// uncounted counts the pods of a budget that were preempted and that its status does not count yet: those that the API server was not asked to
// end yet, and of the others as many as the status still has as healthy, since it is written a moment later. late reports whether pods have ended
// that the status has as healthy.
func (s *Budgets) uncounted(o *policyv1.PodDisruptionBudget, b *budget) (n int32, late bool) {
	var ending, ended int32
	for _, pod := range s.spent[o.Namespace] {
		if _, counted := o.Status.DisruptedPods[pod.Name]; counted || !b.matches(pod) {
			continue
		}
		if current := s.cluster.Pod(key(pod)); current != nil && current.UID == pod.UID && current.DeletionTimestamp != nil {
			ending++
		} else {
			n++
		}
	}
	for _, pod := range s.ended[o.Namespace] {
		if b.matches(pod) {
			ended++
		}
	}
	if ending+ended == 0 {
		return n, false
	}
	more := s.seemHealthy(o, b)
	return n + min(ending+ended, more), ended > 0 && more > 0
}

// seemHealthy counts the pods that the status of a budget has as healthy and that are not.
func (s *Budgets) seemHealthy(o *policyv1.PodDisruptionBudget, b *budget) int32 {
	more := o.Status.CurrentHealthy
	for _, pod := range s.cluster.PodsIn(o.Namespace) {
		if _, counted := o.Status.DisruptedPods[pod.Name]; !counted && healthy(pod) && b.matches(pod) {
			more--
		}
	}
	return max(0, more)
}

// healthy reports whether a pod counts for its budgets, by the rule of the disruption controller.
func healthy(pod *corev1.Pod) bool {
	return pod.DeletionTimestamp == nil && slices.ContainsFunc(pod.Status.Conditions, func(c corev1.PodCondition) bool {
		return c.Type == corev1.PodReady && c.Status == corev1.ConditionTrue
	})
}
