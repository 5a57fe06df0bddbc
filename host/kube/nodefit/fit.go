package nodefit

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
)

// Fit is what a pod demands of its node.
type Fit struct {
	Node        string              // the only node for a pod of a DaemonSet; empty: any
	Constraints map[string][]string // by attribute, as core.Ask has them; nil: none
	Selectors   []*Selector         // those that Constraints names
}

// Of returns what a pod demands of its node: nodeSelector, required node affinity, and tolerations.
func Of(pod *corev1.Pod) Fit {
	var f Fit
	for key, value := range pod.Spec.NodeSelector {
		f.allow(key, []string{value})
	}
	f.affinity(pod)
	f.tolerations(pod.Spec.Tolerations)
	return f
}

// allow adds a constraint; two on one attribute must both hold.
func (f *Fit) allow(attribute string, values []string) {
	if f.Constraints == nil {
		f.Constraints = map[string][]string{}
	}
	if before, ok := f.Constraints[attribute]; ok {
		values = slices.DeleteFunc(slices.Clone(values), func(v string) bool { return !slices.Contains(before, v) })
	}
	f.Constraints[attribute] = values
}

// demand adds a selector.
func (f *Fit) demand(s *Selector) {
	f.allow(s.Attribute, []string{s.Meets})
	if !slices.ContainsFunc(f.Selectors, func(o *Selector) bool { return o.Attribute == s.Attribute }) {
		f.Selectors = append(f.Selectors, s)
	}
}

// daemonSet reports whether a pod is one that a DaemonSet makes for each node.
func daemonSet(pod *corev1.Pod) bool {
	return slices.ContainsFunc(pod.OwnerReferences, ownedByDaemonSet)
}
