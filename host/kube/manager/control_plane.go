package manager

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/host/kube/nodefit"
)

// withoutControlPlane is an explanation for a pod that leaves out the nodes of the control plane that the pod does not tolerate: none of its users
// expects it there. If it may run nowhere else, they stay.
func (r *reasons) withoutControlPlane(pod *corev1.Pod, e *explain.AskExplanation) *explain.AskExplanation {
	var hidden []*node
	for _, n := range r.nodes.known {
		if nodefit.OfControlPlane(n.submitted) && nodefit.Repels(pod, n.submitted) {
			hidden = append(hidden, n)
		}
	}
	if len(hidden) == 0 || len(hidden) == len(r.nodes.known) || e.Required != "" {
		return e
	}
	c := *e
	c.Nodes, c.Mismatches = slices.Clone(e.Nodes), slices.Clone(e.Mismatches)
	for i := range c.Mismatches {
		c.Mismatches[i].Present = slices.Clone(c.Mismatches[i].Present)
	}
	if e.Atomic != nil {
		g := *e.Atomic
		g.Nodes = slices.Clone(g.Nodes)
		c.Atomic = &g
	}
	for _, n := range hidden {
		leaveOut(&c, n.attributes)
	}
	c.Nodes, c.Mismatches = somewhere(c.Nodes), slices.DeleteFunc(c.Mismatches, func(m explain.Mismatch) bool { return m.Nodes <= 0 })
	if c.Atomic != nil {
		c.Atomic.Nodes = somewhere(c.Atomic.Nodes)
	}
	return &c
}

// leaveOut takes a node out of the counts. It is counted for the first of the constraints that it does not meet, and for the value that it has of
// each.
func leaveOut(e *explain.AskExplanation, attributes map[string]string) {
	first := true
	for i := range e.Mismatches {
		m := &e.Mismatches[i]
		value, has := attributes[m.Attribute]
		if has && slices.Contains(m.Wanted, value) {
			continue
		}
		if first {
			uncount(e.Nodes, m.Attribute)
			if e.Atomic != nil {
				uncount(e.Atomic.Nodes, m.Attribute)
			}
			first = false
		}
		m.Nodes--
		if !has {
			m.Without--
			continue
		}
		for j := range m.Present {
			if m.Present[j].Value == value {
				m.Present[j].Nodes--
			}
		}
		m.Present = slices.DeleteFunc(m.Present, func(p explain.ValuePresent) bool { return p.Nodes <= 0 })
	}
}

// uncount takes one node from those that lack a value of an attribute.
func uncount(list []explain.NodeCount, attribute string) {
	for i := range list {
		if list[i].Reason == explain.NodeConstraint && list[i].Detail == attribute {
			list[i].Nodes--
		}
	}
}

// somewhere are the causes that some node fails on.
func somewhere(list []explain.NodeCount) []explain.NodeCount {
	return slices.DeleteFunc(list, func(n explain.NodeCount) bool { return n.Nodes <= 0 })
}
