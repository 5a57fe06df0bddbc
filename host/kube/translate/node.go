package translate

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/quern-project/quern/core"
	quern "github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/host/kube/nodefit"
)

// NodeChange returns the inputs that a change of a node calls for; nil stands for a node that is not there. A cordoned node is not
// drained: like its other taints, the cordon bars the pods that do not tolerate it, by their Selectors.
func NodeChange(old, current *corev1.Node, inUse []*nodefit.Selector) []core.Input {
	switch {
	case old == nil && current == nil:
		return nil
	case current == nil:
		return []core.Input{{Event: &core.RemoveNode{ID: old.Name}}}
	case old == nil:
		return []core.Input{{Event: &core.AddNode{ID: current.Name, Capacity: NodeAmounts(current), Attributes: nodefit.Attributes(current, inUse)}}}
	}
	in := &core.UpdateNode{ID: current.Name}
	if set := NodeAmounts(current); !slices.Equal(set, NodeAmounts(old)) {
		in.Capacity = set
	}
	if all := nodefit.Attributes(current, inUse); !maps.Equal(all, nodefit.Attributes(old, inUse)) {
		in.Attributes = all
	}
	if in.Capacity == nil && in.Attributes == nil {
		return nil
	}
	return []core.Input{{Event: in}}
}

// Occupied returns the node.update that says what the foreign pods of a node take, and those of ours that count as such; nil: none do. Other pods, and
// those that are elsewhere, are skipped.
func (s *Settings) Occupied(node string, all []*corev1.Pod, asForeign func(*corev1.Pod) bool) *core.UpdateNode {
	var sets []quern.Set
	for _, pod := range all {
		if pod.Spec.NodeName != node {
			continue
		}
		if stage := s.StageOf(pod); stage == Foreign || stage == Placed && asForeign != nil && asForeign(pod) {
			sets = append(sets, PodAmounts(pod))
		}
	}
	return &core.UpdateNode{ID: node, Occupied: total(sets...)}
}
