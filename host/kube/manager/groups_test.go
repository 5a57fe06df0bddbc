package manager

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	schedulingv1alpha2 "k8s.io/api/scheduling/v1alpha2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/kube/clustertest"
)

const groupName = "trainers"

// podGroup is a gang of pods.
func podGroup(least int32) *schedulingv1alpha2.PodGroup {
	g := &schedulingv1alpha2.PodGroup{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: groupName}}
	g.Spec.SchedulingPolicy.Gang = &schedulingv1alpha2.GangSchedulingPolicy{MinCount: least}
	return g
}

// grouped is a pod of the group.
func grouped(number int) *corev1.Pod {
	pod, name := waiting(fmt.Sprint("g-", number), "", 1000), groupName
	delete(pod.Labels, "applicationId")
	pod.Spec.SchedulingGroup = &corev1.PodSchedulingGroup{PodGroupName: &name}
	return pod
}

func TestPodsOfAPodGroupAreBoundTogether(t *testing.T) {
	a := newAPI(t)
	a.serveGroups()
	a.put("nodes", worker("n1", 2000))
	start(t, a.client(t), rules)
	a.putAll(grouped(1), grouped(2))
	until(t, condition(a, "default/g-1", reasonRefused)) // its group is not there
	a.put("podgroups", podGroup(3))
	until(t, condition(a, "default/g-1", reasonWaiting)) // two of three
	a.putAll(grouped(3))
	until(t, condition(a, "default/g-3", corev1.PodReasonUnschedulable)) // there is room for two
	for i := range 3 {
		if key := fmt.Sprint("default/g-", i+1); a.nodeOf(key) != "" {
			t.Errorf("%s has a node", key)
		}
	}
	a.put("podgroups", podGroup(2))
	until(t, func() string {
		bound := 0
		for i := range 3 {
			if a.nodeOf(fmt.Sprint("default/g-", i+1)) != "" {
				bound++
			}
		}
		if bound != 2 {
			return fmt.Sprintf("%d pods are bound", bound)
		}
		return ""
	})
}

func TestPodGroups_NotServed(t *testing.T) {
	a := newAPI(t)
	a.put("nodes", worker("n1", 2000))
	var said bytes.Buffer
	r := start(t, a.client(t), rules, func(o *Options) { o.Log = slog.New(slog.NewTextHandler(&said, nil)) })
	a.putAll(grouped(1), grouped(2))
	until(t, condition(a, "default/g-1", reasonRefused))
	until(t, func() string {
		a.mu.Lock()
		defer a.mu.Unlock()
		if n := a.events["PodGroupNotServed"]; n != 2 {
			return fmt.Sprintf("%d events: %v", n, a.events)
		}
		return ""
	})
	r.end()
	if n := strings.Count(said.String(), "does not serve pod groups"); n != 1 || !strings.Contains(said.String(), "scheduling.k8s.io/v1alpha2") {
		t.Errorf("the log says it %d times:\n%s", n, said.String())
	}
}

// The API server has pod groups of another version only: the log says so before any pod comes, and pods say it, too.
func TestPodGroups_OfAnUnknownVersion(t *testing.T) {
	a := newAPI(t)
	a.newer = true
	a.put("nodes", worker("n1", 2000))
	var said bytes.Buffer
	r := start(t, a.client(t), rules, func(o *Options) { o.Log = slog.New(slog.NewTextHandler(&said, nil)) })
	a.putAll(grouped(1))
	until(t, func() string {
		pod := a.pod("default/g-1")
		if len(pod.Status.Conditions) == 0 || !strings.Contains(pod.Status.Conditions[0].Message, "it has pod groups of scheduling.k8s.io/v1alpha3") {
			return fmt.Sprintf("found %+v", pod.Status.Conditions)
		}
		return ""
	})
	r.end()
	if text := said.String(); strings.Count(text, "served=[scheduling.k8s.io/v1alpha3]") != 1 || !strings.Contains(text, "known=scheduling.k8s.io/v1alpha2") {
		t.Errorf("the log does not say which version is known, and which is served:\n%s", text)
	}
}

// TestPodGroupsOfARealAPIServer has the API server serve the alpha API, which needs a feature gate.
func TestPodGroupsOfARealAPIServer(t *testing.T) {
	c := clustertest.New(t)
	if err := c.APIServer.Kill(); err != nil {
		t.Fatal(err)
	}
	c.APIServer.Add("--feature-gates=GenericWorkload=true", "--runtime-config=scheduling.k8s.io/v1alpha2=true")
	if err := c.APIServer.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	p := newPlaneOf(t, c, 2)
	start(t, p.client, rules)
	create := func(pod *corev1.Pod) {
		pod.ResourceVersion, pod.UID, pod.CreationTimestamp = "", "", metav1.Time{}
		pod.Spec.Containers[0].Resources.Requests[corev1.ResourceCPU] = capacity[corev1.ResourceCPU] // a node each
		if _, err := p.client.CoreV1().Pods(pod.Namespace).Create(t.Context(), pod, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := p.client.SchedulingV1alpha2().PodGroups("default").Create(t.Context(), podGroup(2), metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	create(grouped(1))
	untilWithin(t, recovery, func() string {
		pod, err := p.client.CoreV1().Pods("default").Get(t.Context(), "g-1", metav1.GetOptions{})
		if err != nil {
			return err.Error()
		}
		for _, said := range pod.Status.Conditions {
			if said.Type == corev1.PodScheduled && said.Reason == reasonWaiting {
				return ""
			}
		}
		return fmt.Sprintf("one of two: %v on %q", pod.Status.Conditions, pod.Spec.NodeName)
	})
	create(grouped(2))
	p.await(t, "g", 2)
}

func TestPlaceholdersAskWithThePluginsOfTheirMembers(t *testing.T) {
	a := newAPI(t)
	a.put("nodes", worker("n1", 2000))
	r := start(t, a.client(t), rules, func(o *Options) { o.Filters = &fixed{ports{calls: map[string]int{}}} })
	driver := waiting("driver", "etl", 100)
	driver.Annotations = map[string]string{
		"yunikorn.apache.org/task-group-name": "driver",
		"yunikorn.apache.org/task-groups": `[{"name": "driver", "minMember": 1, "minResource": {"cpu": "100m"}}, {"name": "executors", "minMember": 1, "minResource": {"cpu": "1"},
			"affinity": {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [{"topologyKey": "zone", "labelSelector": {"matchLabels": {"app": "noisy"}}}]}}}]`,
	}
	a.putAll(driver)
	until(t, func() (missing string) {
		r.View().Read(func(s *scheduler.Scheduler) {
			for group, want := range map[string]string{"driver": "", "executors": "kubernetes/fixed"} {
				if d, ok := s.Ask("etl/" + group + "/placeholder-1"); !ok || d.Predicate != want {
					missing = fmt.Sprintf("%s: known %v, predicate %q, expected %q", group, ok, d.Predicate, want)
				}
			}
		})
		return missing
	})
}
