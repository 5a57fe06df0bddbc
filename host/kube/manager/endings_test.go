package manager

import (
	"fmt"
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// deleted has the API server say that a pod was to have ended some time ago.
func deleted(a *api, key string, ago time.Duration) {
	a.change(key, func(pod *corev1.Pod) { pod.DeletionTimestamp = &metav1.Time{Time: time.Now().Add(-ago)} })
}

func TestTheRoomOfDeletedPodsIsAwaited(t *testing.T) {
	a := newAPI(t)
	preempting(t, a, func(*replica) { deleted(a, "default/low-0", 0) })
	until(t, condition(a, "default/high", reasonWaiting))
	time.Sleep(2 * time.Second) // longer than the delay of preemption
	if why := a.preempted("default/low-0", "default/low-1"); why != "" {
		t.Error(why)
	}
	a.remove("pods", "default/low-0")
	until(t, isBound(a, "default/high"))
}

func TestAPodThatDoesNotEndIsNoVictimAndOthersAre(t *testing.T) {
	for name, ago := range map[string]time.Duration{"seen while it is awaited": overdue - 2*time.Second, "found overdue": time.Hour} {
		t.Run(name, func(t *testing.T) {
			for i := range 2 { // whichever of the two would go otherwise
				a, stuck := newAPI(t), fmt.Sprint("default/low-", i)
				preempting(t, a, func(*replica) { deleted(a, stuck, ago) })
				ends(t, a, fmt.Sprint("default/low-", 1-i))
				if why := a.preempted(stuck); why != "" {
					t.Error(why)
				}
			}
		})
	}
}

func TestNothingIsNominatedThatDoesNotAsk(t *testing.T) {
	a := newAPI(t)
	a.put("nodes", worker("n1", 1000))
	pod := queued(waiting("p", "p", 100), "root.nowhere")
	pod.Status.NominatedNodeName = "n1"
	a.putAll(pod)
	start(t, a.client(t), queues)
	until(t, condition(a, "default/p", reasonRefused))
	until(t, func() string {
		return map[bool]string{true: "the pod is still nominated for n1"}[a.pod("default/p").Status.NominatedNodeName != ""]
	})
}

// preempted says which of some pods was told to end for another.
func (a *api) preempted(keys ...string) string {
	for _, key := range keys {
		if pod := a.pod(key); pod != nil && slices.ContainsFunc(pod.Status.Conditions, func(c corev1.PodCondition) bool { return c.Type == corev1.DisruptionTarget }) {
			return key + " was preempted"
		}
	}
	return ""
}
