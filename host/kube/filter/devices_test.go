package filter

import (
	"context"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/quern-project/quern/core"
)

func gpuClaim(name string) *resourceapi.ResourceClaim {
	c := &resourceapi.ResourceClaim{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: name, UID: types.UID(name), ResourceVersion: "1"}}
	c.Spec.Devices.Requests = []resourceapi.DeviceRequest{{Name: "gpu", Exactly: &resourceapi.ExactDeviceRequest{
		DeviceClassName: "gpu", AllocationMode: resourceapi.DeviceAllocationModeExactCount, Count: 1}}}
	return c
}

func podWithDevice(claim string) *corev1.Pod {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: claim, UID: types.UID("pod-" + claim)}}
	pod.Spec.ResourceClaims = []corev1.PodResourceClaim{{Name: "gpu", ResourceClaimName: &claim}}
	return pod
}

func TestNoTwoPodsOfACycleGetOneDevice(t *testing.T) {
	node := "n1"
	w := newWorld(t,
		&resourceapi.DeviceClass{ObjectMeta: metav1.ObjectMeta{Name: "gpu"}},
		&resourceapi.ResourceSlice{ObjectMeta: metav1.ObjectMeta{Name: "slice"}, Spec: resourceapi.ResourceSliceSpec{NodeName: &node, Driver: "example.com",
			Pool: resourceapi.ResourcePool{Name: "pool", ResourceSliceCount: 1}, Devices: []resourceapi.Device{{Name: "gpu-0"}}}},
		gpuClaim("a"), gpuClaim("b"))
	s := w.scheduler()
	s.Advance(0)
	list := []core.Input{{Type: core.ConfigSet, Config: oneQueue}, {Type: core.AppAdd, ID: "app", Queue: "root.a"}}
	for _, name := range []string{"n0", node} {
		w.addNode(&corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name}})
		list = append(list, core.Input{Type: core.NodeAdd, ID: name, Capacity: pods(5)})
	}
	for _, claim := range []string{"a", "b"} {
		pod := podWithDevice(claim)
		w.filters.Pod(nil, pod)
		list = append(list, core.Input{Type: core.AskAdd, ID: "ns/" + claim, App: "app", Resources: pods(1), Ask: core.Ask{Predicate: w.filters.Name(pod)}})
	}
	for i := range list {
		s.Apply(&list[i])
	}
	if at := placements(s); len(at) != 1 || at["ns/a"] != node {
		t.Fatalf("found %v", at)
	}
	if why := w.filters.Why(w.filters.Name(podWithDevice("b")), node); !strings.Contains(why, "DynamicResources") {
		t.Errorf("found %q", why)
	}
	ctx := context.Background()
	if err := w.filters.Reserve(ctx, podWithDevice("a"), node); err != nil {
		t.Fatal(err)
	}
	if err := w.filters.PreBind(ctx, podWithDevice("a"), node); err != nil {
		t.Fatal(err)
	}
	c, err := w.client.ResourceV1().ResourceClaims("ns").Get(ctx, "a", metav1.GetOptions{})
	if err != nil || c.Status.Allocation == nil || len(c.Status.ReservedFor) != 1 || c.Status.ReservedFor[0].Name != "a" {
		t.Errorf("found %+v (%v)", c.Status, err)
	}
}
