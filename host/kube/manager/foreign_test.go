package manager

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/quern-project/quern/host/kube/translate"
)

func TestForeignPods_OfANode(t *testing.T) {
	m := &Manager{o: Options{Settings: translate.Settings{Schedulers: []string{"quern"}}}}
	m.cluster.pods = cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{onNode: podsByNode})
	m.cluster.nodes = cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{})
	for name, spec := range map[string]corev1.PodSpec{
		"b": {NodeName: "n1", SchedulerName: "other"}, "a": {NodeName: "n1"}, "ours": {NodeName: "n1", SchedulerName: "quern"},
		"elsewhere": {NodeName: "n2"}, "waits": {}, "ended": {NodeName: "n1"},
	} {
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: name}, Spec: spec}
		if name == "ended" {
			pod.Status.Phase = corev1.PodSucceeded
		}
		if err := m.cluster.pods.Add(pod); err != nil {
			t.Fatal(err)
		}
	}
	for _, n := range []*corev1.Node{{ObjectMeta: metav1.ObjectMeta{Name: "n1"}}, {ObjectMeta: metav1.ObjectMeta{Name: "n2"}, Spec: corev1.NodeSpec{Unschedulable: true}}} {
		if err := m.cluster.nodes.Add(n); err != nil {
			t.Fatal(err)
		}
	}
	if list := m.ForeignPods("n1"); len(list) != 2 || list[0].Name != "a" || list[1].Name != "b" {
		t.Errorf("found %v", list)
	}
	if m.Cordoned("n1") || !m.Cordoned("n2") || m.Cordoned("none") {
		t.Error("expected n2 alone to be cordoned")
	}
	if p := m.Pod("ns/ours"); p == nil || p.Name != "ours" || m.Pod("ns/none") != nil {
		t.Error("expected the pod that is there alone")
	}
}
