package manager

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/quern-project/quern/host/kube/podwrite"
	"github.com/quern-project/quern/internal/await"
)

// queueing are pods that wait, by their keys.
type queueing map[string]*pod

func (q queueing) waitingPod(key string) (p *pod, waits bool) { return q[key], q[key] != nil }

func (q queueing) waiting() (list []string) {
	for key := range q {
		list = append(list, key)
	}
	slices.Sort(list)
	return list
}

// saying is conditions on some pods that have just asked, with what was written.
type saying struct {
	conditions
	pods   queueing
	why    map[string]string // kinds; a pod that is not in it was not tried yet
	wrote  []string
	events events
}

func newSaying(keys ...string) *saying {
	s := &saying{pods: queueing{}, why: map[string]string{}}
	for _, key := range keys {
		p := newPod(key)
		p.seen, p.shown.asked = waiting(key, "app", 100), time.Now()
		s.pods[key], s.why[key] = p, corev1.PodReasonUnschedulable
	}
	s.events = newEvents(func(*event) {})
	s.conditions = conditions{pods: s.pods, events: &s.events, fresh: keys, began: time.Now(),
		why: func(p *pod) (statement, bool) {
			kind, tried := s.why[p.key]
			return statement{reason: kind, text: "text", kind: kind}, tried
		},
		group: func(*pod, *statement) {},
		write: func(n note, why *statement) { s.wrote = append(s.wrote, n.key+" "+why.reason) }}
	return s
}

// said compares what was written since the last look with what is expected.
func (s *saying) said(t *testing.T, when string, want ...string) {
	t.Helper()
	if !slices.Equal(s.wrote, want) {
		t.Errorf("%s: wrote %q, expected %q", when, s.wrote, want)
	}
	s.wrote = nil
}

func TestConditions_FreshPodsAfterSomePatience(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSaying("a", "b")
		delete(s.why, "b")
		s.explainSome(false)
		s.said(t, "at once")
		await.Virtual(patience)
		s.explainSome(false)
		s.said(t, "after some patience", "a Unschedulable")
		s.explainSome(false)
		s.said(t, "again")
	})
}

func TestConditions_RoundSaysWhatChanged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSaying("a", "b")
		await.Virtual(patience)
		s.explainSome(false)
		s.said(t, "fresh", "a Unschedulable", "b Unschedulable")
		await.Virtual(quiet)
		s.why["b"] = reasonQuota
		s.explainSome(false)
		s.said(t, "in a round", "b QueueQuota")
		s.why["b"] = reasonWaiting
		s.explainSome(false)
		s.said(t, "before the next round")
	})
}

func TestConditions_FewerWhileBindingsWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var keys []string
		for i := range notesATick {
			keys = append(keys, fmt.Sprint(i))
		}
		s := newSaying(keys...)
		await.Virtual(patience)
		s.explainSome(true)
		if n := len(s.wrote); n != notesWhileBusy-inRound {
			t.Errorf("wrote %d conditions, expected %d", n, notesWhileBusy-inRound)
		}
	})
}

func TestConditions_Written(t *testing.T) {
	for _, test := range []struct {
		name          string
		note          note
		events, fresh int
		shown         string
	}{
		{"written", note{written: true}, 1, 0, "kind"},
		{"the pod has it", note{}, 0, 0, "kind"},
		{"not taken", note{err: errors.New("refused")}, 0, 0, ""},
		{"of an old version", note{err: fmt.Errorf("%w", podwrite.ErrStale)}, 0, 1, ""},
	} {
		s := newSaying("a")
		s.fresh = nil
		s.pods["a"].shown.kind = "kind"
		test.note.key, test.note.kind = "a", "kind"
		s.written([]note{test.note})
		if len(s.events.list) != test.events || len(s.fresh) != test.fresh || s.pods["a"].shown.kind != test.shown {
			t.Errorf("%s: %d events, %d fresh pods, shown %q", test.name, len(s.events.list), len(s.fresh), s.pods["a"].shown.kind)
		}
	}
}

// A condition may be written after the pod was placed; an event would say that it waits.
func TestConditions_NoEventForAPlacedPod(t *testing.T) {
	s := newSaying("a")
	s.pods["a"].shown.kind = "kind"
	s.written([]note{{key: "a", kind: "kind", written: true}})
	delete(s.pods, "a")
	wrote := 0
	s.events.write = func(*event) { wrote++ }
	if s.events.tick(); wrote > 0 {
		t.Error("an event was written")
	}
	s.written([]note{{key: "a", kind: "kind", written: true}})
	if len(s.events.list) > 0 {
		t.Error("an event waits to be written")
	}
}

func TestEvents_AFewATick(t *testing.T) {
	wrote := map[string]int{}
	e := newEvents(func(e *event) { wrote[e.reason]++ })
	pod := waiting("p", "app", 100)
	if e.assigned(pod, "n1"); len(wrote) > 0 {
		t.Error("a binding was reported before the first tick")
	}
	for range 2 * eventsATick {
		e.add(&event{pod: pod, reason: "waits"})
	}
	e.tick()
	for range 3 {
		e.assigned(pod, "n1")
	}
	if wrote["waits"] != eventsATick-1 || wrote["Scheduled"] != 1 {
		t.Errorf("found %v, expected one binding and %d others", wrote, eventsATick-1)
	}
}

func TestEvents_ProblemsOnce(t *testing.T) {
	e := newEvents(func(*event) {})
	first, second := waiting("first", "app", 100), waiting("second", "app", 100)
	first.UID, second.UID = "1", "2"
	for range 2 {
		e.once(first, "Problem", "text")
		e.once(second, "Problem", "text")
	}
	if len(e.list) != 2 {
		t.Errorf("%d events, expected one for each pod", len(e.list))
	}
}
