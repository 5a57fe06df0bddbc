package manager

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/core/scheduler"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// jobOf is a Job that makes so many pods at once; completions of 0: as many as it likes.
func jobOf(name string, parallelism, completions int32) *batchv1.Job {
	j := &batchv1.Job{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name, UID: types.UID(name)}}
	if j.Spec.Parallelism = &parallelism; completions > 0 {
		j.Spec.Completions = &completions
	}
	return j
}

// worker of a Job's gang of so many, which has the room for itself.
func ofGang(app string, number, least int) *corev1.Pod {
	pod := member(fmt.Sprint(app, "-", number), app, "Soft")
	pod.Spec.Containers[0].Resources.Requests = waiting("x", "x", 100).Spec.Containers[0].Resources.Requests
	pod.Annotations["yunikorn.apache.org/task-groups"] = fmt.Sprintf(`[{"name": "workers", "minMember": %d, "minResource": {"cpu": "100m"}}]`, least)
	pod.Annotations["yunikorn.apache.org/schedulingPolicyParameters"] = ""
	return pod
}

func (a *api) ends(phase corev1.PodPhase, keys ...string) {
	for _, key := range keys {
		a.change(key, func(pod *corev1.Pod) { pod.Status.Phase = phase })
	}
}

// idleNow waits until the scheduler has no ask and no allocation.
func idleNow(r *replica) func() string {
	return func() string {
		if all := r.asks(); len(all) > 0 {
			return fmt.Sprintf("%v", all)
		}
		return ""
	}
}

func TestGang_RetryOfAFailedMember(t *testing.T) {
	for _, restart := range []bool{false, true} {
		a := newAPI(t)
		a.put("nodes", worker("n1", 2000))
		a.put("jobs", jobOf("train", 3, 3))
		r := start(t, a.client(t), rules)
		a.putAll(ofGang("train", 1, 3), ofGang("train", 2, 3))
		until(t, condition(a, "default/train-1", reasonWaiting))
		a.putAll(ofGang("train", 3, 3))
		until(t, isBound(a, "default/train-1", "default/train-2", "default/train-3"))
		a.ends(corev1.PodSucceeded, "default/train-1", "default/train-2")
		a.ends(corev1.PodFailed, "default/train-3")
		until(t, idleNow(r))
		if restart {
			r.end()
			a.remove("pods", "default/train-1") // of this one only the status of the Job tells
			done := jobOf("train", 3, 3)
			done.Status.Succeeded = 2
			a.put("jobs", done)
			start(t, a.client(t), rules)
		}
		a.putAll(ofGang("train", 4, 3))
		until(t, isBound(a, "default/train-4"))
	}
}

// Seven pieces of work, three at a time. The last one runs although a new leader takes over before it.
func TestGang_CompletionsBeyondItsMinimum(t *testing.T) {
	for _, restart := range []bool{false, true} {
		a := newAPI(t)
		a.put("nodes", worker("n1", 2000))
		a.put("jobs", jobOf("seven", 3, 7))
		r := start(t, a.client(t), rules)
		for i := 1; i <= 6; i += 3 {
			names := []string{fmt.Sprint("default/seven-", i), fmt.Sprint("default/seven-", i+1), fmt.Sprint("default/seven-", i+2)}
			a.putAll(ofGang("seven", i, 3), ofGang("seven", i+1, 3), ofGang("seven", i+2, 3))
			until(t, isBound(a, names...))
			a.ends(corev1.PodSucceeded, names...)
			until(t, idleNow(r))
		}
		if restart {
			r.end()
			start(t, a.client(t), rules)
		}
		a.putAll(ofGang("seven", 7, 3))
		until(t, isBound(a, "default/seven-7"))
	}
}

func TestGang_MinimumAboveParallelism(t *testing.T) {
	for _, late := range []bool{false, true} {
		a := newAPI(t)
		a.put("nodes", worker("n1", 2000))
		start(t, a.client(t), rules)
		if !late {
			a.put("jobs", jobOf("two", 2, 4))
		}
		a.putAll(ofGang("two", 1, 4))
		until(t, condition(a, "default/two-1", reasonWaiting)) // one of two
		a.putAll(ofGang("two", 2, 4))
		if late { // its pods are seen before the Job
			until(t, condition(a, "default/two-2", reasonWaiting))
			a.put("jobs", jobOf("two", 2, 4))
		}
		until(t, isBound(a, "default/two-1", "default/two-2"))
	}
}

func TestGang_ScaleToZeroAndBack(t *testing.T) {
	a := newAPI(t)
	a.put("nodes", worker("n1", 2000))
	a.put("jobs", jobOf("scaled", 3, 6))
	r := start(t, a.client(t), rules)
	a.putAll(ofGang("scaled", 1, 3), ofGang("scaled", 2, 3), ofGang("scaled", 3, 3))
	until(t, isBound(a, "default/scaled-1", "default/scaled-2", "default/scaled-3"))
	a.put("jobs", jobOf("scaled", 0, 6))
	for i := range 3 {
		a.remove("pods", fmt.Sprint("default/scaled-", i+1))
	}
	until(t, idleNow(r))
	a.put("jobs", jobOf("scaled", 3, 6))
	a.putAll(ofGang("scaled", 4, 3), ofGang("scaled", 5, 3))
	until(t, condition(a, "default/scaled-4", reasonWaiting)) // all have failed: they start together again
	a.put("jobs", jobOf("scaled", 2, 6))                      // or as many as there can be
	until(t, isBound(a, "default/scaled-4", "default/scaled-5"))
}

// What succeeded counts only once: a gang of another minimum begins with nothing done, and needs no more than is left to be done.
func TestGang_ScaledAfterSomeSucceeded(t *testing.T) {
	a := newAPI(t)
	a.put("nodes", worker("n1", 2000))
	a.put("jobs", jobOf("rest", 3, 4))
	r := start(t, a.client(t), rules)
	a.putAll(ofGang("rest", 1, 3), ofGang("rest", 2, 3), ofGang("rest", 3, 3))
	until(t, isBound(a, "default/rest-1", "default/rest-2", "default/rest-3"))
	a.ends(corev1.PodSucceeded, "default/rest-1", "default/rest-2", "default/rest-3")
	until(t, idleNow(r))
	a.put("jobs", jobOf("rest", 2, 4))
	a.putAll(ofGang("rest", 4, 3))
	until(t, isBound(a, "default/rest-4"))
}

// A pod that has succeeded and is gone by the time that anything is seen of it has succeeded nevertheless.
func TestGang_MemberThatSucceededAndIsGone(t *testing.T) {
	a := newAPI(t)
	a.put("nodes", worker("n1", 2000))
	r := start(t, a.client(t), rules)
	a.put("jobs", jobOf("quick", 2, 3))
	a.putAll(ofGang("quick", 1, 2), ofGang("quick", 2, 2))
	until(t, isBound(a, "default/quick-1", "default/quick-2"))
	for i := range 2 {
		key := fmt.Sprint("default/quick-", i+1)
		a.ends(corev1.PodSucceeded, key)
		a.remove("pods", key)
	}
	until(t, idleNow(r))
	a.putAll(ofGang("quick", 3, 2))
	until(t, isBound(a, "default/quick-3"))
}

func TestGang_WaitsFifteenMinutesByDefault(t *testing.T) {
	a := newAPI(t)
	r := start(t, a.client(t), rules)
	a.putAll(ofGang("lonely", 1, 2))
	until(t, func() string {
		var e explain.AskExplanation
		r.View().Read(func(s *scheduler.Scheduler) { e, _ = s.ExplainAsk("default/lonely-1") })
		if e.Atomic == nil || !e.Atomic.Fallback || e.Atomic.Ends-e.Submitted != 15*time.Minute {
			return fmt.Sprintf("%+v", e.Atomic)
		}
		return ""
	})
}

// The retry of a member of a hard gang waits for its gang, and fails when its time is over; what comes then begins anew.
func TestGang_HardFailsAfterSomeSucceeded(t *testing.T) {
	a := newAPI(t)
	a.put("nodes", worker("n1", 3000))
	a.put("jobs", jobOf("hard", 3, 3))
	r := start(t, a.client(t), rules)
	hard := func(number int) *corev1.Pod {
		pod := ofGang("hard", number, 3)
		pod.Annotations["yunikorn.apache.org/schedulingPolicyParameters"] = "placeholderTimeoutInSeconds=1 gangSchedulingStyle=Hard"
		return pod
	}
	a.putAll(hard(1), hard(2), hard(3))
	until(t, isBound(a, "default/hard-1", "default/hard-2", "default/hard-3"))
	a.ends(corev1.PodSucceeded, "default/hard-1")
	a.ends(corev1.PodFailed, "default/hard-2", "default/hard-3")
	until(t, idleNow(r))
	a.putAll(hard(4)) // one of two
	until(t, hasFailed(a, "default/hard-4"))
	a.putAll(hard(5), hard(6))
	until(t, isBound(a, "default/hard-5", "default/hard-6"))
	if a.mu.Lock(); a.events[reasonGangTimeout] != 1 {
		t.Errorf("events: %v", a.events)
	}
	a.mu.Unlock()
}

// A leader is told by the pods that have succeeded what nothing else says.
func TestGang_NewLeaderCountsPodsWithoutAJob(t *testing.T) {
	a := newAPI(t)
	a.put("nodes", worker("n1", 2000))
	bare := func(number int) *corev1.Pod {
		pod := ofGang("bare", number, 3)
		pod.OwnerReferences = nil
		return pod
	}
	r := start(t, a.client(t), rules)
	a.putAll(bare(1), bare(2), bare(3))
	until(t, isBound(a, "default/bare-1", "default/bare-2", "default/bare-3"))
	a.ends(corev1.PodSucceeded, "default/bare-1")
	until(t, func() string {
		if n := len(r.asks()); n != 2 {
			return fmt.Sprint(n, " asks")
		}
		return ""
	})
	r.end()
	r = start(t, a.client(t), rules)
	until(t, func() string {
		all := r.asks()
		if len(all) != 2 || slices.Contains([]string{all["default/bare-2"], all["default/bare-3"]}, "") {
			return fmt.Sprintf("%v", all)
		}
		return ""
	})
	a.ends(corev1.PodFailed, "default/bare-2", "default/bare-3")
	until(t, idleNow(r))
	a.putAll(bare(4), bare(5))
	until(t, isBound(a, "default/bare-4", "default/bare-5"))
}
