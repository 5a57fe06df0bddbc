package nodefit

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// BenchmarkPlugins asks which plugins a pod needs where 500 applications keep their own pods apart.
func BenchmarkPlugins(b *testing.B) {
	var c Cluster
	for i := range 500 {
		c.Repelling = append(c.Repelling, apart(fmt.Sprint("app", i)))
	}
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Labels: map[string]string{"app": "other"}}}
	for b.Loop() {
		if all := Plugins(pod, &c); len(all) > 0 {
			b.Fatal(all)
		}
	}
}

// apart is a pod that keeps others of its application away.
func apart(app string) *corev1.Pod {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Labels: map[string]string{"app": app}}}
	pod.Spec.Affinity = &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{
		{TopologyKey: corev1.LabelHostname, LabelSelector: &metav1.LabelSelector{MatchLabels: pod.Labels}}}}}
	return pod
}
