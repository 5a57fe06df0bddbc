package manager

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	schedulingv1alpha2 "k8s.io/api/scheduling/v1alpha2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/kube/podgroup"
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
	for _, version := range podgroup.Known() {
		t.Run(version.Version, func(t *testing.T) {
			a := newAPI(t)
			a.serveGroups(version.Version)
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
			until(t, a.haveNodes(2, "default/g-1", "default/g-2", "default/g-3"))
		})
	}
}

// haveNodes says how many of some pods have nodes, unless they are so many.
func (a *api) haveNodes(want int, keys ...string) func() string {
	return func() string {
		bound := 0
		for _, key := range keys {
			if a.nodeOf(key) != "" {
				bound++
			}
		}
		if bound != want {
			return fmt.Sprintf("%d pods are bound", bound)
		}
		return ""
	}
}

// withGroups has a manager ask often for versions of pod groups, and keeps its log.
func withGroups(said *bytes.Buffer) func(*Options) {
	return func(o *Options) {
		o.groups = 24 * time.Millisecond
		o.Log = slog.New(slog.NewTextHandler(said, nil))
	}
}

func TestPodGroups_NotServed(t *testing.T) {
	for _, lone := range []bool{false, true} {
		a := newAPI(t)
		a.put("nodes", worker("n1", 2000))
		var said bytes.Buffer
		r := start(t, a.client(t), rules, withGroups(&said), func(o *Options) { o.LoneMembers = lone })
		a.putAll(grouped(1), grouped(2))
		if lone {
			until(t, a.haveNodes(2, "default/g-1", "default/g-2"))
		} else {
			until(t, condition(a, "default/g-1", reasonRefused))
		}
		until(t, func() string {
			a.mu.Lock()
			defer a.mu.Unlock()
			if n := a.events["PodGroupNotServed"]; n != 2 {
				return fmt.Sprintf("%d events: %v", n, a.events)
			}
			return ""
		})
		r.end()
		if n := strings.Count(said.String(), "has none of a version that this release knows"); n != 1 || !strings.Contains(said.String(), "scheduling.k8s.io/v1alpha2") {
			t.Errorf("the log says it %d times:\n%s", n, said.String())
		}
	}
}

// The API server has pod groups of another version only: the log says so before any pod comes, and pods say it, too.
func TestPodGroups_OfAnUnknownVersion(t *testing.T) {
	a := newAPI(t)
	a.serveGroups("v2")
	a.put("nodes", worker("n1", 2000))
	var said bytes.Buffer
	r := start(t, a.client(t), rules, withGroups(&said))
	a.putAll(grouped(1))
	until(t, func() string {
		pod := a.pod("default/g-1")
		if len(pod.Status.Conditions) == 0 || !strings.Contains(pod.Status.Conditions[0].Message, "it has those of scheduling.k8s.io/v2.") {
			return fmt.Sprintf("found %+v", pod.Status.Conditions)
		}
		return ""
	})
	r.end()
	if text := said.String(); strings.Count(text, "served=[scheduling.k8s.io/v2]") != 1 || !strings.Contains(text, "known=\"[scheduling.k8s.io/v1beta1 ") {
		t.Errorf("the log does not say which version is known, and which is served:\n%s", text)
	}
}

// A control plane is upgraded: pod groups are of another version, and what waits for a member still does.
func TestPodGroups_MoveToAnotherVersion(t *testing.T) {
	a := newAPI(t)
	a.serveGroups("v1alpha2")
	a.put("nodes", worker("n1", 2000))
	a.put("podgroups", podGroup(2))
	var said bytes.Buffer
	r := start(t, a.client(t), rules, withGroups(&said))
	a.putAll(grouped(1))
	until(t, condition(a, "default/g-1", reasonWaiting)) // one of two
	a.serveGroups()
	until(t, condition(a, "default/g-1", reasonRefused)) // the API is off
	a.serveGroups("v1", "v1beta1")
	until(t, condition(a, "default/g-1", reasonWaiting))
	a.putAll(grouped(2))
	until(t, a.haveNodes(2, "default/g-1", "default/g-2"))
	r.end()
	if text := said.String(); strings.Count(text, "pod groups are followed") != 2 {
		t.Errorf("the log does not say which versions were followed:\n%s", text)
	}
}

// Preemption takes one pod of a group, or all of them, as its disruption mode says.
func TestPodGroup_DisruptionMode(t *testing.T) {
	for mode, want := range map[schedulingv1alpha2.DisruptionMode]int{"": 1, schedulingv1alpha2.DisruptionModePod: 1, schedulingv1alpha2.DisruptionModePodGroup: 2} {
		t.Run("mode "+string(mode), func(t *testing.T) {
			a := newAPI(t)
			a.serveGroups("v1alpha2")
			a.put("nodes", worker("n1", 2000))
			group := podGroup(2)
			if mode != "" {
				group.Spec.DisruptionMode = &mode
			}
			a.put("podgroups", group)
			start(t, a.client(t), guarantees)
			a.putAll(queued(grouped(1), "root.batch"), queued(grouped(2), "root.batch"))
			until(t, isBound(a, "default/g-1", "default/g-2"))
			a.putAll(queued(waiting("high", "high", 1000), "root.prod"))
			until(t, func() string {
				if a.pod("default/high").Status.NominatedNodeName == "" {
					return "it has preempted none"
				}
				return ""
			})
			until(t, func() string {
				ending := 0
				for _, pod := range a.pods() {
					if pod.DeletionTimestamp == nil {
						continue
					}
					ending++
					if c := pod.Status.Conditions[len(pod.Status.Conditions)-1]; c.Reason != corev1.PodReasonPreemptionByScheduler || strings.Contains(c.Message, "together with its gang") != (want == 2) {
						t.Errorf("%s: %+v", pod.Name, c)
					}
				}
				if ending != want {
					return fmt.Sprintf("%d pods end, expected %d", ending, want)
				}
				return ""
			})
		})
	}
}

// The priority of a group is that of its pods: they come before a pod whose own is higher.
func TestPodGroup_PriorityDecidesTheOrder(t *testing.T) {
	a := newAPI(t)
	a.serveGroups("v1beta1")
	group, ofGroup, ofOther := podGroup(1), int32(10), int32(5)
	group.Spec.Priority = &ofGroup
	a.put("podgroups", group)
	r := start(t, a.client(t), rules)
	other := waiting("other", "other", 1000)
	other.Spec.Priority = &ofOther
	a.putAll(other, grouped(1))
	until(t, func() string {
		if n := len(r.asks()); n != 2 {
			return fmt.Sprint(n, " pods wait")
		}
		return ""
	})
	a.put("nodes", worker("n1", 1000))
	until(t, isBound(a, "default/g-1"))
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
