package manager

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/kube/podstate"
	"github.com/quern-project/quern/internal/await"
)

func TestReconciler_SubmitsDifferences(t *testing.T) {
	u := newUnconnected(t, nil)
	pod := waiting("p", "a", 100)
	same(t, "a pod comes", u.has(worker("n1", 1000), pod), "node.add n1", "node.update n1", "app.add a", "ask.add default/p")
	same(t, "nothing has changed", u.has(pod))
	larger := pod.DeepCopy()
	larger.Spec.Containers[0].Resources.Requests = waiting("p", "a", 200).Spec.Containers[0].Resources.Requests
	same(t, "another size", u.has(larger), "ask.update default/p")
	same(t, "gone", u.lacks(larger), "ask.remove default/p", "allocation.release default/p")
	if len(u.pods.byKey) > 0 {
		t.Errorf("the pod is followed: %+v", u.pods.at("default/p"))
	}
}

// What holds room is submitted before who asks for it, and asks in the order of creation.
func TestReconciler_Order(t *testing.T) {
	u := newUnconnected(t, nil)
	young, old, runs := waiting("a", "a", 100), waiting("b", "b", 100), waiting("c", "c", 100)
	young.CreationTimestamp, runs.Spec.NodeName = metav1.Now(), "n1"
	same(t, "three pods", u.has(worker("n1", 1000), young, old, runs),
		"node.add n1", "node.update n1", "app.add c", "allocation.restore default/c", "app.add b", "app.add a", "ask.add default/b", "ask.add default/a")
}

// A pod on a node that the scheduler does not have is submitted after the node.
func TestReconciler_PodWaitsForItsNode(t *testing.T) {
	u := newUnconnected(t, nil)
	runs := waiting("p", "a", 100)
	runs.Spec.NodeName = "n1"
	same(t, "without the node", u.has(runs))
	same(t, "with it", u.has(worker("n1", 1000)), "node.add n1", "node.update n1", "app.add a", "allocation.restore default/p")
}

func TestObstacles_BackoffEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		u := newUnconnected(t, nil)
		pod := waiting("p", "a", 100)
		u.has(pod)
		u.pods.forget(u.pods.at("default/p"), podstate.Released)
		u.pods.at("default/p").backoff = backoff{until: time.Now().Add(time.Minute), why: "because of a test"}
		same(t, "in the pause", u.has(pod))
		u.is("default/p", podstate.Held)
		await.Virtual(time.Minute)
		synctest.Wait()
		if !u.inbox.take().pods["default/p"] {
			t.Error("the pod is not looked at after the pause")
		}
		same(t, "after the pause", u.has(pod), "ask.add default/p")
	})
}

func TestObstacles_PodGroupThatIsNotServed(t *testing.T) {
	u := newUnconnected(t, nil)
	pod, group := waiting("p", "a", 100), "g"
	pod.Spec.SchedulingGroup = &corev1.PodSchedulingGroup{PodGroupName: &group}
	same(t, "no pod groups", u.has(pod))
	u.is("default/p", podstate.Held)
	if list := u.conditions.events.list; len(list) != 1 || list[0].reason != "PodGroupNotServed" {
		t.Errorf("events: %+v", list)
	}
}

func TestBindings_FailedAsksAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		u := newUnconnected(t, nil)
		pod := waiting("p", "a", 100)
		u.has(worker("n1", 1000), pod)
		p := u.allocates("default/p")
		if !u.bindings.jobs.busy(sending) {
			t.Error("no binding begins")
		}
		looked, late := map[string]bool{}, []outcome{{p.key, p.binding.number - 1, errors.New("of an earlier binding")}}
		u.bindings.ended(late, looked)
		u.is(p.key, podstate.Allocated)
		u.bindings.ended([]outcome{{p.key, p.binding.number, errors.New("because of a test")}}, looked)
		same(t, "failed", u.looks(looked), "allocation.release default/p")
		await.Virtual(firstBackoff)
		same(t, "after the pause", u.has(pod), "ask.add default/p")
		p = u.allocates(p.key)
		u.bindings.ended([]outcome{{p.key, p.binding.number, nil}}, looked)
		u.is(p.key, podstate.Bound)
	})
}

// The pod is submitted anew as one that asks not to be preempted, and its node is kept for no other.
func TestEvictions_DeniedOftenAreUndone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		u := newUnconnected(t, nil)
		victim := waiting("v", "v", 1000)
		victim.Spec.NodeName = "n1"
		u.has(worker("n1", 1000), victim, waiting("p", "p", 1000))
		u.decides(core.Decision{Type: core.Preemption, ID: "default/v", For: "default/p", Node: "n1"})
		u.is("default/v", podstate.Evicting)
		same(t, "preempted", u.writing(), "default/p", "default/v")
		forbidden := apierrors.NewForbidden(schema.GroupResource{Resource: "pods"}, "v", nil)
		looked := map[string]bool{}
		for i := range mostDenials {
			if u.is("default/v", podstate.Evicting); len(looked) > 0 {
				t.Fatalf("undone after %d denials", i)
			}
			u.evictions.tried([]attempt{{u.pods.at("default/v").eviction.current, forbidden}}, looked)
		}
		same(t, "undone", u.looks(looked), "allocation.release default/v", "allocation.restore default/v", "ask.update default/v")
		if p := u.pods.at("default/v"); p.state != podstate.Bound || !p.demand.protection.on {
			t.Errorf("found %v, protected: %v", p.state, p.demand.protection.on)
		}
	})
}

func TestDeletions_OverduePodStays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		u := newUnconnected(t, nil)
		runs := waiting("p", "a", 100)
		runs.Spec.NodeName = "n1"
		u.has(worker("n1", 1000), runs)
		deleted := runs.DeepCopy()
		deleted.DeletionTimestamp = &metav1.Time{Time: time.Now()}
		same(t, "deleted", u.has(deleted), "ask.update default/p")
		u.is("default/p", podstate.Ending)
		if u.pods.ending != 1 {
			t.Errorf("%d pods end", u.pods.ending)
		}
		await.Virtual(overdue)
		same(t, "overdue", u.has(deleted), "node.update n1", "allocation.release default/p")
		if u.pods.ending != 0 || !u.pods.stays(deleted) {
			t.Errorf("%d pods end, stays: %v", u.pods.ending, u.pods.stays(deleted))
		}
	})
}

func TestPods_NodeLostReleasesItsPods(t *testing.T) {
	u := newUnconnected(t, nil)
	runs := waiting("p", "a", 100)
	runs.Spec.NodeName = "n1"
	u.has(worker("n1", 1000), runs, waiting("q", "a", 100))
	same(t, "lost", u.pods.nodeLost("n1"), "default/p")
	u.is("default/p", podstate.Absent)
	u.is("default/q", podstate.Asking)
}

// An ask whose plugins read more of pods than before is judged by another predicate, and keeps its place.
func TestPredicates_Renamed(t *testing.T) {
	f := &named{name: "before"}
	u := newUnconnected(t, f)
	pod := waiting("p", "a", 100)
	pod.Spec.Containers[0].Ports = []corev1.ContainerPort{{ContainerPort: 80, HostPort: 80}}
	u.has(pod, waiting("q", "a", 100))
	if name := u.pods.at("default/p").demand.predicate; name != "before" {
		t.Errorf("the predicate is %q", name)
	}
	f.name = "after"
	same(t, "not selected", u.looks(map[string]bool{}))
	f.selected++
	same(t, "selected", u.looks(map[string]bool{}), "ask.update default/p")
	if name := u.pods.at("default/p").demand.predicate; name != "after" {
		t.Errorf("the predicate is %q", name)
	}
}

// named are filters whose names a test gives.
type named struct {
	Filters
	name     string
	selected uint64
}

func (n *named) Name(*corev1.Pod) string { return n.name }
func (n *named) Node(_, _ *corev1.Node)  {}
func (n *named) Pod(_, _ *corev1.Pod)    {}
func (n *named) Selected() uint64        { return n.selected }
func (n *named) Forget(*corev1.Pod)      {}
