package manager

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/yaml"
	sigsyaml "sigs.k8s.io/yaml"

	"github.com/quern-project/quern/internal/await"
)

// manifests reads a file of objects as users write them.
func manifests(t *testing.T, file string) (list []object) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for reader := yaml.NewYAMLReader(bufio.NewReader(f)); ; {
		text, err := reader.Read()
		if err == io.EOF {
			return list
		} else if err != nil {
			t.Fatal(err)
		}
		var kind metav1.TypeMeta
		if err := sigsyaml.Unmarshal(text, &kind); err != nil {
			t.Fatal(err)
		}
		made := map[string]object{"Namespace": &corev1.Namespace{}, "Node": &corev1.Node{}, "Pod": &corev1.Pod{}, "PriorityClass": &schedulingv1.PriorityClass{}, "PodGroup": &unstructured.Unstructured{}}
		o := made[kind.Kind]
		if o == nil {
			continue // a comment
		}
		if err := sigsyaml.UnmarshalStrict(text, o); err != nil {
			t.Fatal(err)
		}
		list = append(list, o)
	}
}

func (a *api) putAll(list ...object) {
	for _, o := range list {
		switch o.(type) {
		case *corev1.Namespace:
			a.put("namespaces", o)
		case *corev1.Node:
			a.put("nodes", o)
		case *corev1.Pod:
			a.put("pods", o)
		case *schedulingv1.PriorityClass:
			a.put("priorityclasses", o)
		case *unstructured.Unstructured:
			a.put("podgroups", o)
		}
	}
}

func (a *api) nodeOf(key string) string {
	if pod := a.pod(key); pod != nil {
		return pod.Spec.NodeName
	}
	return ""
}

func isBound(a *api, keys ...string) func() string {
	return func() string {
		for _, key := range keys {
			if a.nodeOf(key) == "" {
				return key + " has no node"
			}
		}
		return ""
	}
}

const stories = "../translate/testdata/"

func TestASparkApplicationIsBoundUnchanged(t *testing.T) {
	a := newAPI(t)
	list := manifests(t, stories+"spark.yaml")
	a.putAll(list[:len(list)-2]...)
	r := start(t, a.client(t), rules)
	until(t, isBound(a, "analytics/etl-driver"))
	until(t, func() string { // the room of the executors is held before they are made
		held := 0
		for id, node := range r.asks() {
			if strings.Contains(id, "/placeholder-") && node != "" {
				held++
			}
		}
		if held != 2 {
			return fmt.Sprintf("%d placeholders hold room: %v", held, r.asks())
		}
		return ""
	})
	a.putAll(list[len(list)-2:]...)
	until(t, isBound(a, "analytics/etl-exec-1", "analytics/etl-exec-2"))
	until(t, func() string {
		if all := r.asks(); len(all) != 3 {
			return fmt.Sprintf("expected no placeholder any more, found %v", all)
		}
		return ""
	})
}

func TestAnApplicationWithoutPodsHoldsNoRoom(t *testing.T) {
	a := newAPI(t)
	list := manifests(t, stories+"spark.yaml")
	a.putAll(list[:len(list)-2]...)
	r := start(t, a.client(t), rules)
	until(t, func() string {
		if n := len(r.asks()); n < 3 {
			return fmt.Sprintf("%d asks", n)
		}
		return ""
	})
	a.remove("pods", "analytics/etl-driver")
	until(t, func() string {
		if all := r.asks(); len(all) > 0 {
			return fmt.Sprintf("expected nothing, found %v", all)
		}
		return ""
	})
	a.putAll(manifests(t, stories+"spark.yaml")...)
	until(t, isBound(a, "analytics/etl-driver", "analytics/etl-exec-1", "analytics/etl-exec-2"))
}

func TestARestartedReplicaHoldsNoRoomForPodsThatRun(t *testing.T) {
	a := newAPI(t)
	list := manifests(t, stories+"spark.yaml")
	a.putAll(list...)
	r := start(t, a.client(t), rules)
	until(t, isBound(a, "analytics/etl-driver", "analytics/etl-exec-1", "analytics/etl-exec-2"))
	r.end()
	again := start(t, a.client(t), rules)
	until(t, func() string {
		if all := again.asks(); len(all) != 3 || slices.Contains(slices.Collect(maps.Values(all)), "") {
			return fmt.Sprintf("expected the three pods, allocated; found %v", all)
		}
		return ""
	})
}

func TestAJobIsBoundAsAWhole(t *testing.T) {
	a := newAPI(t)
	list := manifests(t, stories+"job.yaml")
	a.putAll(&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "ml"}})
	a.putAll(list[:len(list)-1]...)
	r := start(t, a.client(t), strings.Replace(rules, "{name: analytics}", "{name: ml}", 1))
	until(t, func() string {
		if len(r.asks()) != 2 {
			return fmt.Sprintf("%v", r.asks())
		}
		return ""
	})
	until(t, condition(a, "ml/train-1", reasonWaiting)) // two of three: nothing is bound
	a.putAll(list[len(list)-1])
	until(t, isBound(a, "ml/train-1", "ml/train-2", "ml/train-3"))
}

// condition waits for the reason of a pod's condition PodScheduled.
func condition(a *api, key, reason string) func() string {
	return func() string {
		pod := a.pod(key)
		if pod == nil {
			return key + " is gone"
		}
		for _, c := range pod.Status.Conditions {
			if c.Type == corev1.PodScheduled && c.Status == corev1.ConditionFalse && c.Reason == reason && c.Message != "" {
				return ""
			}
		}
		return fmt.Sprintf("%s: expected the reason %s, found %+v", key, reason, pod.Status.Conditions)
	}
}

// queues has no placement rules: applications name their queues.
const queues = `
partitions:
- name: default
  queues:
  - name: root
    queues:
    - {name: analytics}
    - {name: small, resources: {max: {vcore: "1"}}}
`

func TestOnlyPodsThatNodesWouldHelpAreUnschedulable(t *testing.T) {
	a := newAPI(t)
	a.put("nodes", worker("n1", 2000))
	start(t, a.client(t), queues)
	large, over := queued(waiting("large", "large", 3000), "root.analytics"), queued(waiting("over", "over", 1500), "root.small")
	lost, ported := queued(waiting("lost", "lost", 100), "root.nowhere"), queued(waiting("ported", "ported", 100), "root.analytics")
	ported.Spec.Containers[0].Ports = []corev1.ContainerPort{{ContainerPort: 80, HostPort: 80}}
	a.putAll(large, over, lost, ported)
	until(t, condition(a, "default/large", corev1.PodReasonUnschedulable))
	until(t, condition(a, "default/over", reasonQuota))
	until(t, condition(a, "default/lost", reasonRefused))
	until(t, condition(a, "default/ported", reasonRefused))
	patches := 0
	until(t, func() string { // events come after conditions
		a.mu.Lock()
		defer a.mu.Unlock()
		patches = a.requests["PATCH status"]
		return map[bool]string{false: "no event tells of the large pod"}[a.events["FailedScheduling"] > 0]
	})
	await.Stays(t, 3*noteEvery, func() string { // nothing has changed: nothing more is written
		a.mu.Lock()
		defer a.mu.Unlock()
		if events := a.events["FailedScheduling"]; events != 1 {
			return fmt.Sprintf("%d events FailedScheduling, expected the one of the large pod", events)
		}
		if more := a.requests["PATCH status"] - patches; more != 0 {
			return fmt.Sprintf("%d more conditions were written", more)
		}
		return ""
	})
	a.put("nodes", worker("n2", 4000))
	until(t, isBound(a, "default/large"))
}

const guarantees = `
partitions:
- name: default
  queues:
  - name: root
    queues:
    - {name: prod, resources: {guaranteed: {vcore: "2"}}, properties: {preemption.delay: 1s}}
    - {name: batch}
`

func queued(pod *corev1.Pod, queue string) *corev1.Pod {
	pod.Labels["queue"] = queue
	return pod
}

func TestAVictimEndsWithItsGraceBeforeItsRoomIsTaken(t *testing.T) {
	a := newAPI(t)
	a.put("nodes", worker("n1", 2000))
	a.putAll(queued(waiting("low", "low", 2000), "root.batch"))
	r := start(t, a.client(t), guarantees)
	until(t, isBound(a, "default/low"))
	a.putAll(queued(waiting("high", "high", 2000), "root.prod"))
	until(t, func() string {
		low := a.pod("default/low")
		if low == nil || low.DeletionTimestamp == nil {
			return "the victim was not told to end"
		}
		if i := slices.IndexFunc(low.Status.Conditions, func(c corev1.PodCondition) bool { return c.Type == corev1.DisruptionTarget }); i < 0 {
			t.Error("the victim has no condition DisruptionTarget")
		}
		return ""
	})
	until(t, func() string {
		if got := a.pod("default/high").Status.NominatedNodeName; got != "n1" {
			return "nominated: " + got
		}
		return ""
	})
	if a.nodeOf("default/high") != "" || r.asks()["default/low"] != "n1" {
		t.Error("the room of the victim was taken before it has ended")
	}
	a.remove("pods", "default/low") // its kubelet has ended it
	until(t, isBound(a, "default/high"))
}

func TestNewLeader_ClearsOldNominations(t *testing.T) {
	a := newAPI(t)
	a.put("nodes", worker("n1", 1000))
	pod := waiting("p", "p", 2000)
	pod.Status.NominatedNodeName = "n1"
	a.putAll(pod)
	start(t, a.client(t), rules)
	until(t, func() string {
		return map[bool]string{true: "the pod is still nominated for n1"}[a.pod("default/p").Status.NominatedNodeName != ""]
	})
}

// The leader has preempted one of two pods for a third, and is gone before that has ended.
func TestANewLeaderChoosesNoOtherVictims(t *testing.T) {
	a := newAPI(t)
	first := preempting(t, a, func(*replica) {})
	victim, spared := "", ""
	until(t, func() string {
		for i := range 2 {
			if pod := a.pod(fmt.Sprint("default/low-", i)); pod.DeletionTimestamp != nil {
				victim, spared = fmt.Sprint("default/low-", i), fmt.Sprint("default/low-", 1-i)
			}
		}
		return map[bool]string{true: "none is preempted"}[victim == "" || a.pod("default/high").Status.NominatedNodeName == ""]
	})
	first.end()
	a.put("poddisruptionbudgets", guard("spent", strings.TrimPrefix(victim, "default/"), 0))           // the other pod would be chosen now
	a.change(victim, func(pod *corev1.Pod) { pod.DeletionTimestamp = &metav1.Time{Time: time.Now()} }) // the grace begins now
	start(t, a.client(t), guarantees)
	until(t, condition(a, "default/high", reasonWaiting))
	await.Stays(t, 2*time.Second, func() string { // longer than the delay of preemption
		if a.pod(spared).DeletionTimestamp != nil {
			return "another pod was preempted, too"
		}
		return ""
	})
	a.remove("pods", victim)
	until(t, isBound(a, "default/high"))
}

// hasFailed waits until pods have failed since their gang was not placed in time.
func hasFailed(a *api, keys ...string) func() string {
	return func() string {
		for _, key := range keys {
			pod := a.pod(key)
			if pod == nil || pod.Status.Phase != corev1.PodFailed || pod.Status.Reason != reasonGangTimeout || pod.Status.Message == "" {
				return fmt.Sprintf("%s: %+v", key, pod)
			}
		}
		return ""
	}
}

// member is a pod of a gang of two, made by a Job.
func member(name, app, style string) *corev1.Pod {
	pod, yes := waiting(name, app, 1500), true
	pod.OwnerReferences = []metav1.OwnerReference{{APIVersion: "batch/v1", Kind: "Job", Name: app, UID: types.UID(app), Controller: &yes}}
	pod.Annotations = map[string]string{
		"yunikorn.apache.org/task-group-name":            "workers",
		"yunikorn.apache.org/task-groups":                `[{"name": "workers", "minMember": 2, "minResource": {"cpu": "1500m"}}]`,
		"yunikorn.apache.org/schedulingPolicyParameters": "placeholderTimeoutInSeconds=1 gangSchedulingStyle=" + style,
	}
	return pod
}

func TestGang_LateContinuesSinglyOrFails(t *testing.T) {
	a := newAPI(t)
	a.put("nodes", worker("n1", 2000)) // room for one of two
	start(t, a.client(t), rules)
	a.putAll(member("hard-1", "hard", "Hard"), member("hard-2", "hard", "Hard"))
	until(t, hasFailed(a, "default/hard-1", "default/hard-2"))
	a.putAll(member("soft-1", "soft", "Soft"), member("soft-2", "soft", "Soft"))
	until(t, func() string {
		if a.nodeOf("default/soft-1") == "" && a.nodeOf("default/soft-2") == "" {
			return "no pod of the soft gang has a node"
		}
		return ""
	})
	if a.nodeOf("default/hard-1") != "" || a.nodeOf("default/hard-2") != "" {
		t.Error("a pod of the failed application was bound")
	}
}

func TestRejectedApp_ResubmittedAfterAConfigChange(t *testing.T) {
	a := newAPI(t)
	a.put("nodes", worker("n1", 2000))
	a.putAll(queued(waiting("p", "p", 100), "root.later"))
	r := start(t, a.client(t), queues)
	until(t, condition(a, "default/p", reasonRefused))
	r.configure(t, strings.Replace(queues, "{name: analytics}", "{name: later}", 1))
	until(t, isBound(a, "default/p"))
}
