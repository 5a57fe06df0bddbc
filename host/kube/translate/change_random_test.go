package translate

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	corev1 "k8s.io/api/core/v1"
	kuberesource "k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// A cluster whose pods are made, bound, resized, ended and deleted at random, by this scheduler and by others.
type life struct {
	*driver
	uids int
}

func (l *life) make(t *rapid.T, name string) *corev1.Pod {
	l.uids++
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: name, UID: types.UID(fmt.Sprint(l.uids))}}
	pod.Labels = map[string]string{"applicationId": rapid.SampledFrom([]string{"a", "b"}).Draw(t, "app")}
	pod.Spec.SchedulerName = rapid.SampledFrom([]string{"quern", "quern", "quern", "other"}).Draw(t, "scheduler")
	pod.Spec.Containers = []corev1.Container{{}}
	resize(pod, rapid.IntRange(1, 4).Draw(t, "cores"))
	if rapid.IntRange(0, 3).Draw(t, "gated") == 0 {
		pod.Spec.SchedulingGates = []corev1.PodSchedulingGate{{Name: "g"}}
	}
	return pod
}

func resize(pod *corev1.Pod, cores int) {
	pod.Spec.Containers[0].Resources.Requests = corev1.ResourceList{corev1.ResourceCPU: *kuberesource.NewQuantity(int64(cores), kuberesource.DecimalSI)}
}

// step changes a pod as the API server would, and tells of it.
func (l *life) step(t *rapid.T) {
	key := rapid.SampledFrom([]string{"ns/p", "ns/q", "ns/r", "ns/s"}).Draw(t, "pod")
	now := l.pods[key]
	if now == nil {
		l.pod(key, l.make(t, key[3:]))
		return
	}
	next := now.DeepCopy()
	switch rapid.SampledFrom([]string{"bind", "bind", "bind elsewhere", "resize", "terminate", "end", "delete", "anew", "same", "tolerate", "ungate"}).Draw(t, "what") {
	case "bind":
		if k := l.known[key]; now.Spec.NodeName == "" && k.Node != "" {
			next.Spec.NodeName = k.Node
		}
	case "bind elsewhere":
		if now.Spec.NodeName == "" && len(now.Spec.SchedulingGates) == 0 {
			next.Spec.NodeName = rapid.SampledFrom([]string{"n1", "n2"}).Draw(t, "node")
		}
	case "resize":
		resize(next, rapid.IntRange(1, 4).Draw(t, "cores"))
	case "terminate":
		next.DeletionTimestamp = &metav1.Time{}
	case "end":
		next.Status.Phase = corev1.PodSucceeded
	case "delete":
		next = nil
	case "anew":
		next = l.make(t, now.Name)
	case "tolerate":
		next.Spec.Tolerations = append(next.Spec.Tolerations, corev1.Toleration{Key: rapid.SampledFrom([]string{"x", "y"}).Draw(t, "taint"), Operator: corev1.TolerationOpExists})
	case "ungate":
		next.Spec.SchedulingGates = nil
	}
	l.pod(key, next)
}

// check holds what the scheduler knows against the pods.
func (l *life) check(t *rapid.T) {
	if len(l.refused) > 0 {
		t.Fatalf("the scheduler refused %v\n%s", l.refused, l.text.String())
	}
	for _, key := range []string{"ns/p", "ns/q", "ns/r", "ns/s"} {
		pod := l.pods[key]
		ask, ok := l.scheduler.Ask(key)
		stage := l.settings.StageOf(pod)
		if want := stage == Waiting || stage == Placed; ok != want {
			t.Fatalf("%s: the scheduler knows it: %v, want %v\n%s", key, ok, want, l.text.String())
		}
		if stage == Placed && (ask.Node != pod.Spec.NodeName || !slices.Equal(ask.Resources, PodAmounts(pod))) {
			t.Fatalf("%s on %s with %v: the scheduler has it on %s with %v\n%s", key, pod.Spec.NodeName, PodAmounts(pod), ask.Node, ask.Resources, l.text.String())
		}
	}
	for _, name := range []string{"n1", "n2"} {
		n, _ := l.scheduler.Node(name)
		if want := l.settings.Occupied(name, l.all(), nil).Occupied; !slices.Equal(n.Occupied, want) {
			t.Fatalf("%s is occupied by %v, want %v\n%s", name, n.Occupied, want, l.text.String())
		}
	}
}

func TestScheduler_FollowsPods(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := &life{driver: newDriver(t)}
		for _, name := range []string{"n1", "n2"} {
			l.node(decoded[corev1.Node](t, []byte("{metadata: {name: "+name+"}, status: {allocatable: {cpu: 6, pods: 10}}}")))
		}
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			if at, ok := l.scheduler.Deadline(); ok && rapid.IntRange(0, 3).Draw(t, "time passes") == 0 {
				l.scheduler.Advance(at)
				l.cycle()
			}
			l.step(t)
			l.check(t)
		}
		for key := range l.pods {
			l.pod(key, nil)
		}
		l.check(t)
		if left := l.inUse.All(); len(left) > 0 {
			t.Fatalf("selectors stay in use: %v", left[0].Attribute)
		}
	})
}

func TestRepeatedEvents_SubmitNothing(t *testing.T) {
	d := story(t, "web.yaml")
	for key, pod := range d.pods {
		again := pod.DeepCopy()
		if d.settings.StageOf(pod) == Waiting {
			again.Spec.NodeName = d.known[key].Node // as it was bound
		}
		for _, old := range []*corev1.Pod{pod, again} {
			if e := d.settings.Change(old, again, *d.known[key], &Context{}); len(e.Inputs)+len(e.Occupied) > 0 {
				t.Errorf("%s: %v, %v", key, e.Inputs, e.Occupied)
			}
		}
	}
}
