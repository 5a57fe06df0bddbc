package nodefit

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	scheduling "k8s.io/component-helpers/scheduling/corev1"
	"k8s.io/klog/v2"
)

// noTaint is the value of a tolerations' attribute on nodes without a taint that they do not tolerate. On other nodes it is the taint.
const noTaint = "none"

// taintsAttribute begins the names of these attributes, and is the whole name for pods with only the tolerations that the API server
// adds to every pod.
const taintsAttribute = "untolerated taints"

// usualTolerations are those. Nearly all pods have no others, which are therefore recognized without a text.
var usualTolerations = []corev1.Toleration{
	{Key: corev1.TaintNodeNotReady, Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute},
	{Key: corev1.TaintNodeUnreachable, Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute},
}

var usualTaints = &Selector{taintsAttribute, noTaint, func(n *corev1.Node) string { return untolerated(n, usualTolerations) }}

// areUsual reports whether a pod has these tolerations, and no others that keep it away from nodes.
func areUsual(all []corev1.Toleration) bool {
	var found [2]bool
	for i := range all {
		t := &all[i]
		usual := slices.IndexFunc(usualTolerations, func(u corev1.Toleration) bool {
			return t.Key == u.Key && t.Operator == u.Operator && t.Effect == u.Effect
		})
		switch {
		case usual >= 0:
			found[usual] = true
		case t.Effect != corev1.TaintEffectPreferNoSchedule:
			return false
		}
	}
	return found[0] && found[1]
}

// tolerations keeps a pod away from nodes with taints that it does not tolerate.
func (f *Fit) tolerations(all []corev1.Toleration) {
	if areUsual(all) {
		f.demand(usualTaints)
		return
	}
	all = slices.DeleteFunc(slices.Clone(all), func(t corev1.Toleration) bool { return t.Effect == corev1.TaintEffectPreferNoSchedule })
	texts := make([]string, 0, len(all))
	for _, t := range all {
		if t.Key == "" && t.Operator == corev1.TolerationOpExists && t.Effect == "" {
			return // every taint is tolerated
		}
		texts = append(texts, tolerationText(&t))
	}
	slices.Sort(texts)
	name := taintsAttribute
	switch text := strings.Join(slices.Compact(texts), ", "); text {
	case "":
		name += " without tolerations"
	default:
		name += " with tolerations " + text
	}
	f.demand(&Selector{attributeName(name), noTaint, func(n *corev1.Node) string { return untolerated(n, all) }})
}

// untolerated returns the first taint of a node that is not tolerated, or noTaint. A cordoned node counts as tainted before the node
// controller has added the taint.
func untolerated(n *corev1.Node, all []corev1.Toleration) string {
	taints := n.Spec.Taints
	if n.Spec.Unschedulable {
		taints = append(slices.Clip(taints), corev1.Taint{Key: corev1.TaintNodeUnschedulable, Effect: corev1.TaintEffectNoSchedule})
	}
	// The discarded logger would hear of operators that compare numbers, which the API server takes behind a feature gate alone.
	taint, found := scheduling.FindMatchingUntoleratedTaint(klog.Logger{}, taints, all, keepsPodsAway, false)
	if !found {
		return noTaint
	}
	text := taint.Key
	if taint.Value != "" {
		text += "=" + taint.Value
	}
	return text + ":" + string(taint.Effect)
}

func keepsPodsAway(t *corev1.Taint) bool {
	return t.Effect == corev1.TaintEffectNoSchedule || t.Effect == corev1.TaintEffectNoExecute
}

// tolerationText writes a toleration as kubectl does, with * for any key.
func tolerationText(t *corev1.Toleration) string {
	text := "*"
	if t.Key != "" {
		text = unambiguous(t.Key)
	}
	switch t.Operator {
	case corev1.TolerationOpExists:
	case corev1.TolerationOpEqual, "":
		text += "=" + unambiguous(t.Value)
	default:
		text += " " + unambiguous(string(t.Operator)) + " " + unambiguous(t.Value)
	}
	if t.Effect != "" {
		text += ":" + unambiguous(string(t.Effect))
	}
	return text
}
