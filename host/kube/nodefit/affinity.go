package nodefit

import (
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"
)

// matches is the value of an affinity's attribute on the nodes that it selects. Other nodes do not have the attribute.
const matches = "true"

func (f *Fit) affinity(pod *corev1.Pod) {
	a := pod.Spec.Affinity
	if a == nil || a.NodeAffinity == nil || a.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution == nil {
		return
	}
	required := a.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution
	_, err := nodeaffinity.NewNodeSelector(required)
	terms := required.NodeSelectorTerms
	if daemonSet(pod) && err == nil {
		var free bool
		if f.Node, terms, free = requiredNode(terms); free {
			return
		}
	}
	if len(terms) != 1 || err != nil || empty(&terms[0]) {
		f.demand(affinitySelector(terms))
		return
	}
	for _, e := range terms[0].MatchExpressions {
		if e.Operator == corev1.NodeSelectorOpIn {
			f.allow(e.Key, e.Values)
		} else {
			f.demand(affinitySelector([]corev1.NodeSelectorTerm{{MatchExpressions: []corev1.NodeSelectorRequirement{e}}}))
		}
	}
	if fields := terms[0].MatchFields; len(fields) > 0 {
		f.demand(affinitySelector([]corev1.NodeSelectorTerm{{MatchFields: fields}}))
	}
}

func empty(t *corev1.NodeSelectorTerm) bool {
	return len(t.MatchExpressions) == 0 && len(t.MatchFields) == 0
}

func ownedByDaemonSet(o metav1.OwnerReference) bool { return o.Kind == "DaemonSet" }

// requiredNode returns the node that all terms name, which is how a DaemonSet says where a pod belongs, and the terms without it. free
// says that one term demands nothing else. Without such a node, the terms are returned as they are.
func requiredNode(terms []corev1.NodeSelectorTerm) (node string, rest []corev1.NodeSelectorTerm, free bool) {
	for i, t := range terms {
		if len(t.MatchFields) != 1 || !namesNode(&t.MatchFields[0]) || i > 0 && t.MatchFields[0].Values[0] != node {
			return "", terms, false
		}
		node = t.MatchFields[0].Values[0]
		free = free || len(t.MatchExpressions) == 0
		rest = append(rest, corev1.NodeSelectorTerm{MatchExpressions: t.MatchExpressions})
	}
	return node, rest, free
}

func namesNode(r *corev1.NodeSelectorRequirement) bool {
	return r.Key == metav1.ObjectNameField && r.Operator == corev1.NodeSelectorOpIn && len(r.Values) == 1
}

// affinitySelector is terms of which one must hold.
func affinitySelector(terms []corev1.NodeSelectorTerm) *Selector {
	selector := nodeaffinity.NewLazyErrorNodeSelector(&corev1.NodeSelector{NodeSelectorTerms: terms})
	return &Selector{attributeName("affinity: " + affinityText(terms)), matches, func(n *corev1.Node) string {
		if ok, _ := selector.Match(n); ok { // a term that cannot be read selects no node
			return matches
		}
		return ""
	}}
}

// affinityText writes terms as people would say them.
func affinityText(terms []corev1.NodeSelectorTerm) string {
	all := make([]string, 0, len(terms))
	for _, t := range terms {
		var parts []string
		for _, r := range t.MatchExpressions {
			parts = append(parts, requirementText("", &r))
		}
		for _, r := range t.MatchFields {
			parts = append(parts, requirementText("field ", &r))
		}
		all = append(all, strings.Join(parts, " and "))
	}
	slices.Sort(all) // the order of alternatives means nothing
	if text := strings.Join(all, " or "); text != "" {
		return text
	}
	return "no term"
}

func requirementText(kind string, r *corev1.NodeSelectorRequirement) string {
	text := kind + unambiguous(r.Key) + " " + unambiguous(string(r.Operator))
	if len(r.Values) > 0 {
		values := make([]string, 0, len(r.Values))
		for _, v := range r.Values {
			values = append(values, unambiguous(v))
		}
		text += " (" + strings.Join(values, ", ") + ")"
	}
	return text
}

// unambiguous quotes a text that is no label, so that different demands never have the same text.
func unambiguous(text string) string {
	if text == "" || strings.ContainsFunc(text, func(r rune) bool {
		return !strings.ContainsRune("-._/", r) && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	}) {
		return strconv.Quote(text)
	}
	return text
}
