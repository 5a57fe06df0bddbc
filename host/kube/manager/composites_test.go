package manager

import (
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// composite is a group of groups, which needs so many of them; 0: they are independent.
func composite(name, parent string, least int64) *unstructured.Unstructured {
	o := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "scheduling.k8s.io/v1alpha3", "kind": "CompositePodGroup"}}
	o.SetNamespace(metav1.NamespaceDefault)
	o.SetName(name)
	policy := map[string]any{"basic": map[string]any{}}
	if least > 0 {
		policy = map[string]any{"gang": map[string]any{"minGroupCount": least}}
	}
	spec := map[string]any{"schedulingPolicy": policy}
	if parent != "" {
		spec["parentCompositePodGroupName"] = parent
	}
	o.Object["spec"] = spec
	return o
}

// partOf is a gang of pods that belongs to a composite group.
func partOf(parent, name string, least int64) *unstructured.Unstructured {
	o := composite(name, parent, 0)
	o.Object["kind"] = "PodGroup"
	o.Object["spec"].(map[string]any)["schedulingPolicy"] = map[string]any{"gang": map[string]any{"minCount": least}}
	return o
}

func memberOf(group string, number int) *corev1.Pod {
	pod := grouped(number)
	pod.Spec.SchedulingGroup = &corev1.PodSchedulingGroup{PodGroupName: &group}
	return pod
}

// The pods come first, then their groups, then the composite group: groups of two pods each, both of which start together.
func TestCompositeGroups_StartTogether(t *testing.T) {
	a := newAPI(t)
	a.serveGroups("v1beta1", "v1alpha3")
	a.put("nodes", worker("n1", 3000))
	start(t, a.client(t), rules)
	pods := []string{"default/g-1", "default/g-2", "default/g-3", "default/g-4"}
	a.putAll(memberOf("one", 1), memberOf("one", 2), memberOf("two", 3), memberOf("two", 4))
	until(t, a.saying(pods[0], reasonRefused, "its pod group default/one, which is not there"))
	a.put("podgroups", partOf("both", "one", 2))
	a.put("podgroups", partOf("both", "two", 2))
	until(t, a.saying(pods[0], reasonRefused, "the composite pod group default/both is not there"))
	a.put("compositepodgroups", composite("both", "", 2))
	until(t, a.saying(pods[0], corev1.PodReasonUnschedulable, ""))
	until(t, a.haveNodes(0, pods...))
	a.put("compositepodgroups", composite("both", "", 1))
	until(t, a.haveNodes(2, pods...))
	a.put("nodes", worker("n2", 1000))
	until(t, a.haveNodes(4, pods...))
}

func TestCompositeGroups_OfIndependentGroups(t *testing.T) {
	a := newAPI(t)
	a.serveGroups("v1beta1", "v1alpha3")
	a.put("nodes", worker("n1", 3000))
	a.put("compositepodgroups", composite("outer", "", 0))
	a.put("compositepodgroups", composite("both", "outer", 0))
	a.put("podgroups", partOf("both", "one", 2))
	a.put("podgroups", partOf("both", "two", 2))
	start(t, a.client(t), rules)
	a.putAll(memberOf("one", 1), memberOf("one", 2), memberOf("two", 3), memberOf("two", 4))
	until(t, a.haveNodes(2, "default/g-1", "default/g-2", "default/g-3", "default/g-4"))
}

// What sets of gangs cannot express keeps pods waiting, with the reason.
func TestCompositeGroups_ThatCannotBeUsed(t *testing.T) {
	racked := composite("both", "", 2)
	racked.Object["spec"].(map[string]any)["schedulingConstraints"] = map[string]any{"topology": []any{map[string]any{"key": "rack"}}}
	for i, c := range []struct {
		composites []*unstructured.Unstructured
		part       string
	}{
		{[]*unstructured.Unstructured{composite("both", "outer", 2), composite("outer", "both", 0)}, "composite pod group default/both is its own ancestor"},
		{[]*unstructured.Unstructured{composite("both", "both", 2)}, "composite pod group default/both is its own ancestor"},
		{[]*unstructured.Unstructured{composite("both", "outer", 2), composite("outer", "", 3)}, "composite pod group default/outer has 3 of its composite groups start together"},
		{[]*unstructured.Unstructured{racked}, "composite pod group default/both has a topology constraint"},
		{[]*unstructured.Unstructured{composite("both", "b", 2), composite("b", "c", 0), composite("c", "d", 0), composite("d", "", 0)}, "composite pod group default/d is on level 5 of its groups, and 4 are the most"},
	} {
		t.Run(fmt.Sprint(i+1), func(t *testing.T) {
			a := newAPI(t)
			a.serveGroups("v1alpha3")
			a.put("nodes", worker("n1", 3000))
			for _, o := range c.composites {
				a.put("compositepodgroups", o)
			}
			a.put("podgroups", partOf("both", "one", 1))
			start(t, a.client(t), rules)
			a.putAll(memberOf("one", 1))
			until(t, a.saying("default/g-1", reasonRefused, c.part))
			reason := groupInvalid
			if !strings.Contains(c.part, "ancestor") && !strings.Contains(c.part, "level 5") {
				reason = groupRefused
			}
			until(t, a.compositeIs("both", metav1.ConditionFalse, reason, c.part))
		})
	}
}

// compositeIs says what the only condition of a composite group is, unless it has a status, a reason and a part of a message.
func (a *api) compositeIs(name string, status metav1.ConditionStatus, reason, part string) func() string {
	return func() string {
		a.mu.Lock()
		defer a.mu.Unlock()
		o := a.objects["compositepodgroups"]["default/"+name].(*unstructured.Unstructured)
		list, _, _ := unstructured.NestedSlice(o.Object, "status", "conditions")
		if len(list) == 1 {
			c := list[0].(map[string]any)
			if c["type"] == "CompositePodGroupInitiallyScheduled" && c["status"] == string(status) && c["reason"] == reason && strings.Contains(c["message"].(string), part) {
				return ""
			}
		}
		return fmt.Sprintf("composite group %s has the conditions %v", name, list)
	}
}

func TestCompositeGroups_StatusSaysWhetherTheyWereScheduled(t *testing.T) {
	a := newAPI(t)
	a.serveGroups("v1beta1", "v1alpha3")
	a.put("nodes", worker("n1", 3000))
	a.put("compositepodgroups", composite("outer", "", 0))
	a.put("compositepodgroups", composite("both", "outer", 2))
	a.put("podgroups", partOf("both", "one", 2))
	a.put("podgroups", partOf("both", "two", 2))
	r := start(t, a.client(t), rules)
	a.putAll(memberOf("one", 1), memberOf("one", 2))
	until(t, condition(a, "default/g-1", reasonWaiting)) // one of two gangs
	until(t, func() string {
		a.mu.Lock()
		defer a.mu.Unlock()
		if n := a.requests["PATCH compositepodgroups/status"]; n != 0 {
			t.Errorf("%d conditions of groups that are not complete", n)
		}
		return ""
	})
	a.putAll(memberOf("two", 3), memberOf("two", 4))
	until(t, a.compositeIs("both", metav1.ConditionFalse, groupUnschedulable, ""))
	until(t, a.compositeIs("outer", metav1.ConditionFalse, groupUnschedulable, ""))
	a.put("nodes", worker("n2", 1000))
	until(t, a.haveNodes(4, "default/g-1", "default/g-2", "default/g-3", "default/g-4"))
	until(t, a.compositeIs("both", metav1.ConditionTrue, groupScheduled, ""))
	until(t, a.compositeIs("outer", metav1.ConditionTrue, groupScheduled, ""))
	r.end()
}

// disruptedWhole has the pods of a composite group be preempted together.
func disruptedWhole(o *unstructured.Unstructured) *unstructured.Unstructured {
	o.Object["spec"].(map[string]any)["disruptionMode"] = map[string]any{"all": map[string]any{}}
	return o
}

// The scheduler preempts a pod for want of room for one: of its gang alone, or together with the gangs of the composite group.
func TestCompositeGroups_DisruptionMode(t *testing.T) {
	for name, c := range map[string]struct {
		outer, both *unstructured.Unstructured
		want        int
	}{
		"each by itself":      {composite("outer", "", 0), composite("both", "outer", 2), 1},
		"of its gangs":        {composite("outer", "", 0), disruptedWhole(composite("both", "outer", 2)), 4},
		"of all in the outer": {disruptedWhole(composite("outer", "", 0)), composite("both", "outer", 0), 5},
	} {
		t.Run(name, func(t *testing.T) {
			a := newAPI(t)
			a.serveGroups("v1beta1", "v1alpha3")
			a.put("nodes", worker("n1", 5000))
			a.put("compositepodgroups", c.outer)
			a.put("compositepodgroups", c.both)
			a.put("compositepodgroups", composite("other", "outer", 0))
			a.put("podgroups", partOf("both", "one", 2))
			a.put("podgroups", partOf("both", "two", 2))
			a.put("podgroups", partOf("other", "three", 1))
			start(t, a.client(t), guarantees)
			var keys []string
			for i, group := range []string{"one", "one", "two", "two", "three"} {
				pod := queued(memberOf(group, i+1), "root.batch")
				if group == "three" {
					pod.Annotations = map[string]string{"yunikorn.apache.org/allow-preemption": "false"}
				}
				a.putAll(pod)
				keys = append(keys, fmt.Sprint("default/g-", i+1))
			}
			until(t, isBound(a, keys...))
			a.putAll(queued(waiting("high", "high", 1000), "root.prod"))
			until(t, func() string {
				ending := 0
				for _, pod := range a.pods() {
					if pod.DeletionTimestamp == nil {
						continue
					}
					ending++
					if last := pod.Status.Conditions[len(pod.Status.Conditions)-1]; last.Type != corev1.DisruptionTarget || last.Reason != corev1.PodReasonPreemptionByScheduler {
						t.Errorf("%s: %+v", pod.Name, last)
					}
				}
				if ending != c.want || a.pod("default/high").Status.NominatedNodeName == "" {
					return fmt.Sprintf("%d pods end, expected %d", ending, c.want)
				}
				return ""
			})
		})
	}
}
