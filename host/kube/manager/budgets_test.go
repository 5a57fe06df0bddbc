package manager

import (
	"fmt"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/cache"

	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/kube/translate"
	"github.com/quern-project/quern/host/kubelabels"
)

// guard is a budget for the pods of an application. Its status has all of them as healthy, since nobody writes it.
func guard(name, app string, left int32) *policyv1.PodDisruptionBudget {
	return &policyv1.PodDisruptionBudget{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name},
		Spec:       policyv1.PodDisruptionBudgetSpec{Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"applicationId": app}}},
		Status:     policyv1.PodDisruptionBudgetStatus{DisruptionsAllowed: left, CurrentHealthy: 10},
	}
}

// asksNotToBePreempted waits until the scheduler has an ask or allocation that does so, or does not.
func asksNotToBePreempted(r *replica, key string, want bool) func() string {
	return func() string {
		var e explain.AskExplanation
		var ok bool
		r.View().Read(func(s *scheduler.Scheduler) { e, ok = s.ExplainAsk(key) })
		if !ok || e.Preemptable == want {
			return fmt.Sprintf("%s: expected preemptable %v, found %v, known %v", key, !want, e.Preemptable, ok)
		}
		return ""
	}
}

// preempting fills two nodes with a pod each, and has a third preempt one of them once it is known what they ask.
func preempting(t *testing.T, a *api, known func(r *replica), changes ...func(*Options)) *replica {
	for i := range 2 {
		name := fmt.Sprint("n", i)
		a.put("nodes", worker(name, 1000))
		pod := queued(waiting(fmt.Sprint("low-", i), fmt.Sprint("low-", i), 1000), "root.batch")
		pod.Spec.NodeName, pod.Status.Phase = name, corev1.PodRunning
		a.putAll(pod)
	}
	r := start(t, a.client(t), guarantees, changes...)
	until(t, func() string {
		if n := len(r.asks()); n != 2 {
			return fmt.Sprintf("%d pods are known", n)
		}
		return ""
	})
	known(r)
	a.putAll(queued(waiting("high", "high", 1000), "root.prod"))
	return r
}

// ends waits until a pod is told to end, and returns what it is told.
func ends(t *testing.T, a *api, key string) (why string) {
	t.Helper()
	until(t, func() string {
		pod := a.pod(key)
		if pod == nil || pod.DeletionTimestamp == nil {
			return key + " is not told to end"
		}
		for _, c := range pod.Status.Conditions {
			if c.Type == corev1.DisruptionTarget {
				why = c.Message
			}
		}
		return ""
	})
	return why
}

func TestPodsOfABudgetWithoutDisruptionsLeftGoLast(t *testing.T) {
	for first := range 2 { // whichever of the two would go otherwise
		t.Run(fmt.Sprint("low-", first), func(t *testing.T) {
			a, other := newAPI(t), fmt.Sprint("default/low-", 1-first)
			guarded := fmt.Sprint("low-", first)
			a.put("poddisruptionbudgets", guard("spent", guarded, 0))
			a.put("poddisruptionbudgets", guard("ample", fmt.Sprint("low-", 1-first), 1))
			preempting(t, a, func(r *replica) { until(t, asksNotToBePreempted(r, "default/"+guarded, true)) })
			if why := ends(t, a, other); why != fmt.Sprintf("Preempted for pod default/high on node n%d", 1-first) {
				t.Errorf("found %q", why)
			}
			if pod := a.pod("default/" + guarded); pod.DeletionTimestamp != nil {
				t.Error("the pod of the spent budget was preempted, too")
			}
		})
	}
}

func TestBudget_ViolatedAsALastResort(t *testing.T) {
	a := newAPI(t)
	for i := range 2 {
		a.put("poddisruptionbudgets", guard(fmt.Sprint("spent-", i), fmt.Sprint("low-", i), 0))
	}
	preempting(t, a, func(r *replica) {
		for i := range 2 {
			until(t, asksNotToBePreempted(r, fmt.Sprint("default/low-", i), true))
		}
	})
	var why string
	until(t, func() string {
		for i := range 2 {
			if pod := a.pod(fmt.Sprint("default/low-", i)); pod != nil && pod.DeletionTimestamp != nil {
				why = fmt.Sprintf("Preempted for pod default/high on node n%d, although no disruption is left to PodDisruptionBudget default/spent-%d", i, i)
				if got := ends(t, a, fmt.Sprint("default/low-", i)); got != why {
					t.Errorf("expected %q, found %q", why, got)
				}
				return ""
			}
		}
		return "no pod is told to end"
	})
}

func TestABudgetProtectsWhileItHasNoDisruptionLeft(t *testing.T) {
	a := newAPI(t)
	a.put("nodes", worker("n1", 2000))
	a.put("poddisruptionbudgets", guard("b", "app", 0))
	a.putAll(waiting("runs", "app", 1000))
	r := start(t, a.client(t), rules)
	until(t, isBound(a, "default/runs"))
	until(t, asksNotToBePreempted(r, "default/runs", true))
	a.putAll(waiting("waits", "app", 2000)) // has nothing to disrupt
	until(t, asksNotToBePreempted(r, "default/waits", false))
	a.put("poddisruptionbudgets", guard("b", "app", 1))
	until(t, asksNotToBePreempted(r, "default/runs", false))
	a.put("poddisruptionbudgets", guard("b", "app", 0))
	until(t, asksNotToBePreempted(r, "default/runs", true))
	a.remove("poddisruptionbudgets", "default/b")
	until(t, asksNotToBePreempted(r, "default/runs", false))
}

// One disruption is left to two pods: once one of them is preempted, the other is protected before the API server has counted.
func TestAPreemptionIsCountedAtOnce(t *testing.T) {
	a := newAPI(t)
	b := guard("b", "", 1)
	b.Spec.Selector = &metav1.LabelSelector{}
	a.put("poddisruptionbudgets", b)
	r := preempting(t, a, func(*replica) {})
	until(t, func() string {
		for i := range 2 {
			if pod := a.pod(fmt.Sprint("default/low-", i)); pod.DeletionTimestamp != nil {
				return asksNotToBePreempted(r, fmt.Sprint("default/low-", 1-i), true)()
			}
		}
		return "no pod is told to end"
	})
}

// namespaced is an empty store of objects.
func namespaced() cache.Indexer {
	return cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc})
}

// A victim that takes long to end, or does not end, counts once: the look at the deleted pod has its budgets read again.
func TestVictim_ThatEndsCountsOnce(t *testing.T) {
	there := &cluster{pods: namespaced(), budgets: namespaced(), namespaces: namespaced()}
	view := &clusterView{cluster: there, settings: &translate.Settings{Schedulers: []string{schedulerName}}, repelling: newRepelling(), devices: newDevices()}
	s := newProtections(view, nil, nil, &batch{})
	seen := map[string]*corev1.Pod{}
	see := func(pod *corev1.Pod) {
		if err := there.pods.Update(pod); err != nil {
			t.Fatal(err)
		}
		s.observe(seen[pod.Name], pod)
		seen[pod.Name] = pod
	}
	counts := func(left, healthy int32) {
		b := guard("b", "app", left)
		b.Status.CurrentHealthy = healthy
		if err := there.budgets.Update(b); err != nil {
			t.Fatal(err)
		}
		s.budgets.Changed("default")
	}
	var pods []*corev1.Pod
	for i := range 4 {
		pod := waiting(fmt.Sprint("p", i), "app", 100)
		pod.UID, pod.Spec.NodeName = types.UID(pod.Name), "n1"
		pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}}
		pods = append(pods, pod)
		see(pod)
	}
	counts(2, 4)
	s.budgets.Spend(pods[0])
	counts(1, 3) // the budget counts the pod before it is seen as deleted
	ends := pods[0].DeepCopy()
	ends.DeletionTimestamp = &metav1.Time{Time: time.Now()}
	see(ends)
	if violated := s.budgets.Spend(pods[1]); len(violated) > 0 {
		t.Errorf("the first victim counts twice: %v", violated)
	}
	if violated := s.budgets.Spend(pods[2]); len(violated) != 1 {
		t.Errorf("three victims have two disruptions: %v", violated)
	}
}

func TestPriorityClass_ChangeAppliesToExistingPods(t *testing.T) {
	a := newAPI(t)
	a.put("nodes", worker("n1", 1000))
	class := func(may string) *schedulingv1.PriorityClass {
		return &schedulingv1.PriorityClass{ObjectMeta: metav1.ObjectMeta{Name: "c", Annotations: map[string]string{kubelabels.AllowPreemption: may}}}
	}
	a.putAll(class("true"))
	runs, waits := waiting("runs", "runs", 1000), waiting("waits", "waits", 1000)
	runs.Spec.PriorityClassName, waits.Spec.PriorityClassName = "c", "c"
	a.putAll(runs)
	r := start(t, a.client(t), rules)
	until(t, isBound(a, "default/runs"))
	a.putAll(waits)
	for _, protected := range []bool{false, true, false} {
		a.putAll(class(fmt.Sprint(!protected)))
		until(t, asksNotToBePreempted(r, "default/runs", protected))
		until(t, asksNotToBePreempted(r, "default/waits", protected))
	}
}

// A namespace begins to put its pods into one application: those that wait move, those that run stay where they are.
func TestPodsThatWaitFollowTheirNamespace(t *testing.T) {
	a := newAPI(t)
	a.put("nodes", worker("n1", 1000))
	bare := func(name string) *corev1.Pod {
		pod := waiting(name, "", 1000)
		pod.Labels = nil
		return pod
	}
	a.putAll(bare("runs"))
	r := start(t, a.client(t), rules)
	until(t, isBound(a, "default/runs"))
	a.putAll(bare("waits"))
	appOf := func(key string) (app string) {
		r.View().Read(func(s *scheduler.Scheduler) {
			if e, ok := s.ExplainAsk(key); ok {
				app = e.App
			}
		})
		return app
	}
	is := func(want string) func() string {
		return func() string {
			if app := appOf("default/waits"); app != want {
				return fmt.Sprintf("the pod that waits belongs to %q, expected %q", app, want)
			}
			return ""
		}
	}
	until(t, is("default/waits"))
	until(t, condition(a, "default/waits", corev1.PodReasonUnschedulable)) // from now on nothing changes of the pod itself
	a.put("namespaces", &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "default", Annotations: map[string]string{kubelabels.Domain + kubelabels.GenerateAppID: "true"}}})
	until(t, is(kubelabels.AutogenAppID("default")))
	if app := appOf("default/runs"); app != "default/runs" {
		t.Errorf("the pod that runs belongs to %q", app)
	}
}
