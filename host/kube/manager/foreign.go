package manager

import (
	"cmp"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/quern-project/quern/host/kube/translate"
)

// Cordoned reports whether a node is. It may be called concurrently.
func (m *Manager) Cordoned(node string) bool {
	n := m.cluster.node(node)
	return n != nil && n.Spec.Unschedulable
}

// Pod returns a pod by namespace and name; nil: it is not there. It may be called concurrently.
func (m *Manager) Pod(key string) *corev1.Pod { return m.cluster.Pod(key) }

// ForeignPods lists the pods of other schedulers on a node, by namespace and name. It may be called concurrently.
func (m *Manager) ForeignPods(node string) []*corev1.Pod {
	list := slices.DeleteFunc(m.cluster.podsOn(node), func(pod *corev1.Pod) bool { return m.o.Settings.StageOf(pod) != translate.Foreign })
	slices.SortFunc(list, func(a, b *corev1.Pod) int { return cmp.Compare(translate.Key(a), translate.Key(b)) })
	return list
}
