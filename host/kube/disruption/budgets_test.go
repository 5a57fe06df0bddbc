package disruption

import (
	"fmt"
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// world is a cluster whose objects a test sets.
type world struct {
	pods    map[string]*corev1.Pod
	budgets []*policyv1.PodDisruptionBudget
}

func (w *world) Pod(key string) *corev1.Pod { return w.pods[key] }

func (w *world) PodsIn(namespace string) (list []*corev1.Pod) {
	for _, pod := range w.pods {
		if pod.Namespace == namespace {
			list = append(list, pod)
		}
	}
	return list
}

func (w *world) BudgetsIn(namespace string) (list []*policyv1.PodDisruptionBudget) {
	for _, b := range w.budgets {
		if b.Namespace == namespace {
			list = append(list, b)
		}
	}
	return list
}

// budgeted is a cluster with one budget, and the pods that were named since the last look.
type budgeted struct {
	*world
	*Budgets
	named []string
}

func newBudgeted() *budgeted {
	b := &budgeted{world: &world{pods: map[string]*corev1.Pod{}}}
	b.Budgets = New(b.world, func(key string) { b.named = append(b.named, key) })
	return b
}

// counts sets the status of the budget, which counts some pods as disrupted.
func (b *budgeted) counts(left, healthy int32, disrupted ...string) {
	o := &policyv1.PodDisruptionBudget{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "b"},
		Spec:   policyv1.PodDisruptionBudgetSpec{Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "a"}}},
		Status: policyv1.PodDisruptionBudgetStatus{DisruptionsAllowed: left, CurrentHealthy: healthy, DisruptedPods: map[string]metav1.Time{}}}
	for _, name := range disrupted {
		o.Status.DisruptedPods[name] = metav1.Time{}
	}
	b.world.budgets = []*policyv1.PodDisruptionBudget{o}
	b.Changed("default")
}

func (b *budgeted) left(t *testing.T, want int32, when string) {
	t.Helper()
	if got := b.byNamespace["default"][0].left; got != want {
		t.Errorf("%s: %d disruptions are left, expected %d", when, got, want)
	}
}

// ready adds pods of the application that the budget selects.
func (b *budgeted) ready(n int) (list []*corev1.Pod) {
	for i := range n {
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: fmt.Sprint("p", i), UID: types.UID(fmt.Sprint(i)), Labels: map[string]string{"app": "a"}}}
		pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}}
		b.pods[key(pod)] = pod
		list = append(list, pod)
	}
	return list
}

// recheckedAre compares the pods that were named with those expected, and forgets them.
func (b *budgeted) recheckedAre(t *testing.T, when string, want ...string) {
	t.Helper()
	slices.Sort(b.named)
	if got := slices.Compact(b.named); !slices.Equal(got, want) {
		t.Errorf("%s: the pods %v have to be looked at, expected %v", when, got, want)
	}
	b.named = nil
}

// The API server counts later, and changes other fields of a budget meanwhile.
func TestSpent_UntilTheStatusCountsIt(t *testing.T) {
	b := newBudgeted()
	pods := b.ready(2)
	b.counts(1, 10)
	if violated := b.Spend(pods[0]); len(violated) > 0 {
		t.Errorf("found %v", violated)
	}
	b.left(t, 0, "one is preempted")
	b.counts(1, 10)
	b.left(t, 0, "the status has not counted it")
	if violated := b.Spend(pods[1]); !slices.Equal(violated, []string{"PodDisruptionBudget default/b"}) {
		t.Errorf("two pods had the one disruption: %v", violated)
	}
	b.Unspend(pods[1])
	b.left(t, 0, "the second pod was not preempted after all")
	b.counts(1, 10, "p0")
	b.left(t, 1, "the status has counted the pod")
	b.counts(0, 10)
	b.Unspend(pods[0])
	b.left(t, 0, "the pod has ended")
	if b.Awaited() {
		t.Error("a pod is still awaited")
	}
}

// A pod may end before the status counts it as disrupted.
func TestEnded_CountsUntilTheStatusDoes(t *testing.T) {
	b := newBudgeted()
	pods := b.ready(4)
	b.counts(2, 4)
	for _, pod := range pods[:2] {
		b.Spend(pod)
	}
	b.left(t, 0, "two are preempted")
	for _, pod := range pods[:2] {
		delete(b.pods, key(pod))
		b.Ended(pod)
		b.left(t, 0, "they end, which is not counted")
	}
	b.counts(1, 3)
	b.left(t, 0, "one is counted")
	b.counts(0, 2)
	b.left(t, 0, "both are counted")
	if len(b.ended) > 0 {
		t.Errorf("%d pods are kept", len(b.ended["default"]))
	}
	b.counts(1, 3)
	b.left(t, 1, "there is another pod")
}

// The status of a budget has no deleted pod as healthy.
func TestDeleted_CountsOnce(t *testing.T) {
	for _, first := range []string{"the pod is deleted", "the budget counts it"} {
		t.Run(first+" first", func(t *testing.T) {
			b := newBudgeted()
			pods := b.ready(4)
			b.counts(2, 4)
			b.Spend(pods[0])
			b.left(t, 1, "one is preempted")
			ends := pods[0].DeepCopy()
			ends.DeletionTimestamp = &metav1.Time{Time: time.Unix(1, 0)}
			if first == "the budget counts it" {
				b.counts(1, 3)
			}
			b.pods[key(ends)] = ends
			b.Deleted(ends)
			b.left(t, 1, "it ends")
			b.counts(1, 3)
			b.left(t, 1, "it is counted, and has not ended")
		})
	}
}

func TestRecheck_NamesPodsWhoseProtectionMayChange(t *testing.T) {
	b := newBudgeted()
	pods := b.ready(2)
	b.counts(2, 10)
	b.recheckedAre(t, "a new budget", "default/p0", "default/p1")
	b.counts(1, 10)
	b.recheckedAre(t, "still a disruption left")
	b.Spend(pods[0])
	b.recheckedAre(t, "none is left", "default/p0", "default/p1")
	if !b.Protect(pods[1]) {
		t.Error("a pod without a disruption left is not protected")
	}
	b.world.budgets = nil
	b.Changed("default")
	b.recheckedAre(t, "the budget is gone", "default/p0", "default/p1")
	if b.Protect(pods[1]) || b.Any("default") {
		t.Error("a budget that is gone protects")
	}
}
