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
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"

	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/kube/clustertest"
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

// TestPodGroupsOfARealAPIServer has the API server serve pod groups of whichever version it has, which needs a feature gate.
func TestPodGroupsOfARealAPIServer(t *testing.T) {
	c := clustertest.New(t)
	if err := c.APIServer.Kill(); err != nil {
		t.Fatal(err)
	}
	c.APIServer.Add("--feature-gates=GenericWorkload=true,TopologyAwareWorkloadScheduling=true", "--runtime-config=api/alpha=true,api/beta=true")
	if err := c.APIServer.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	p := newPlaneOf(t, c, 2)
	start(t, p.client, rules)
	fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(podGroup(2))
	if err != nil {
		t.Fatal(err)
	}
	group := p.createGroup(t, &unstructured.Unstructured{Object: fields})
	create := func(pod *corev1.Pod) {
		pod.ResourceVersion, pod.UID, pod.CreationTimestamp = "", "", metav1.Time{}
		pod.Spec.Containers[0].Resources.Requests[corev1.ResourceCPU] = capacity[corev1.ResourceCPU] // a node each
		p.createPod(t, pod)
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
	untilWithin(t, recovery, group.wasScheduled(t))
	t.Run("a topology constraint", p.oneRack)
	t.Run("workloads of controllers", p.workloads)
}

// oneRack has a group wait until two nodes are in one rack.
func (p *plane) oneRack(t *testing.T) {
	if err := p.AddNodes(t.Context(), "rack", 2, capacity); err != nil {
		t.Fatal(err)
	}
	nodes, err := p.client.CoreV1().Nodes().List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var racked []string
	for _, n := range nodes.Items {
		if strings.HasPrefix(n.Name, "rack") {
			racked = append(racked, n.Name)
		}
	}
	label := func(node, rack string) {
		patch := fmt.Sprintf(`{"metadata": {"labels": {"rack": %q}}}`, rack)
		if _, err := p.client.CoreV1().Nodes().Patch(t.Context(), node, types.MergePatchType, []byte(patch), metav1.PatchOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	label(racked[0], "r1")
	label(racked[1], "r2")
	of := constrained(2, "rack")
	of.Name = "racked"
	fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(of)
	if err != nil {
		t.Fatal(err)
	}
	group := p.createGroup(t, &unstructured.Unstructured{Object: fields})
	for i := range 2 {
		pod := memberOf(of.Name, i)
		pod.Name = fmt.Sprint("racked-", i)
		pod.ResourceVersion, pod.UID, pod.CreationTimestamp = "", "", metav1.Time{}
		pod.Spec.Containers[0].Resources.Requests[corev1.ResourceCPU] = capacity[corev1.ResourceCPU]
		p.createPod(t, pod)
	}
	untilWithin(t, recovery, func() string {
		pod, err := p.client.CoreV1().Pods("default").Get(t.Context(), "racked-0", metav1.GetOptions{})
		if err != nil {
			return err.Error()
		}
		for _, said := range pod.Status.Conditions {
			if said.Type == corev1.PodScheduled && strings.Contains(said.Message, "It requires one domain of level attribute:rack; none of 2 has room for 2") {
				return ""
			}
		}
		return fmt.Sprintf("%v on %q", pod.Status.Conditions, pod.Spec.NodeName)
	})
	label(racked[1], "r1")
	p.await(t, of.Name, 2)
	untilWithin(t, recovery, group.wasScheduled(t))
}

// workloads plays the examples of what controllers make, with room for all of them.
func (p *plane) workloads(t *testing.T) {
	if err := p.AddNodes(t.Context(), "more", 6, capacity); err != nil {
		t.Fatal(err)
	}
	for file, stages := range workloads {
		groups, first := []*createdGroup{}, ""
		for _, o := range manifests(t, examples+file) {
			if g, is := o.(*unstructured.Unstructured); is {
				groups = append(groups, p.createGroup(t, g))
			} else if pod, is := o.(*corev1.Pod); is {
				p.createPod(t, pod)
				first, _, _ = strings.Cut(pod.Name, "-")
			}
		}
		p.await(t, first, stages[len(stages)-1].pods)
		for _, g := range groups {
			untilWithin(t, recovery, g.wasScheduled(t))
		}
	}
}

func (p *plane) createPod(t *testing.T, pod *corev1.Pod) {
	t.Helper()
	if _, err := p.client.CoreV1().Pods(metav1.NamespaceDefault).Create(t.Context(), pod, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
}

// createdGroup is a pod group of the version that the API server has.
type createdGroup struct {
	client  dynamic.ResourceInterface
	name    string
	version string
}

// createGroup creates a pod group of the version that the API server has.
func (p *plane) createGroup(t *testing.T, g *unstructured.Unstructured) *createdGroup {
	t.Helper()
	groups, err := dynamic.NewForConfig(p.Admin())
	if err != nil {
		t.Fatal(err)
	}
	for _, version := range podgroup.Known() {
		o := g.DeepCopy()
		o.SetGroupVersionKind(version.WithKind("PodGroup"))
		if version.Version == "v1alpha2" { // which writes it in another way, and only with another feature gate
			unstructured.RemoveNestedField(o.Object, "spec", "disruptionMode")
		}
		client := groups.Resource(version.WithResource("podgroups")).Namespace(metav1.NamespaceDefault)
		_, err = client.Create(t.Context(), o, metav1.CreateOptions{})
		if err == nil {
			t.Log("the API server has pod groups of", version)
			return &createdGroup{client, g.GetName(), version.Version}
		}
		if !apierrors.IsNotFound(err) {
			break
		}
	}
	t.Fatal(err)
	return nil
}

// wasScheduled says what the status of a group says instead of that it was scheduled.
func (g *createdGroup) wasScheduled(t *testing.T) func() string {
	want := "PodGroupInitiallyScheduled"
	if g.version == "v1alpha2" {
		want = "PodGroupScheduled"
	}
	return func() string {
		o, err := g.client.Get(t.Context(), g.name, metav1.GetOptions{})
		if err != nil {
			return err.Error()
		}
		conditions, _, err := unstructured.NestedSlice(o.Object, "status", "conditions")
		if err != nil {
			return err.Error()
		}
		for _, c := range conditions {
			if fields := c.(map[string]any); fields["type"] == want && fields["status"] == "True" {
				return ""
			}
		}
		return fmt.Sprintf("group %s has the conditions %v", g.name, conditions)
	}
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
