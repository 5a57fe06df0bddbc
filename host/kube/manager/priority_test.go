package manager

import (
	"os"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"
)

// The queues that the chart has by default, with less patience: a PriorityClass is worth what it is on Kubernetes.
func TestPodsOfHigherPriorityPreemptInTheDefaultQueues(t *testing.T) {
	text, err := os.ReadFile("../../../docs/operate/kubernetes/chart/values.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var values struct{ Queues string }
	if err := yaml.Unmarshal(text, &values); err != nil {
		t.Fatal(err)
	}
	const property = "{preemption.intra-queue: enabled}"
	if !strings.Contains(values.Queues, property) {
		t.Fatalf("found no %s in\n%s", property, values.Queues)
	}
	a := newAPI(t)
	a.put("nodes", worker("n1", 1000))
	a.putAll(waiting("low", "low", 1000))
	start(t, a.client(t), strings.Replace(values.Queues, property, "{preemption.intra-queue: enabled, preemption.delay: 1s}", 1))
	until(t, isBound(a, "default/low"))
	high, priority := waiting("high", "high", 1000), int32(1000)
	high.Spec.PriorityClassName, high.Spec.Priority = "urgent", &priority // admission writes the value of the class
	a.putAll(high)
	if why := ends(t, a, "default/low"); why != "Preempted for pod default/high on node n1" {
		t.Errorf("found %q", why)
	}
	a.remove("pods", "default/low")
	until(t, isBound(a, "default/high"))
	equal, preemptNever := waiting("equal", "equal", 1000), waiting("never", "never", 1000)
	equal.Spec.Priority, preemptNever.Spec.Priority = &priority, new(int32)
	*preemptNever.Spec.Priority = 5000
	never := corev1.PreemptNever
	preemptNever.Spec.PreemptionPolicy = &never
	a.putAll(equal, preemptNever)
	until(t, condition(a, "default/equal", corev1.PodReasonUnschedulable))
	until(t, condition(a, "default/never", corev1.PodReasonUnschedulable))
	if a.pod("default/high").DeletionTimestamp != nil {
		t.Error("a pod was preempted for one that may not preempt it")
	}
}
