package manager

import (
	"testing"

	"github.com/quern-project/quern/core/explain"
	corev1 "k8s.io/api/core/v1"
)

func TestExplanation_WithoutTheControlPlane(t *testing.T) {
	const taints, cp = "untolerated taints", "node-role.kubernetes.io/control-plane"
	tainted := func(keys ...string) *corev1.Node {
		n := &corev1.Node{}
		for _, key := range keys {
			n.Spec.Taints = append(n.Spec.Taints, corev1.Taint{Key: key, Effect: corev1.TaintEffectNoSchedule})
		}
		return n
	}
	r := &reasons{nodes: &nodes{known: map[string]*node{
		"plane-1": {submitted: tainted(cp), attributes: map[string]string{taints: cp + ":NoSchedule", "disk": "ssd"}},
		"plane-2": {submitted: tainted("x", cp), attributes: map[string]string{taints: "x:NoSchedule"}},
		"tainted": {submitted: tainted("x"), attributes: map[string]string{taints: "x:NoSchedule", "disk": "ssd"}},
		"worker":  {submitted: tainted(), attributes: map[string]string{taints: "none", "disk": "ssd"}},
	}}}
	explained := func() *explain.AskExplanation {
		return &explain.AskExplanation{
			Nodes: []explain.NodeCount{{Reason: explain.NodeConstraint, Detail: "disk", Nodes: 1}, {Reason: explain.NodeConstraint, Detail: taints, Nodes: 2}, {Reason: explain.NodeFull, Detail: "vcore", Nodes: 1}},
			Mismatches: []explain.Mismatch{
				{Attribute: "disk", Wanted: []string{"ssd"}, Nodes: 1, Without: 1},
				{Attribute: taints, Wanted: []string{"none"}, Nodes: 3, Present: []explain.ValuePresent{{Value: "x:NoSchedule", Nodes: 2}, {Value: cp + ":NoSchedule", Nodes: 1}}},
			}}
	}
	e := explained()
	whole := e.Brief(0)
	pod := &corev1.Pod{}
	want := "1 node with too little vcore free. 1 node without an allowed value of untolerated taints. Attribute untolerated taints must be none; other nodes have x:NoSchedule (1). "
	if got := r.withoutControlPlane(pod, e).Brief(0); len(got) < len(want) || got[:len(want)] != want {
		t.Errorf("expected %s\nfound %s", want, got)
	}
	if e.Brief(0) != whole {
		t.Error("the explanation itself was changed")
	}
	pod.Spec.Tolerations = []corev1.Toleration{{Key: cp, Operator: corev1.TolerationOpExists}}
	if got := r.withoutControlPlane(pod, e).Brief(0); got != whole {
		t.Errorf("a pod that tolerates the control plane: %s", got)
	}
	pod.Spec.Tolerations = nil
	delete(r.nodes.known, "tainted")
	delete(r.nodes.known, "worker")
	if got := r.withoutControlPlane(pod, e).Brief(0); got != whole {
		t.Errorf("a cluster of the control plane alone: %s", got)
	}
}
