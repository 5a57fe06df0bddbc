// Package podgroup follows the pod groups of Kubernetes, of whichever version the API server has.
//
// Their API moves from version to version: scheduling.k8s.io/v1alpha2 in Kubernetes 1.36, v1alpha3 and v1beta1 without it in 1.37. Most fields of a Group
// are written alike in all of them; read knows the differences.
package podgroup

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
)

const (
	apiGroup   = "scheduling.k8s.io"
	resource   = "podgroups"
	composites = "compositepodgroups"
)

// Known returns the versions that are read, the preferred one first.
func Known() []schema.GroupVersion {
	return []schema.GroupVersion{{Group: apiGroup, Version: "v1beta1"}, {Group: apiGroup, Version: "v1alpha3"}, {Group: apiGroup, Version: "v1alpha2"}}
}

// Group is what a PodGroup says to its pods, or a CompositePodGroup to its groups.
type Group struct {
	Namespace, Name string
	UID             types.UID
	Gang            bool // its pods are scheduled together; else each by itself
	MinCount        int  // of a gang: how many pods or groups have to be scheduled together, from 1 on
	Whole           bool // of a gang, or a composite group: its pods are preempted together; else each by itself
	HasPriority     bool
	Priority        int32                   // of each of its pods, if HasPriority
	Preemption      corev1.PreemptionPolicy // of each of its pods; empty: they have their own
	Topology        string                  // the label whose value all nodes of its pods have in common; empty: none
	Parent          string                  // the composite group of its namespace that it belongs to; empty: none
	WrongTopology   string                  // why its topology constraint cannot be used; empty: it can, or there is none
}

// same reports whether two groups, which may be nil, say the same to their pods.
func same(a, b *Group) bool { return a == b || a != nil && b != nil && *a == *b }

// read makes a Group of an object of any known version.
func read(o *unstructured.Unstructured) *Group {
	g := &Group{Namespace: o.GetNamespace(), Name: o.GetName(), UID: o.GetUID()}
	g.Parent, _, _ = unstructured.NestedString(o.Object, "spec", "parentCompositePodGroupName") // the API server has checked that it is a text
	count, composite := "minCount", o.GetKind() == "CompositePodGroup"
	if composite {
		count = "minGroupCount"
	}
	least, gang, err := unstructured.NestedInt64(o.Object, "spec", "schedulingPolicy", "gang", count)
	if err == nil && gang { // the API server has checked it by the schema of its version
		g.Gang, g.MinCount = true, int(least)
	}
	g.Whole = (g.Gang || composite) && disruptedWhole(o)
	if priority, has, err := unstructured.NestedInt64(o.Object, "spec", "priority"); err == nil && has {
		g.HasPriority, g.Priority = true, int32(priority)
	}
	policy, _, _ := unstructured.NestedString(o.Object, "spec", "preemptionPolicy") // likewise
	g.Preemption = corev1.PreemptionPolicy(policy)
	g.Topology, g.WrongTopology = topology(o)
	return g
}

// disruptedWhole reports whether the pods of a group are disrupted together: the mode is PodGroup in v1alpha2, and has the field all in later versions.
func disruptedWhole(o *unstructured.Unstructured) bool {
	mode, _, err := unstructured.NestedFieldNoCopy(o.Object, "spec", "disruptionMode")
	if err != nil {
		return false
	}
	if fields, is := mode.(map[string]any); is {
		return fields["all"] != nil
	}
	return mode == "PodGroup"
}
