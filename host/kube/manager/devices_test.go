package manager

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

const gpu = "example.com/gpu"

func gpuClass() *resourcev1.DeviceClass {
	name := gpu
	return &resourcev1.DeviceClass{ObjectMeta: metav1.ObjectMeta{Name: "gpus"}, Spec: resourcev1.DeviceClassSpec{ExtendedResourceName: &name}}
}

func wantsGPU(name string, resources ...corev1.ResourceName) *corev1.Pod {
	pod := waiting(name, name, 100)
	for _, r := range append(resources, gpu)[:1] {
		pod.Spec.Containers[0].Resources.Requests[r] = resource.MustParse("1")
	}
	return pod
}

// Of resources that devices stand for nodes have no amounts, so plugins say which nodes have them.
func TestAPodWaitsForNoAmountsOfDevices(t *testing.T) {
	for _, name := range []corev1.ResourceName{gpu, "deviceclass.resource.kubernetes.io/gpus"} {
		a := newAPI(t)
		a.put("nodes", worker("n1", 2000))
		p := &namer{ports{calls: map[string]int{}}, make(chan string, 10)}
		r := start(t, a.client(t), rules, func(o *Options) { o.Filters = p })
		a.putAll(wantsGPU("trainer", name))
		until(t, func() string {
			if len(r.asks()) != 1 {
				return "the pod does not ask"
			}
			return ""
		})
		if len(p.named) > 0 {
			t.Error("plugins are asked, though no device stands for the resource")
		}
		a.put("deviceclasses", gpuClass())
		until(t, isBound(a, "default/trainer"))
		if len(p.named) == 0 {
			t.Error("the pod is bound, and no plugin was asked")
		}
	}
}

// A node that has the resource from a device plugin keeps amounts in force.
func TestAmountsCountWhereANodeHasThem(t *testing.T) {
	a := newAPI(t)
	n := worker("n1", 2000)
	n.Status.Allocatable[gpu] = resource.MustParse("1")
	a.put("nodes", n)
	a.put("deviceclasses", gpuClass())
	r := start(t, a.client(t), rules, func(o *Options) { o.Filters = &ports{calls: map[string]int{}} })
	a.putAll(wantsGPU("first"), wantsGPU("second"))
	until(t, func() string {
		if isBound(a, "default/first")() != "" && isBound(a, "default/second")() != "" || len(r.asks()) != 2 {
			return "expected one pod bound, and both to have asked"
		}
		return ""
	})
	if isBound(a, "default/first")() == "" && isBound(a, "default/second")() == "" {
		t.Error("both are bound, and the node has one")
	}
}
