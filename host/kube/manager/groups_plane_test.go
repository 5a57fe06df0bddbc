package manager

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"

	"github.com/quern-project/quern/host/kube/clustertest"
	"github.com/quern-project/quern/host/kube/podgroup"
)

// planeWithGroups is a control plane whose API server has pod groups, for which it needs feature gates, and has further arguments.
func planeWithGroups(t *testing.T, nodes int, args ...string) *plane {
	t.Helper()
	c := clustertest.New(t)
	if err := errors.Join(c.APIServer.Kill(), c.OfferPodGroups()); err != nil {
		t.Fatal(err)
	}
	c.APIServer.Add(args...)
	if err := c.APIServer.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	return newPlaneOf(t, c, nodes)
}

// The API server has pod groups of whichever version it knows.
func TestPodGroupsOfARealAPIServer(t *testing.T) {
	p := planeWithGroups(t, 2)
	start(t, p.client, rules)
	fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(podGroup(2))
	if err != nil {
		t.Fatal(err)
	}
	group := p.createGroup(t, &unstructured.Unstructured{Object: fields})
	create := func(pod *corev1.Pod) {
		pod.Spec.Containers[0].Resources.Requests[corev1.ResourceCPU] = capacity[corev1.ResourceCPU] // a node each
		p.createPod(t, pod)
	}
	create(grouped(1))
	untilWithin(t, recovery, p.saying(t, "g-1", reasonWaiting, "")) // one of two
	create(grouped(2))
	p.await(t, "g", 2)
	untilWithin(t, recovery, wasScheduled(t, group))
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
		pod.Spec.Containers[0].Resources.Requests[corev1.ResourceCPU] = capacity[corev1.ResourceCPU]
		p.createPod(t, pod)
	}
	untilWithin(t, recovery, p.saying(t, "racked-0", corev1.PodReasonUnschedulable, "It requires one domain of level attribute:rack; none of 2 has room for 2"))
	label(racked[1], "r1")
	p.await(t, of.Name, 2)
	untilWithin(t, recovery, wasScheduled(t, group))
}

// workloads plays the examples of what controllers make, with room for all of them.
func (p *plane) workloads(t *testing.T) {
	if err := p.AddNodes(t.Context(), "more", 6, capacity); err != nil {
		t.Fatal(err)
	}
	for file, stages := range workloads {
		groups, first := []*clustertest.PodGroup{}, ""
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
			untilWithin(t, recovery, wasScheduled(t, g))
		}
	}
}

func (p *plane) createPod(t *testing.T, pod *corev1.Pod) {
	t.Helper()
	pod.ResourceVersion, pod.UID, pod.CreationTimestamp = "", "", metav1.Time{}
	if _, err := p.client.CoreV1().Pods(metav1.NamespaceDefault).Create(t.Context(), pod, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
}

// createGroup creates a group of the version that the API server has.
func (p *plane) createGroup(t *testing.T, g *unstructured.Unstructured) *clustertest.PodGroup {
	t.Helper()
	if g.GetKind() == "" {
		g.SetKind("PodGroup")
	}
	created, err := p.CreatePodGroup(t.Context(), g, podgroup.Known()...)
	if err != nil {
		t.Fatal(err)
	}
	t.Log("the API server has it as", g.GetKind(), "of", created.Version)
	return created
}

// wasScheduled says what the status of a group says instead of that it was scheduled.
func wasScheduled(t *testing.T, g *clustertest.PodGroup) func() string {
	want := map[bool]string{true: "PodGroupScheduled", false: "PodGroupInitiallyScheduled"}[g.Version.Version == "v1alpha2"]
	return func() string {
		o, err := g.Get(t.Context(), g.Name, metav1.GetOptions{})
		if err != nil {
			return err.Error()
		}
		conditions, _, err := unstructured.NestedSlice(o.Object, "status", "conditions")
		if err != nil {
			return err.Error()
		}
		for _, c := range conditions {
			if fields := c.(map[string]any); strings.HasSuffix(fmt.Sprint(fields["type"]), want) && fields["status"] == "True" {
				return ""
			}
		}
		return fmt.Sprintf("group %s has the conditions %v", g.Name, conditions)
	}
}

// saying says what the condition of a pod says instead of a reason, with a part of a message.
func (p *plane) saying(t *testing.T, name, reason, part string) func() string {
	return func() string {
		pod, err := p.client.CoreV1().Pods(metav1.NamespaceDefault).Get(t.Context(), name, metav1.GetOptions{})
		if err != nil {
			return err.Error()
		}
		for _, said := range pod.Status.Conditions {
			if said.Type == corev1.PodScheduled && said.Reason == reason && strings.Contains(said.Message, part) {
				return ""
			}
		}
		return fmt.Sprintf("%s: %v on %q", name, pod.Status.Conditions, pod.Spec.NodeName)
	}
}
