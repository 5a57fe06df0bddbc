package main

import (
	"reflect"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// onNode are pods of other schedulers on one node.
type onNode []*corev1.Pod

func (onNode) Cordoned(node string) bool               { return node == "cordoned" }
func (o onNode) ForeignPods(node string) []*corev1.Pod { return o }

func (o onNode) Pod(key string) *corev1.Pod {
	for _, pod := range o {
		if pod.Namespace+"/"+pod.Name == key {
			return pod
		}
	}
	return nil
}

func TestOccupants_AsInYuniKorn(t *testing.T) {
	created := time.Unix(1_700_000_000, 0)
	priority := int32(7)
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "kube-system", Name: "dns", Labels: map[string]string{"app": "dns"}, CreationTimestamp: metav1.NewTime(created)}, Spec: corev1.PodSpec{Priority: &priority,
		Containers: []corev1.Container{{Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("100m")}}}}}}
	mirror := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "kube-system", Name: "proxy", Annotations: map[string]string{corev1.MirrorPodAnnotationKey: "x"}}}
	o := occupants{onNode{pod, mirror}}
	list := o.Occupants("n1")
	if len(list) != 2 || !o.Cordoned("cordoned") || o.Cordoned("n1") {
		t.Fatal(list)
	}
	dns := list[0]
	want := map[string]string{"foreign": "default", "creationTime": "1700000000", "kubernetes.io/meta/namespace": "kube-system", "kubernetes.io/meta/podName": "dns", "kubernetes.io/label/app": "dns"}
	if vcore, _ := dns.Resources.Value("vcore"); dns.ID != "kube-system/dns" || !dns.Preemptable || dns.Priority != 7 || !dns.Created.Equal(created) || vcore != 100 || !reflect.DeepEqual(dns.Tags, want) {
		t.Errorf("%+v", dns)
	}
	if list[1].Preemptable || list[1].Tags["foreign"] != "static" {
		t.Errorf("%+v", list[1])
	}
	delete(want, "foreign")
	if tags, at := o.Tags("kube-system/dns"); !reflect.DeepEqual(tags, want) || !at.Equal(created) {
		t.Errorf("%v, %v", tags, at)
	}
	if tags, _ := o.Tags("app/worker/placeholder-1"); tags != nil {
		t.Errorf("a placeholder: %v", tags)
	}
}
