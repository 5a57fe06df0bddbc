package manager

import (
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/quern-project/quern/core"
)

// halves fills nodes with two pods each of an application that is named after the node, whose budget has one disruption left on the first node
// only, and whose priorities rise from node to node. Then a pod needs the room of two.
func halves(t *testing.T, a *api, nodes int) {
	a.put("poddisruptionbudgets", guard("one", "app-0", 1))
	for n := range nodes {
		node := fmt.Sprint("n", n)
		a.put("nodes", worker(node, 1000))
		for i := range 2 {
			pod, priority := queued(waiting(fmt.Sprintf("low-%d-%d", n, i), fmt.Sprint("app-", n), 500), "root.batch"), int32(n)
			pod.Spec.NodeName, pod.Status.Phase, pod.Spec.Priority = node, corev1.PodRunning, &priority
			a.putAll(pod)
		}
	}
	r := start(t, a.client(t), guarantees)
	until(t, func() string {
		if n := len(r.asks()); n != 2*nodes {
			return fmt.Sprintf("%d pods are known", n)
		}
		return ""
	})
	priority := int32(nodes)
	high := queued(waiting("high", "high", 1000), "root.prod")
	high.Spec.Priority = &priority
	a.putAll(high)
}

func TestNoSetTakesMorePodsOfABudgetThanAreLeft(t *testing.T) {
	a := newAPI(t)
	halves(t, a, 2)
	for i := range 2 {
		if why := ends(t, a, fmt.Sprintf("default/low-1-%d", i)); why != "Preempted for pod default/high on node n1" {
			t.Errorf("found %q", why)
		}
	}
	if why := a.preempted("default/low-0-0", "default/low-0-1"); why != "" {
		t.Error(why)
	}
	for i := range 2 {
		a.remove("pods", fmt.Sprintf("default/low-1-%d", i))
	}
	until(t, isBound(a, "default/high"))
}

func TestBudget_LargerSetTakenIfNoOtherIsEnough(t *testing.T) {
	a := newAPI(t)
	halves(t, a, 1)
	violated := 0
	for i := range 2 {
		if strings.HasSuffix(ends(t, a, fmt.Sprintf("default/low-0-%d", i)), ", although no disruption is left to PodDisruptionBudget default/one") {
			violated++
		}
	}
	if violated != 1 {
		t.Errorf("%d preemptions say that they violate the budget, expected 1", violated)
	}
	for i := range 2 {
		a.remove("pods", fmt.Sprintf("default/low-0-%d", i))
	}
	until(t, isBound(a, "default/high"))
}

// The driver and two pods of a budget with one disruption left fill a node together with the placeholder of the driver's executor. The pod that needs
// the room of the others waits for the placeholder, too, whatever becomes of the pods.
func TestThePlaceholderOfASetThatIsUndoneLeaves(t *testing.T) {
	a := newAPI(t)
	a.put("poddisruptionbudgets", guard("one", "low", 1))
	a.put("nodes", worker("n0", 2000))
	for _, name := range []string{"low-0", "low-1"} {
		pod := queued(waiting(name, "low", 500), "root.batch")
		pod.Spec.NodeName, pod.Status.Phase = "n0", corev1.PodRunning
		a.putAll(pod)
	}
	driver := queued(waiting("driver", "etl", 100), "root.batch")
	driver.Annotations = map[string]string{"yunikorn.apache.org/task-groups": `[{"name": "executors", "minMember": 1, "minResource": {"cpu": "900m"}}]`}
	a.putAll(driver)
	r := start(t, a.client(t), guarantees)
	until(t, isBound(a, "default/driver"))
	a.putAll(queued(waiting("high", "high", 1900), "root.prod"))
	for i := range 2 {
		key := fmt.Sprintf("default/low-%d", i)
		ends(t, a, key)
		a.remove("pods", key)
	}
	until(t, isBound(a, "default/high"))
	if _, holds := r.asks()["etl/executors/placeholder-1"]; holds {
		t.Error("the placeholder is still there")
	}
}

// The scheduler has chosen the pod before it knew that no disruption is left.
func TestVictim_ChosenBeforeItWasProtected(t *testing.T) {
	for name, test := range map[string]struct {
		protection protection
		want       bool
	}{
		"not protected":           {protection{}, true},
		"chosen before":           {protection{true, soon}, true},
		"chosen at a time before": {protection{true, submittedAt(11)}, true},
		"chosen nevertheless":     {protection{true, submittedAt(10)}, false},
	} {
		p := newPod("default/second")
		p.submitted, p.demand.protection = waiting("second", "app", 100), test.protection
		if got := p.victim(&core.Decision{ID: p.key, At: 10}); got.Unprotected != test.want || got.Pod != p.submitted {
			t.Errorf("%s: found %v, expected %v", name, got.Unprotected, test.want)
		}
	}
}
