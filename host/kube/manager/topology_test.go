package manager

import (
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	schedulingv1alpha2 "k8s.io/api/scheduling/v1alpha2"

	"github.com/quern-project/quern/host/kube/podgroup"
)

// constrained is a gang of pods whose nodes have one value of a label.
func constrained(least int32, keys ...string) *schedulingv1alpha2.PodGroup {
	g := podGroup(least)
	g.Spec.SchedulingConstraints = &schedulingv1alpha2.PodGroupSchedulingConstraints{}
	for _, key := range keys {
		g.Spec.SchedulingConstraints.Topology = append(g.Spec.SchedulingConstraints.Topology, schedulingv1alpha2.TopologyConstraint{Key: key})
	}
	return g
}

// in is a node with room for one pod and with labels, as pairs of keys and values.
func in(name string, labels ...string) *corev1.Node {
	n := worker(name, 1000)
	if n.Labels == nil {
		n.Labels = map[string]string{}
	}
	for i := 0; i < len(labels); i += 2 {
		n.Labels[labels[i]] = labels[i+1]
	}
	return n
}

// areOn says which pods are not on certain nodes, in any order.
func (a *api) areOn(nodes string, keys ...string) func() string {
	return func() string {
		for _, key := range keys {
			if on := a.nodeOf(key); on == "" || !strings.Contains(nodes, on) {
				return fmt.Sprintf("%s is on %q", key, on)
			}
		}
		return ""
	}
}

// saying says how the condition of a pod differs from one with a reason and part of a message.
func (a *api) saying(key, reason, part string) func() string {
	return func() string {
		for _, c := range a.pod(key).Status.Conditions {
			if c.Type == corev1.PodScheduled && c.Reason == reason && strings.Contains(c.Message, part) {
				return ""
			}
		}
		return fmt.Sprintf("%s has the conditions %+v", key, a.pod(key).Status.Conditions)
	}
}

func TestPodGroup_LandsInOneDomain(t *testing.T) {
	for _, version := range podgroup.Known() {
		a := newAPI(t)
		a.serveGroups(version.Version)
		a.put("nodes", in("n1", "rack", "r1"))
		a.put("nodes", in("n2", "rack", "r2"))
		a.put("nodes", in("n3"))
		start(t, a.client(t), rules)
		a.put("podgroups", constrained(2, "rack"))
		a.putAll(grouped(1), grouped(2), grouped(3))
		until(t, a.saying("default/g-1", corev1.PodReasonUnschedulable, "none of 2 has room for 2"))
		a.put("nodes", in("n4", "rack", "r2"))
		until(t, a.haveNodes(2, "default/g-1", "default/g-2", "default/g-3"))
		until(t, a.areOn("n2 n4", "default/g-1", "default/g-2"))
		until(t, a.saying("default/g-3", corev1.PodReasonUnschedulable, "")) // it waits for the domain of its gang
		a.put("nodes", in("n5", "rack", "r2"))
		until(t, a.areOn("n5", "default/g-3"))
	}
}

func TestPodGroup_ConfiguredLevelHasTheLabel(t *testing.T) {
	a := newAPI(t)
	a.serveGroups("v1beta1")
	for _, n := range []*corev1.Node{in("n1", "block", "b1", "rack", "r1"), in("n2", "block", "b2", "rack", "r1"), in("n3", "block", "b2", "rack", "r1")} {
		a.put("nodes", n)
	}
	a.put("podgroups", constrained(2, "rack"))
	start(t, a.client(t), strings.Replace(rules, "default\n", "default\n  topology: [{level: block, attribute: block}, {level: row, attribute: rack}]\n", 1))
	a.putAll(grouped(1), grouped(2))
	until(t, a.areOn("n2 n3", "default/g-1", "default/g-2")) // racks of two blocks are two, even if they have one name
}

// Domains of two labels need not lie in one another.
func TestPodGroups_OfLabelsThatCross(t *testing.T) {
	a := newAPI(t)
	a.serveGroups("v1beta1")
	for _, n := range []*corev1.Node{in("n1", "rack", "r1", "model", "old"), in("n2", "rack", "r1", "model", "new"), in("n3", "model", "new", "rack", "r2"), in("n4", "rack", "r1")} {
		a.put("nodes", n)
	}
	other, second := constrained(2, "model"), "others"
	other.Name = second
	a.put("podgroups", constrained(2, "rack"))
	a.put("podgroups", other)
	start(t, a.client(t), rules)
	o1, o2 := grouped(3), grouped(4)
	o1.Spec.SchedulingGroup, o2.Spec.SchedulingGroup = &corev1.PodSchedulingGroup{PodGroupName: &second}, &corev1.PodSchedulingGroup{PodGroupName: &second}
	a.putAll(o1, o2)
	until(t, a.areOn("n2 n3", "default/g-3", "default/g-4"))
	a.putAll(grouped(1), grouped(2))
	until(t, a.areOn("n1 n4", "default/g-1", "default/g-2"))
}

// Pods of a group that is no gang are placed one by one, in one domain.
func TestPodGroup_BasicWithAConstraint(t *testing.T) {
	a := newAPI(t)
	a.serveGroups("v1beta1")
	a.put("nodes", in("n1", "rack", "r1"))
	a.put("nodes", in("n2", "rack", "r2"))
	group := constrained(1, "rack")
	group.Spec.SchedulingPolicy = schedulingv1alpha2.PodGroupSchedulingPolicy{Basic: &schedulingv1alpha2.BasicSchedulingPolicy{}}
	a.put("podgroups", group)
	start(t, a.client(t), rules)
	a.putAll(grouped(1))
	until(t, a.areOn("n1", "default/g-1"))
	a.putAll(grouped(2))
	until(t, a.saying("default/g-2", corev1.PodReasonUnschedulable, ""))
	a.put("nodes", in("n3", "rack", "r1"))
	until(t, a.areOn("n3", "default/g-2"))
}

func TestPodGroup_ConstraintThatChanges(t *testing.T) {
	a := newAPI(t)
	a.serveGroups("v1beta1")
	a.put("nodes", in("n1", "rack", "r1"))
	a.put("nodes", in("n2", "rack", "r2"))
	a.put("podgroups", constrained(2, "zone"))
	start(t, a.client(t), rules)
	a.putAll(grouped(1), grouped(2))
	until(t, a.saying("default/g-1", corev1.PodReasonUnschedulable, "level attribute:zone, of which there is none"))
	until(t, func() string {
		a.mu.Lock()
		defer a.mu.Unlock()
		if a.events["FailedScheduling"] == 0 {
			return "no event says so"
		}
		return ""
	})
	a.put("podgroups", constrained(2, strings.Repeat("a", 10<<10)))
	until(t, a.saying("default/g-1", reasonRefused, "pod group default/trainers cannot be used: expected the key of a label in its topology constraint, found \"aaa"))
	a.put("podgroups", constrained(2, "rack"))
	until(t, a.saying("default/g-1", corev1.PodReasonUnschedulable, "level attribute:rack; none of 2 has room for 2"))
	a.put("podgroups", podGroup(2))
	until(t, a.haveNodes(2, "default/g-1", "default/g-2"))
}
