package main

import (
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"
	scheduling "k8s.io/component-helpers/scheduling/corev1"

	"github.com/quern-project/quern/cmd/quern/servecmd"
	"github.com/quern-project/quern/host/api/yunikorn"
	"github.com/quern-project/quern/host/kube/translate"
)

var _ servecmd.Describer = (*connection)(nil)

// Cluster implements servecmd.Describer.
func (c *connection) Cluster() yunikorn.Cluster { return occupants{c.manager} }

// occupants reports nodes as YuniKorn does.
type occupants struct {
	pods interface {
		Cordoned(node string) bool
		ForeignPods(node string) []*corev1.Pod
		Pod(key string) *corev1.Pod
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
	tagLabel     = "kubernetes.io/label/" // and the key
)

// Tags are those of a pod. IDs of placeholders are no keys of pods.
func (o occupants) Tags(id string) (tags map[string]string, created time.Time) {
	pod := o.pods.Pod(id)
	if pod == nil {
		return nil, time.Time{}
	}
	return tagsOf(pod), pod.CreationTimestamp.Time
}

// tagsOf are the name, the labels and the time of a pod.
func tagsOf(pod *corev1.Pod) map[string]string {
	tags := map[string]string{tagCreated: strconv.FormatInt(pod.CreationTimestamp.Unix(), 10), tagNamespace: pod.Namespace, tagName: pod.Name}
	for key, value := range pod.Labels {
		tags[tagLabel+key] = value
	}
	return tags
}

// occupant is a pod of another scheduler. A static pod is the node's own.
func occupant(pod *corev1.Pod) yunikorn.Occupant {
	kind := "default"
	if translate.Static(pod) {
		kind = "static"
	}
	tags := tagsOf(pod)
	tags[tagForeign] = kind
	return yunikorn.Occupant{ID: translate.Key(pod), Tags: tags, Created: pod.CreationTimestamp.Time, Resources: translate.PodAmounts(pod), Priority: scheduling.PodPriority(pod),
		Preemptable: kind == "default"}
}
