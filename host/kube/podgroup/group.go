// Package podgroup follows the pod groups of Kubernetes, of whichever version the API server has.
//
// Their API moves from version to version: scheduling.k8s.io/v1alpha2 in Kubernetes 1.36, v1alpha3 and v1beta1 without it in 1.37. The fields of a Group
// are written alike in all of them.
package podgroup

import (
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
)

const (
	apiGroup = "scheduling.k8s.io"
	resource = "podgroups"
)

// Known returns the versions that are read, the preferred one first.
func Known() []schema.GroupVersion {
	return []schema.GroupVersion{{Group: apiGroup, Version: "v1beta1"}, {Group: apiGroup, Version: "v1alpha3"}, {Group: apiGroup, Version: "v1alpha2"}}
}

// Group is what a PodGroup says to its pods.
type Group struct {
	Namespace, Name string
	UID             types.UID
	Gang            bool // its pods are scheduled together; else each by itself
	MinCount        int  // of a gang: how many pods have to be scheduled together, from 1 on
}

// same reports whether two groups, which may be nil, say the same to their pods.
func same(a, b *Group) bool { return a == b || a != nil && b != nil && *a == *b }

// read makes a Group of an object of any known version.
func read(o *unstructured.Unstructured) *Group {
	g := &Group{Namespace: o.GetNamespace(), Name: o.GetName(), UID: o.GetUID()}
	least, gang, err := unstructured.NestedInt64(o.Object, "spec", "schedulingPolicy", "gang", "minCount")
	if err == nil && gang { // the API server has checked it by the schema of its version
		g.Gang, g.MinCount = true, int(least)
	}
	return g
}
