package manager

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/quern-project/quern/host/kube/leader"
	"github.com/quern-project/quern/host/kube/podwrite"
)

func TestABoundPodIsNotSaidToWait(t *testing.T) {
	a := newAPI(t)
	a.putAll(waiting("p", "p", 100))
	w := podwrite.Status{Client: a.client(t), Fence: leader.Unfenced, Now: time.Now}
	before := a.pod("default/p")
	a.change("default/p", func(p *corev1.Pod) { p.Spec.NodeName = "n1" })
	_, err := w.SetCondition(t.Context(), before, corev1.PodCondition{Type: corev1.PodScheduled, Status: corev1.ConditionFalse, Reason: reasonWaiting})
	if pod := a.pod("default/p"); !errors.Is(err, podwrite.ErrStale) || len(pod.Status.Conditions) > 0 {
		t.Errorf("found %v, %v", pod.Status.Conditions, err)
	}
}

func TestOneThatLeadsNoMoreWritesNothingOnPods(t *testing.T) {
	a := newAPI(t)
	a.putAll(waiting("p", "p", 100))
	lost := func(context.Context, time.Duration) (context.Context, context.CancelFunc, error) {
		return nil, nil, leader.ErrLost
	}
	w := podwrite.Status{Client: a.client(t), Fence: lost, Now: time.Now}
	pod := a.pod("default/p")
	_, conditioned := w.SetCondition(t.Context(), pod, corev1.PodCondition{Type: corev1.PodScheduled, Status: corev1.ConditionFalse})
	for what, err := range map[string]error{"condition": conditioned, "nomination": w.Nominate(t.Context(), pod, "n1"), "eviction": w.Evict(t.Context(), pod, "Reason", "why")} {
		if !errors.Is(err, leader.ErrLost) {
			t.Errorf("%s: found %v", what, err)
		}
	}
	if len(a.requests) > 0 {
		t.Errorf("the API server was sent %v", a.requests)
	}
}

// reasonsShown counts pods by the reasons of their conditions.
func reasonsShown(a *api) map[string]int {
	n := map[string]int{}
	for _, pod := range a.pods() {
		for _, c := range pod.Status.Conditions {
			if c.Type == corev1.PodScheduled {
				n[c.Reason]++
			}
		}
	}
	return n
}

func counts(a *api, want map[string]int) func() string {
	return func() string {
		if got := reasonsShown(a); fmt.Sprint(got) != fmt.Sprint(want) {
			return fmt.Sprintf("expected %v, found %v", want, got)
		}
		return ""
	}
}

// A queue has room for two of four pods, and no node has any: nodes are added for two.
func TestUnschedulable_OnlyPodsTheQueueAdmits(t *testing.T) {
	for name, config := range map[string]string{
		"max":             strings.Replace(rules, `vcore: "1"`, `vcore: "5"`, 1),
		"maxapplications": strings.Replace(rules, `resources: {max: {vcore: "1"}}`, "maxapplications: 2", 1),
		"limit":           strings.Replace(rules, `resources: {max: {vcore: "1"}}`, `limits: [{limit: "", users: ["*"], maxresources: {vcore: "5"}}]`, 1),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // events are written at a rate
			a := newAPI(t)
			a.put("nodes", worker("n1", 1000))
			start(t, a.client(t), config)
			for i := range 4 {
				a.putAll(queued(waiting(fmt.Sprint("p", i), fmt.Sprint("p", i), 2000), "root.small"))
			}
			until(t, counts(a, map[string]int{corev1.PodReasonUnschedulable: 2, reasonQuota: 2}))
			for _, pod := range a.pods() {
				if pod.Status.Conditions[0].Reason == corev1.PodReasonUnschedulable {
					a.remove("pods", "default/"+pod.Name)
				}
			}
			until(t, counts(a, map[string]int{corev1.PodReasonUnschedulable: 2})) // what they had of the room is there for the others
		})
	}
}

// within reports what was written in a time, at the rate of events.
func within(n int, since time.Time) string {
	if most := eventsATick * (int(time.Since(since)/noteEvery) + 2); n > most {
		return fmt.Sprintf("%d events, expected %d at most", n, most)
	}
	return ""
}

func TestPodsWithWrongLabelsAreNoFloodOfEvents(t *testing.T) {
	a := newAPI(t)
	start(t, a.client(t), rules)
	since := time.Now()
	for i := range 100 {
		pod := waiting(fmt.Sprint("p", i), fmt.Sprint("p", i), 100)
		pod.Annotations = map[string]string{"yunikorn.apache.org/task-groups": "{"}
		a.putAll(pod)
	}
	written := func() int {
		a.mu.Lock()
		defer a.mu.Unlock()
		return a.events["InvalidMetadata"]
	}
	until(t, func() string {
		if wrong := within(written(), since); wrong != "" {
			t.Fatal(wrong)
		}
		return map[bool]string{true: "not all are reported"}[written() < 30]
	})
}

func TestManyRefusedPodsAreNoFloodOfEvents(t *testing.T) {
	a := newAPI(t)
	start(t, a.client(t), queues)
	since := time.Now()
	for i := range 100 {
		a.putAll(queued(waiting(fmt.Sprint("p", i), fmt.Sprint("p", i), 100), "root.nowhere"))
	}
	until(t, counts(a, map[string]int{reasonRefused: 100}))
	a.mu.Lock()
	defer a.mu.Unlock()
	if wrong := within(a.events[reasonRefused], since); wrong != "" {
		t.Error(wrong)
	}
}

func TestANewLeaderRepeatsNoEvents(t *testing.T) {
	a := newAPI(t)
	a.put("nodes", worker("n1", 1000))
	a.putAll(waiting("first", "first", 2000))
	told := func(n int) func() string {
		return func() string {
			a.mu.Lock()
			defer a.mu.Unlock()
			if found := a.events["FailedScheduling"]; found != n {
				return fmt.Sprintf("%d events, expected %d", found, n)
			}
			return ""
		}
	}
	r := start(t, a.client(t), rules)
	until(t, told(1))
	r.end()
	start(t, a.client(t), rules)
	until(t, func() string {
		if len(a.pods()) != 1 {
			t.Fatal("the pod is gone")
		}
		return ""
	})
	a.putAll(waiting("second", "second", 2000))
	until(t, condition(a, "default/second", corev1.PodReasonUnschedulable))
	until(t, told(2)) // that of the second pod alone
}

func TestAFailureEndsOneRunOnly(t *testing.T) {
	i := newInbox()
	i.put(func(m *mail) { m.failure = errors.New("the term is over") })
	for range 2 {
		if i.take().failure == nil {
			t.Error("the failure is forgotten while the run may see it")
		}
	}
	if i.begin(); i.take().failure != nil {
		t.Error("the next run ends at once")
	}
}

func TestALoopThatTurnsNoMoreIsNotAlive(t *testing.T) {
	m := &Manager{}
	if err := m.Alive(); err != nil {
		t.Errorf("it does not run: %v", err)
	}
	if m.turns(); m.Alive() != nil {
		t.Error("it has just turned")
	}
	if m.turned.Add(-int64(stuck)); m.Alive() == nil {
		t.Error("expected an error, found none")
	}
}
