package manager

import (
	"fmt"
	"net/http"
	"path"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
)

// denying refuses to have pods end whose names begin so.
func (a *api) denying(prefix string, status int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.fault = func(r *http.Request) fault {
		if r.Method == http.MethodDelete && strings.Contains(r.URL.Path, "/pods/"+prefix) {
			return fault{status: status}
		}
		return fault{}
	}
}

// As many victims as there are writers are denied: a webhook of their namespace is broken, for instance.
func TestDeniedPreemption_DelaysNoOtherWrite(t *testing.T) {
	const many = writesAtOnce + 2
	a := newAPI(t)
	for i := range many {
		name := fmt.Sprint("n", i)
		a.put("nodes", worker(name, 1000))
		pod := queued(waiting(fmt.Sprint("low-", i), fmt.Sprint("low-", i), 1000), "root.batch")
		pod.Spec.NodeName, pod.Status.Phase = name, corev1.PodRunning
		a.putAll(pod)
	}
	a.denying("low-", http.StatusTooManyRequests) // for good: this does not undo the preemptions
	r := start(t, a.client(t), strings.Replace(guarantees, `vcore: "2"`, `vcore: "20"`, 1))
	until(t, func() string {
		return map[bool]string{true: "not all pods are known"}[len(r.asks()) < many]
	})
	for i := range many {
		a.putAll(queued(waiting(fmt.Sprint("high-", i), fmt.Sprint("high-", i), 1000), "root.prod"))
	}
	until(t, func() string {
		for i := range many {
			if a.pod(fmt.Sprint("default/high-", i)).Status.NominatedNodeName == "" {
				return fmt.Sprintf("high-%d has preempted none", i)
			}
		}
		return ""
	})
	a.putAll(queued(waiting("large", "large", 5000), "root.batch"))
	until(t, condition(a, "default/large", corev1.PodReasonUnschedulable))
	a.denying("none", 0)
	for i := range many {
		ends(t, a, fmt.Sprint("default/low-", i))
	}
}

func TestAPodThatMayNotEndIsReplacedByAnotherVictim(t *testing.T) {
	a := newAPI(t)
	denied := "" // whichever is chosen first
	a.fault = func(r *http.Request) fault {
		if r.Method != http.MethodDelete {
			return fault{}
		}
		if name := path.Base(r.URL.Path); denied == "" || denied == name {
			denied = name
			return fault{status: http.StatusForbidden}
		}
		return fault{}
	}
	preempting(t, a, func(*replica) {})
	other := func() string {
		a.mu.Lock()
		defer a.mu.Unlock()
		return map[string]string{"low-0": "default/low-1", "low-1": "default/low-0"}[denied]
	}
	until(t, func() string { return map[bool]string{true: "none is chosen"}[other() == ""] })
	ends(t, a, other())
	until(t, func() string {
		a.mu.Lock()
		defer a.mu.Unlock()
		return map[bool]string{true: "no event tells of the denial"}[a.events["PreemptionDenied"] == 0]
	})
	a.remove("pods", other())
	until(t, isBound(a, "default/high"))
}
