package manager

import (
	"fmt"
	"net/http"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
)

// repairable is a pod of a Job's gang of three, with a parameter.
func repairable(number int, parameter string) *corev1.Pod {
	pod := ofGang("train", number, 3)
	pod.Annotations["yunikorn.apache.org/schedulingPolicyParameters"] = parameter
	return pod
}

// isEnding says which of some pods are not deleted, with the reason GangBroken.
func isEnding(a *api, keys ...string) func() string {
	return func() string {
		for _, key := range keys {
			pod := a.pod(key)
			if pod == nil || pod.DeletionTimestamp == nil {
				return key + " does not end"
			}
			if !slices.ContainsFunc(pod.Status.Conditions, func(c corev1.PodCondition) bool {
				return c.Type == corev1.DisruptionTarget && c.Status == corev1.ConditionTrue && c.Reason == "GangBroken" && c.Message == "Ended because its gang was broken for too long: 2 of 3 members were left"
			}) {
				return fmt.Sprintf("%s has the conditions %+v", key, pod.Status.Conditions)
			}
		}
		return ""
	}
}

func TestGang_EndsWhenItIsBrokenForTooLong(t *testing.T) {
	for _, parameter := range []string{"gangRepairInSeconds=0", "gangRepairInSeconds=1"} {
		t.Run(parameter, func(t *testing.T) {
			a := newAPI(t)
			a.put("nodes", worker("n1", 2000))
			a.put("jobs", jobOf("train", 3, 3))
			r := start(t, a.client(t), rules)
			a.putAll(repairable(1, parameter), repairable(2, parameter), repairable(3, parameter))
			until(t, isBound(a, "default/train-1", "default/train-2", "default/train-3"))
			a.ends(corev1.PodFailed, "default/train-3")
			until(t, isEnding(a, "default/train-1", "default/train-2"))
			until(t, func() string {
				a.mu.Lock()
				defer a.mu.Unlock()
				if a.events["GangBroken"] != 2 {
					return fmt.Sprintf("events: %v", a.events)
				}
				return ""
			})
			a.putAll(repairable(4, parameter), repairable(5, parameter)) // wait as a gang again, also while the last members end
			until(t, condition(a, "default/train-4", reasonWaiting))
			a.remove("pods", "default/train-1")
			a.remove("pods", "default/train-2")
			until(t, func() string {
				if all := r.asks(); len(all) != 2 {
					return fmt.Sprintf("%v", all)
				}
				return ""
			})
			a.putAll(repairable(6, parameter))
			until(t, isBound(a, "default/train-4", "default/train-5", "default/train-6"))
		})
	}
}

// A member that succeeded is no loss, and one that comes in time repairs the gang.
func TestGang_IsRepairedInTime(t *testing.T) {
	const hour = "gangRepairInSeconds=3600"
	a := newAPI(t)
	a.put("nodes", worker("n1", 2000))
	a.put("jobs", jobOf("train", 3, 3))
	start(t, a.client(t), rules)
	a.putAll(repairable(1, hour), repairable(2, hour), repairable(3, hour))
	until(t, isBound(a, "default/train-1", "default/train-2", "default/train-3"))
	a.ends(corev1.PodSucceeded, "default/train-1")
	a.ends(corev1.PodFailed, "default/train-2")
	a.putAll(repairable(4, hour))
	until(t, isBound(a, "default/train-4"))
	if pod := a.pod("default/train-3"); pod.DeletionTimestamp != nil {
		t.Error("a member of a gang that was repaired ends")
	}
}

// A leader that takes over while a gang ends has the rest of it end, too.
func TestGang_NewLeaderEndsTheRest(t *testing.T) {
	const second = "gangRepairInSeconds=1"
	a := newAPI(t)
	a.put("nodes", worker("n1", 2000))
	a.put("jobs", jobOf("train", 3, 3))
	r := start(t, a.client(t), rules)
	a.putAll(repairable(1, second), repairable(2, second), repairable(3, second))
	until(t, isBound(a, "default/train-1", "default/train-2", "default/train-3"))
	r.end()
	a.ends(corev1.PodFailed, "default/train-3")
	start(t, a.client(t), rules)
	until(t, isEnding(a, "default/train-1", "default/train-2"))
}

func TestGang_MemberThatMayNotEnd(t *testing.T) {
	a := newAPI(t)
	a.put("nodes", worker("n1", 2000))
	a.put("jobs", jobOf("train", 3, 3))
	a.denying("train-1", http.StatusForbidden)
	r := start(t, a.client(t), rules)
	const second = "gangRepairInSeconds=1"
	a.putAll(repairable(1, second), repairable(2, second), repairable(3, second))
	until(t, isBound(a, "default/train-1", "default/train-2", "default/train-3"))
	a.ends(corev1.PodFailed, "default/train-3")
	until(t, isEnding(a, "default/train-2"))
	until(t, func() string {
		a.mu.Lock()
		defer a.mu.Unlock()
		return map[bool]string{true: "no event tells of the denial"}[a.events["EvictionDenied"] == 0]
	})
	if node := r.asks()["default/train-1"]; node != "n1" {
		t.Errorf("a pod that runs is on %q", node)
	}
}
