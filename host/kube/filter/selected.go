package filter

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// selected has the keys of labels that selectors of pods have named so far. Plugins read no other labels of a pod, so pods that differ in others,
// such as the pod names that a StatefulSet gives, are judged alike.
type selected struct {
	keys    map[string]bool
	version uint64 // grows with every key
}

// note takes in the selectors of a pod. That of namespaces is about their labels.
func (s *selected) note(pod *corev1.Pod) {
	if a := pod.Spec.Affinity; a != nil {
		if a.PodAffinity != nil {
			s.terms(a.PodAffinity.RequiredDuringSchedulingIgnoredDuringExecution)
		}
		if a.PodAntiAffinity != nil {
			s.terms(a.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution)
		}
	}
	for i := range pod.Spec.TopologySpreadConstraints {
		c := &pod.Spec.TopologySpreadConstraints[i]
		s.selector(c.LabelSelector)
		s.add(c.MatchLabelKeys...)
	}
}

func (s *selected) terms(list []corev1.PodAffinityTerm) {
	for i := range list {
		s.selector(list[i].LabelSelector)
		s.add(list[i].MatchLabelKeys...)
		s.add(list[i].MismatchLabelKeys...)
	}
}

func (s *selected) selector(l *metav1.LabelSelector) {
	if l == nil {
		return
	}
	for key := range l.MatchLabels {
		s.add(key)
	}
	for i := range l.MatchExpressions {
		s.add(l.MatchExpressions[i].Key)
	}
}

func (s *selected) add(keys ...string) {
	for _, key := range keys {
		if !s.keys[key] {
			s.keys[key] = true
			s.version++
		}
	}
}

// of is the labels of a pod that plugins may read. A pod without an ID stands for placeholders: their predicate never changes, whatever keys come.
func (s *selected) of(pod *corev1.Pod) map[string]string {
	if pod.UID == "" {
		return pod.Labels
	}
	var labels map[string]string
	for key, value := range pod.Labels {
		if s.keys[key] {
			if labels == nil {
				labels = map[string]string{}
			}
			labels[key] = value
		}
	}
	return labels
}

// Selected grows when selectors name other labels than before: then pods may have other names than they had.
func (f *Filters) Selected() uint64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.selected.version
}
