package filter

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
)

// cores is an amount that the orders of nodes look at.
func cores(n int64) resource.Set {
	return resource.NewSet(resource.Quantity{Type: resource.VCore, Value: 1000 * n})
}

// BenchmarkCycle places 1,000 pods on 1,000 nodes in ten zones: without plugins, spread over zones or nodes, and kept apart.
func BenchmarkCycle(b *testing.B) {
	const size = 1_000
	same := &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}}
	spread := func(key string) func(*corev1.PodSpec) {
		return func(spec *corev1.PodSpec) {
			spec.TopologySpreadConstraints = []corev1.TopologySpreadConstraint{{MaxSkew: 1, TopologyKey: key, WhenUnsatisfiable: corev1.DoNotSchedule, LabelSelector: same}}
		}
	}
	for _, c := range []struct {
		name   string
		change func(*corev1.PodSpec)
		order  string
	}{
		{"plain", nil, "fair"},
		{"zones", spread(corev1.LabelTopologyZone), "fair"},
		{"nodes", spread(corev1.LabelHostname), "fair"},
		{"apart", func(spec *corev1.PodSpec) {
			spec.Affinity = &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{
				{TopologyKey: corev1.LabelHostname, LabelSelector: same}}}}
		}, "fair"},
		{"zones-binpacking", spread(corev1.LabelTopologyZone), "binpacking"},
		{"apart-binpacking", func(spec *corev1.PodSpec) {
			spec.Affinity = &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{
				{TopologyKey: corev1.LabelHostname, LabelSelector: same}}}}
		}, "binpacking"},
	} {
		b.Run(c.name, func(b *testing.B) {
			for range b.N {
				b.StopTimer()
				w := newWorld(b)
				s := w.scheduler()
				s.Advance(0)
				list := []core.Input{{Event: &core.SetConfig{Config: `partitions: [{name: default, nodesortpolicy: {type: ` + c.order + `}, queues: [{name: root, queues: [{name: a}]}]}]`}},
					{Event: &core.AddApp{ID: "app", Queue: "root.a"}}}
				for i := range size {
					name := fmt.Sprintf("n%d", i)
					w.addNode(&corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{corev1.LabelHostname: name, corev1.LabelTopologyZone: fmt.Sprint(i % 10)}}})
					list = append(list, core.Input{Event: &core.AddNode{ID: name, Capacity: cores(10)}})
				}
				for i := range size {
					pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: fmt.Sprint(i), UID: types.UID(fmt.Sprint(i)), Labels: map[string]string{"app": "web"}}}
					in := core.Input{Event: &core.AddAsk{ID: "ns/" + pod.Name, App: "app", Resources: cores(1)}}
					if c.change != nil {
						c.change(&pod.Spec)
						in.Ask().Predicate = w.filters.Name(pod)
					}
					w.filters.Pod(nil, pod)
					list = append(list, in)
				}
				for i := range list {
					s.Apply(&list[i])
				}
				b.StartTimer()
				if n := s.Cycle(-1); n != size {
					b.Fatalf("%d placed", n)
				}
			}
			b.ReportMetric(float64(size)*float64(b.N)/b.Elapsed().Seconds(), "pods/s")
		})
	}
}
