package manager

import (
	"fmt"
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
		})
	}
}
