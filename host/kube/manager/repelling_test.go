package manager

import (
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// repeller is a pod that keeps pods with a label away.
func repeller(namespace, app string, change func(*corev1.PodAffinityTerm)) *corev1.Pod {
	term := corev1.PodAffinityTerm{TopologyKey: corev1.LabelHostname, LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": app}}}
	if change != nil {
		change(&term)
	}
	return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: namespace}, Spec: corev1.PodSpec{Affinity: &corev1.Affinity{
		PodAntiAffinity: &corev1.PodAntiAffinity{RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{term}}}}}
}

func TestOnlyThoseThatMayRepelANamespaceAreNearIt(t *testing.T) {
	r := newRepelling()
	local, twin := repeller("a", "web", nil), repeller("a", "web", nil)
	named := repeller("a", "db", func(t *corev1.PodAffinityTerm) { t.Namespaces = []string{"b", "c"} })
	any := repeller("c", "any", func(t *corev1.PodAffinityTerm) { t.NamespaceSelector = &metav1.LabelSelector{} })
	expect := func(namespace string, want ...*corev1.Pod) {
		t.Helper()
		if got := r.near(namespace); !slices.Equal(got, want) {
			t.Errorf("near %s: %d pods, expected %d", namespace, len(got), len(want))
		}
	}
	expect("a")
	r.add("a/1", local)
	r.add("a/2", twin)
	r.add("a/3", named)
	r.add("c/4", any)
	if n := len(r.changes()); n != 3 {
		t.Errorf("%d changes, expected 3: two pods repel alike", n)
	}
	expect("a", local, any)
	expect("b", named, any)
	expect("d", any)
	r.remove("a/1")
	r.add("a/2", twin)
	if n := len(r.changes()); n != 0 {
		t.Errorf("%d changes, expected none: another repels as the one that has gone", n)
	}
	expect("a", local, any)
	r.remove("a/2")
	r.remove("c/4")
	expect("a")
	expect("b", named)
	if n := len(r.changes()); n != 2 {
		t.Errorf("%d changes, expected 2", n)
	}
}
