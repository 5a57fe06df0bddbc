package manager

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/quern-project/quern/host/kube/translate"
)

// eventsATick is how many events are written each noteEvery, whatever they are about, so that many pods that wait are no flood. Events of
// preemptions come beside: each is of one that has begun.
const eventsATick = 5

// mostEvents bounds the events that have yet to be written. Later ones are left out.
const mostEvents = 20_000

// mostReported bounds what is remembered of problems that were reported.
const mostReported = 10_000

// event is one that has yet to be written.
type event struct {
	pod                       *corev1.Pod
	typ, reason, action, note string
	still                     func() bool // whether it is still so when its turn comes; nil: it is
}

// events are those that have yet to be written, oldest first.
type events struct {
	write    func(*event) // beside the loop
	list     []*event
	left     int // that may be written until the next tick
	reported map[string]bool
}

func newEvents(write func(*event)) events { return events{write: write, reported: map[string]bool{}} }

func (e *events) add(more *event) {
	if len(e.list) < mostEvents {
		e.list = append(e.list, more)
	}
}

// tick writes the oldest events. One is left to assigned, which reports bindings only as they are made.
func (e *events) tick() {
	for e.left = eventsATick; e.left > 1 && len(e.list) > 0; {
		next := e.list[0]
		e.list[0] = nil
		e.list = e.list[1:]
		if next.still == nil || next.still() {
			e.left--
			e.write(next)
		}
	}
}

// assigned reports that a pod has its node. If many are bound, only some of them are reported: the pods themselves say it.
func (e *events) assigned(pod *corev1.Pod, node string) {
	if e.left == 0 || pod == nil {
		return
	}
	e.left--
	e.write(&event{pod, corev1.EventTypeNormal, "Scheduled", "Binding", "Assigned " + translate.Key(pod) + " to " + node, nil})
}

// once reports a problem of a pod, unless it was reported before.
func (e *events) once(pod *corev1.Pod, reason, text string) {
	known := string(pod.UID) + " " + text
	if e.reported[known] {
		return
	}
	if len(e.reported) >= mostReported {
		clear(e.reported)
	}
	e.reported[known] = true
	e.add(&event{pod, corev1.EventTypeWarning, reason, "Scheduling", text, nil})
}

// report reports labels and annotations that cannot be used, once for each pod.
func (e *events) report(pod *corev1.Pod, problems []*translate.Problem) {
	for _, problem := range problems {
		e.once(pod, "InvalidMetadata", problem.Error())
	}
}
