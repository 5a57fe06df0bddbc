package translate

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/quern-project/quern/host/kube/nodefit"
)

// What a new pod without anything unusual costs, its application apart.
func BenchmarkChangeOfANewPod(b *testing.B) {
	pod := decoded[corev1.Pod](b, []byte(usualPod))
	b.ReportAllocs()
	for b.Loop() {
		quernOnly.Change(nil, pod, Known{App: true}, &Context{})
	}
}

// What most events of a pod cost: its status has changed.
func BenchmarkChangeOfAStatus(b *testing.B) {
	pod := decoded[corev1.Pod](b, []byte(usualPod))
	pod.Spec.NodeName = "n1"
	known := Known{App: true, Has: Allocation, Resources: PodAmounts(pod), Node: "n1"}
	b.ReportAllocs()
	for b.Loop() {
		quernOnly.Change(pod, pod, known, &Context{})
	}
}

// What a change of a node's labels costs, with so many selectors in use.
func BenchmarkChangeOfANode100Selectors(b *testing.B) {
	old := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "n1", Labels: map[string]string{"zone": "a"}}}
	current := old.DeepCopy()
	current.Labels["disk"] = "ssd"
	var inUse nodefit.InUse
	for n := range 100 {
		pod := decoded[corev1.Pod](b, []byte(usualPod))
		pod.Spec.Tolerations = []corev1.Toleration{{Key: fmt.Sprint("t", n)}}
		inUse.Add(nodefit.Of(pod).Selectors)
	}
	all := inUse.All()
	b.ReportAllocs()
	for b.Loop() {
		NodeChange(old, current, all)
	}
}

const usualPod = `
metadata: {name: web-1, namespace: ns, uid: u, labels: {applicationId: web, queue: root.a}}
spec:
  schedulerName: quern
  nodeSelector: {zone: a}
  tolerations:
  - {key: node.kubernetes.io/not-ready, operator: Exists, effect: NoExecute, tolerationSeconds: 300}
  - {key: node.kubernetes.io/unreachable, operator: Exists, effect: NoExecute, tolerationSeconds: 300}
  containers: [{name: web, resources: {requests: {cpu: 500m, memory: 512Mi}}}]
`
