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

// event is one that has yet to be written.
type event struct {
	pod                       *corev1.Pod
	typ, reason, action, note string
	still                     func() bool // whether it is still so when its turn comes; nil: it is
}

// events are those that have yet to be written, oldest first.
type events struct {
	list []*event
	left int // that may be written until the next tick
}

func (e *events) add(more *event) {
	if len(e.list) < mostEvents {
		e.list = append(e.list, more)
	}
}

// tick writes the oldest events. One is left to assigned, which reports bindings only as they are made.
func (r *run) tick() {
	for r.events.left = eventsATick; r.events.left > 1 && len(r.events.list) > 0; {
		e := r.events.list[0]
		r.events.list[0] = nil
		r.events.list = r.events.list[1:]
		if e.still == nil || e.still() {
			r.events.left--
			r.writes.do(translate.Key(e.pod), func() { r.event(e.pod, e.typ, e.reason, e.action, e.note) })
		}
	}
}

// event writes an event. One that cannot be written is left out.
func (r *run) event(pod *corev1.Pod, typ, reason, action, note string) {
	if err := r.status.Event(r.ctx, pod, typ, reason, action, note); err != nil && r.ctx.Err() == nil {
		r.log.Warn("an event could not be written", "pod", translate.Key(pod), "reason", reason, "error", err)
	}
}

// assigned reports that a pod has its node. Where many are bound, only some are told of: the pods themselves say it.
func (r *run) assigned(key string, p *pod) {
	if r.events.left == 0 || p.told == nil {
		return
	}
	r.events.left--
	pod, node := p.told, p.node
	r.writes.do(key, func() {
		r.event(pod, corev1.EventTypeNormal, "Scheduled", "Binding", "Assigned "+key+" to "+node)
	})
}

// mostReported bounds what is remembered of problems that were reported.
const mostReported = 10_000

// remember notes what was reported.
func (n *notes) remember(known string) {
	if n.reported == nil || len(n.reported) >= mostReported {
		n.reported = map[string]bool{}
	}
	n.reported[known] = true
}

// report reports labels and annotations that cannot be used, once for each pod.
func (r *run) report(pod *corev1.Pod, problems []*translate.Problem) {
	for _, problem := range problems {
		text := problem.Error()
		known := string(pod.UID) + " " + text
		if r.notes.reported[known] {
			continue
		}
		r.notes.remember(known)
		r.events.add(&event{pod, corev1.EventTypeWarning, "InvalidMetadata", "Scheduling", text, nil})
	}
}
