package manager

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/quern-project/quern/core/scheduler"
	corev1 "k8s.io/api/core/v1"
	kuberesource "k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"
)

// saysFirst waits until the condition of a pod has a reason, and its message begins with a text.
func saysFirst(a *api, key, reason, text string) func() string {
	return func() string {
		pod := a.pod(key)
		for _, c := range pod.Status.Conditions {
			if c.Type == corev1.PodScheduled && c.Reason == reason && strings.HasPrefix(c.Message, text) {
				return ""
			}
		}
		return fmt.Sprintf("pod %s: expected %s: %s…, found %v", key, reason, text, pod.Status.Conditions)
	}
}

func TestMessage_FullNodeBeforeNodesForOthers(t *testing.T) {
	a := newAPI(t)
	plane, db := worker("plane", 8000), worker("db", 8000)
	plane.Spec.Taints = []corev1.Taint{{Key: "node-role.kubernetes.io/control-plane", Effect: corev1.TaintEffectNoSchedule}}
	db.Spec.Taints = []corev1.Taint{{Key: "dedicated", Value: "db", Effect: corev1.TaintEffectNoSchedule}}
	for _, n := range []*corev1.Node{worker("n1", 4000), plane, db} {
		a.put("nodes", n)
	}
	a.putAll(waiting("first", "first", 3000))
	start(t, a.client(t), rules)
	until(t, isBound(a, "default/first"))
	a.putAll(waiting("second", "second", 3000))
	until(t, saysFirst(a, "default/second", corev1.PodReasonUnschedulable, "1 node with too little vcore free. 1 node without an allowed value of untolerated taints"))
	for _, c := range a.pod("default/second").Status.Conditions {
		if strings.Contains(c.Message, "control-plane") || !strings.HasSuffix(c.Message, "It needs 1 pod and 3 vcore.") {
			t.Errorf("found %s", c.Message)
		}
	}
}

// The pods of the first commands of docs/kubernetes/overview.md need no queue of their own.
func TestExample_HelloWithItsQueues(t *testing.T) {
	queues, err := os.ReadFile(examples + "queues.yaml")
	if err != nil {
		t.Fatal(err)
	}
	pods, err := os.ReadFile(examples + "hello.yaml")
	if err != nil {
		t.Fatal(err)
	}
	a := newAPI(t)
	node := worker("n1", 4000)
	node.Status.Allocatable[corev1.ResourceMemory] = kuberesource.MustParse("8Gi")
	a.put("nodes", node)
	for document := range strings.SplitSeq(string(pods), "\n---\n") {
		pod := &corev1.Pod{}
		if err := yaml.UnmarshalStrict([]byte(document), pod); err != nil {
			t.Fatal(err)
		}
		pod.Namespace, pod.Status.Phase = metav1.NamespaceDefault, corev1.PodPending
		a.putAll(pod)
	}
	r := start(t, a.client(t), string(queues))
	until(t, saysFirst(a, "default/too-large", corev1.PodReasonUnschedulable, "It can never run with the current queues and nodes: it needs 1,000 vcore, the largest node has 4."))
	until(t, isBound(a, "default/hello"))
	r.View().Read(func(s *scheduler.Scheduler) {
		if k, ok := s.Ask("default/hello"); !ok || k.Queue != "root.default" {
			t.Errorf("found %+v", k)
		}
	})
}

func TestNamespace_DeprecatedMaxima(t *testing.T) {
	a := newAPI(t)
	a.put("nodes", worker("n1", 4000))
	a.put("namespaces", &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "old-quota", Annotations: map[string]string{
		"yunikorn.apache.org/namespace.max.cpu": "300m", "yunikorn.apache.org/namespace.max.memory": "300M"}}})
	start(t, a.client(t), rules)
	for _, name := range []string{"a", "b"} {
		pod := waiting(name, "app", 200)
		pod.Namespace = "old-quota"
		a.putAll(pod)
	}
	until(t, counts(a, map[string]int{reasonQuota: 1}))
	until(t, func() string {
		for _, pod := range a.pods() {
			for _, c := range pod.Status.Conditions {
				if c.Reason == reasonQuota && !strings.HasPrefix(c.Message, "Queue root.old-quota lacks 0.1 vcore: it uses 0.2 of its max of 0.3.") {
					return c.Message
				}
			}
		}
		return ""
	})
}
