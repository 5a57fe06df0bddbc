package filter

import (
	"context"
	"strings"
	"testing"

	"github.com/quern-project/quern/core"
	corev1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	clienttesting "k8s.io/client-go/testing"
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

func slice(node string) *resourceapi.ResourceSlice {
	return &resourceapi.ResourceSlice{ObjectMeta: metav1.ObjectMeta{Name: "slice"}, Spec: resourceapi.ResourceSliceSpec{NodeName: &node, Driver: "example.com",
		Pool: resourceapi.ResourcePool{Name: "pool", ResourceSliceCount: 1}, Devices: []resourceapi.Device{{Name: "gpu-0"}}}}
}

func TestDevicesStandForExtendedResources(t *testing.T) {
	named := "example.com/gpu"
	one := resource.MustParse("1")
	for _, name := range []corev1.ResourceName{"example.com/gpu", "deviceclass.resource.kubernetes.io/gpu"} {
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "p", UID: "p"}}
		pod.Spec.Containers = []corev1.Container{{Name: "c", Resources: corev1.ResourceRequirements{
			Requests: corev1.ResourceList{name: one}, Limits: corev1.ResourceList{name: one}}}}
		w := newWorld(t, slice("n1"), pod,
			&resourceapi.DeviceClass{ObjectMeta: metav1.ObjectMeta{Name: "gpu"}, Spec: resourceapi.DeviceClassSpec{ExtendedResourceName: &named}})
		w.client.PrependReactor("create", "resourceclaims", func(a clienttesting.Action) (bool, runtime.Object, error) {
			c := a.(clienttesting.CreateAction).GetObject().(*resourceapi.ResourceClaim) // which an API server names
			c.Name, c.UID, c.ResourceVersion = c.GenerateName+"1", "made", "1"
			return false, nil, nil
		})
		for _, n := range []string{"n0", "n1"} {
			w.addNode(&corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: n}})
		}
		w.filters.Pod(nil, pod)
		if got := w.judged(pod); got["n0"] || !got["n1"] {
			t.Fatalf("%s: let in: %v", name, got)
		}
		ctx := context.Background()
		if err := w.filters.Reserve(ctx, pod, "n1"); err != nil {
			t.Fatal(err)
		}
		if err := w.filters.PreBind(ctx, pod, "n1"); err != nil {
			t.Fatal(err)
		}
		if claims, err := w.client.ResourceV1().ResourceClaims("ns").List(ctx, metav1.ListOptions{}); err != nil || len(claims.Items) != 1 || claims.Items[0].Status.Allocation == nil {
			t.Errorf("%s: found %+v (%v), expected a claim for the pod", name, claims, err)
		}
		other := pod.DeepCopy()
		other.Name, other.UID = "other", "other"
		w.filters.Pod(nil, other)
		if got := w.judged(other); got["n1"] {
			t.Errorf("%s: two pods get one device", name)
		}
	}
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
	list := []core.Input{{Event: &core.SetConfig{Config: oneQueue}}, {Event: &core.AddApp{ID: "app", Queue: "root.a"}}}
	for _, name := range []string{"n0", node} {
		w.addNode(&corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name}})
		list = append(list, core.Input{Event: &core.AddNode{ID: name, Capacity: pods(5)}})
	}
	for _, claim := range []string{"a", "b"} {
		pod := podWithDevice(claim)
		w.filters.Pod(nil, pod)
		list = append(list, core.Input{Event: &core.AddAsk{ID: "ns/" + claim, App: "app", Resources: pods(1), Ask: core.Ask{Predicate: w.filters.Name(pod)}}})
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
