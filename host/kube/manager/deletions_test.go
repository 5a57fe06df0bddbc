package manager

import (
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/quern-project/quern/internal/await"
)

// deleted has the API server say that a pod was to have ended some time ago, by its clock.
func deleted(a *api, key string, ago time.Duration) {
	a.change(key, func(pod *corev1.Pod) { pod.DeletionTimestamp = &metav1.Time{Time: time.Now().Add(-ago)} })
}

// awaiting changes how long after its grace a deleted pod is awaited.
func awaiting(d time.Duration) func(*Options) { return func(o *Options) { o.overdue = d } }

func TestTheRoomOfDeletedPodsIsAwaited(t *testing.T) {
	a := newAPI(t)
	preempting(t, a, func(*replica) { deleted(a, "default/low-0", 0) })
	until(t, condition(a, "default/high", reasonWaiting))
	await.Stays(t, 2*time.Second, func() string { // longer than the delay of preemption
		return a.preempted("default/low-0", "default/low-1")
	})
	a.remove("pods", "default/low-0")
	until(t, isBound(a, "default/high"))
}

// The clock of the API server may be another one, or this one may have jumped.
func TestAPodThatDoesNotEndIsNoVictimAndOthersAre(t *testing.T) {
	const wait = 3 * time.Second // longer than the delay of preemption
	for name, ago := range map[string]time.Duration{"by the same clock": 0, "by one that is behind": time.Hour, "by one that is ahead": -time.Hour} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()       // the wait is of real time
			for i := range 2 { // whichever of the two would go otherwise
				a, stuck := newAPI(t), fmt.Sprint("default/low-", i)
				var began time.Time
				preempting(t, a, func(*replica) { began = time.Now(); deleted(a, stuck, ago) }, awaiting(wait))
				ends(t, a, fmt.Sprint("default/low-", 1-i))
				if took := time.Since(began); took < wait {
					t.Errorf("its room was awaited for %v, expected %v", took, wait)
				}
				if why := a.preempted(stuck); why != "" {
					t.Error(why)
				}
			}
		})
	}
}

func TestHowLongADeletedPodIsAwaited(t *testing.T) {
	synctest.Test(t, deletedPodIsAwaited) // in which no time passes
}

func deletedPodIsAwaited(t *testing.T) {
	const day = 24 * time.Hour
	for _, test := range []struct {
		name       string
		seen       bool
		grace, ago time.Duration // since its deletion
		want       time.Duration
	}{
		{"whose deletion was seen", true, time.Minute, 0, time.Minute + overdue},
		{"whose deletion was seen, by a clock that is behind", true, time.Minute, time.Hour, time.Minute + overdue},
		{"whose deletion was seen, by a clock that is ahead", true, time.Minute, -time.Hour, time.Minute + overdue},
		{"found with half of a long grace left", false, day, day / 2, day/2 + overdue},
		{"found overdue", false, time.Minute, day, overdue},
		{"found, by a clock that is ahead", false, time.Minute, -day, time.Minute + overdue},
	} {
		seconds := int64(test.grace / time.Second)
		pod := &corev1.Pod{}
		pod.DeletionTimestamp, pod.DeletionGracePeriodSeconds = &metav1.Time{Time: time.Now().Add(test.grace - test.ago)}, &seconds
		d := &deletions{overdue: overdue}
		if got := d.awaited(pod, test.seen); got != test.want {
			t.Errorf("one %s: found %v, expected %v", test.name, got, test.want)
		}
	}
}

// Its room is in use, but neither its queue nor its application has it: what replaces it would wait for it without end.
func TestReplacementOfAPod_KeepsItsPlace(t *testing.T) {
	a := newAPI(t)
	a.put("nodes", worker("n1", 1000))
	old := queued(waiting("old", "web", 1000), "root.small") // whose max is 1 vcore
	old.Spec.NodeName, old.Status.Phase = "n1", corev1.PodRunning
	a.putAll(old)
	r := start(t, a.client(t), rules, awaiting(2*time.Second))
	until(t, func() string { return map[bool]string{true: "the pod is not known"}[r.asks()["default/old"] == ""] })
	began := time.Now()
	deleted(a, "default/old", 0)
	a.put("nodes", worker("n2", 1000))
	a.putAll(queued(waiting("new", "web", 1000), "root.small"))
	until(t, isBound(a, "default/new"))
	if took := time.Since(began); took < 2*time.Second {
		t.Errorf("the pod was bound after %v, while the room of the other was awaited", took)
	}
	if on := a.nodeOf("default/new"); on != "n2" {
		t.Errorf("the pod is on %s, expected n2", on)
	}
	a.putAll(queued(waiting("next", "next", 1000), "root.analytics"))
	until(t, condition(a, "default/next", corev1.PodReasonUnschedulable))
	a.remove("pods", "default/old")
	until(t, isBound(a, "default/next"))
}

// Created again under its name, as pods of a StatefulSet are, a pod has what it asks for.
func TestAPodThatIsCreatedAgainAfterItDidNotEnd(t *testing.T) {
	a := newAPI(t)
	a.put("nodes", worker("n1", 1000))
	old := waiting("p", "p", 1000)
	old.UID, old.Spec.NodeName, old.Status.Phase = "old", "n1", corev1.PodRunning
	a.putAll(old)
	r := start(t, a.client(t), rules, awaiting(100*time.Millisecond))
	until(t, func() string { return map[bool]string{true: "the pod is not known"}[r.asks()["default/p"] == ""] })
	deleted(a, "default/p", 0)
	until(t, func() string {
		return map[bool]string{true: "the pod still has its allocation"}[r.asks()["default/p"] != ""]
	})
	a.remove("pods", "default/p")
	again := waiting("p", "p", 1000)
	again.UID = "new"
	a.putAll(again)
	until(t, isBound(a, "default/p"))
}

// A victim that does not end is not awaited for ever: another one goes.
func TestAnotherVictimGoesForOneThatDoesNotEnd(t *testing.T) {
	a := newAPI(t)
	preempting(t, a, func(*replica) {}, awaiting(2*time.Second))
	for i := range 2 {
		until(t, func() string {
			n := 0
			for j := range 2 {
				if a.pod(fmt.Sprint("default/low-", j)).DeletionTimestamp != nil {
					n++
				}
			}
			return map[bool]string{true: fmt.Sprintf("%d pods are told to end, expected %d", n, i+1)}[n <= i]
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
