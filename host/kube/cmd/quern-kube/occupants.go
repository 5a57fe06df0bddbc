package main

import (
	"strconv"

	corev1 "k8s.io/api/core/v1"
	scheduling "k8s.io/component-helpers/scheduling/corev1"

	"github.com/quern-project/quern/host/api/yunikorn"
	"github.com/quern-project/quern/host/kube/translate"
)

// Cluster implements program.Describer.
func (c *connection) Cluster() yunikorn.Cluster { return occupants{c.manager} }

// occupants tells of nodes as YuniKorn does.
type occupants struct {
	pods interface {
		Cordoned(node string) bool
		ForeignPods(node string) []*corev1.Pod
	}
}

func (o occupants) Cordoned(node string) bool { return o.pods.Cordoned(node) }

func (o occupants) Occupants(node string) []yunikorn.Occupant {
	var list []yunikorn.Occupant
	for _, pod := range o.pods.ForeignPods(node) {
		list = append(list, occupant(pod))
	}
	return list
}

// The tags by which clients of YuniKorn know pods.
const (
	tagForeign   = "foreign"
	tagCreated   = "creationTime"
	tagNamespace = "kubernetes.io/meta/namespace"
	tagName      = "kubernetes.io/meta/podName"
)

// occupant is a pod of another scheduler. A static pod is the node's own.
func occupant(pod *corev1.Pod) yunikorn.Occupant {
	kind := "default"
	if translate.Static(pod) {
		kind = "static"
	}
	created := pod.CreationTimestamp.Time
	return yunikorn.Occupant{
		ID: translate.Key(pod), Created: created, Resources: translate.PodAmounts(pod), Priority: scheduling.PodPriority(pod), Preemptable: kind == "default",
		Tags: map[string]string{tagForeign: kind, tagCreated: strconv.FormatInt(created.Unix(), 10), tagNamespace: pod.Namespace, tagName: pod.Name},
	}
}
