package manager

import (
	"context"
	"log/slog"

	corev1 "k8s.io/api/core/v1"

	"github.com/quern-project/quern/host/kube/podwrite"
	"github.com/quern-project/quern/host/kube/translate"
)

// writer writes to the API server beside the loop: conditions, nominated nodes, events, phases and evictions. Writes of one pod come one after the
// other. What the loop has to know of the result goes to its inbox.
type writer struct {
	ctx    context.Context // ends with the run; writes stop then
	jobs   *jobs
	status *podwrite.Status
	groups *podwrite.Groups
	inbox  *inbox
	log    *slog.Logger
}

// The lanes of writes.
const (
	_        = iota // conditions, nominated nodes and events
	evicting        // pods that are to end
	grouping        // the status of pod groups
)

// writesAtOnce is how many pods are written at a time, besides evictions.
const writesAtOnce = 8

// The numbers of evictions and of writes to pod groups that are under way.
const (
	evictionsAtOnce = 8
	groupsAtOnce    = 4
)

// event writes an event. One that cannot be written is left out.
func (w *writer) event(e *event) {
	w.jobs.do(translate.Key(e.pod), func() { w.eventNow(e.pod, e.typ, e.reason, e.action, e.note) })
}

func (w *writer) eventNow(pod *corev1.Pod, typ, reason, action, note string) {
	if err := w.status.Event(w.ctx, pod, typ, reason, action, note); err != nil && w.ctx.Err() == nil {
		w.log.Warn("an event could not be written", "pod", translate.Key(pod), "reason", reason, "error", err)
	}
}

// nominate writes the node that is kept for a pod; an empty name says that none is.
func (w *writer) nominate(pod *corev1.Pod, node string) {
	w.jobs.do(translate.Key(pod), func() {
		if err := w.status.Nominate(w.ctx, pod, node); err != nil && w.ctx.Err() == nil {
			w.log.Warn("the nominated node of a pod could not be written", "pod", translate.Key(pod), "error", err)
		}
	})
}

// condition writes why a pod waits. The loop learns the result unless the pod has the condition already.
func (w *writer) condition(c note, why *statement) {
	pod := c.event.pod
	w.jobs.do(c.key, func() {
		c.written, c.err = w.status.SetCondition(w.ctx, pod, corev1.PodCondition{Type: corev1.PodScheduled, Status: corev1.ConditionFalse, Reason: why.reason, Message: why.text})
		if c.written || c.err != nil {
			w.inbox.put(func(m *mail) { m.written = append(m.written, c) })
		}
	})
}

// fail sets the phase of a pod to Failed.
func (w *writer) fail(pod *corev1.Pod, why string) {
	key := translate.Key(pod)
	w.jobs.do(key, func() {
		err := w.status.Fail(w.ctx, pod, reasonGangTimeout, why)
		if err == nil {
			w.eventNow(pod, corev1.EventTypeWarning, reasonGangTimeout, "Scheduling", why)
		}
		w.inbox.put(func(m *mail) { m.failed = append(m.failed, failing{key, pod.UID, err}) })
	})
}

// evict evicts a pod. Evictions have a lane of their own, so that attempts which last do not keep conditions and events from being written.
func (w *writer) evict(e *eviction) {
	w.jobs.doIn(evicting, e.key, func() {
		if w.ctx.Err() != nil {
			return
		}
		err := w.status.Evict(w.ctx, e.pod, e.cause.condition, e.message)
		if err == nil {
			w.eventNow(e.pod, corev1.EventTypeWarning, e.cause.event, e.cause.action, e.message)
		}
		w.inbox.put(func(m *mail) { m.attempts = append(m.attempts, attempt{e, err}) })
	})
}

// group writes a condition of a pod group. The loop learns the result.
func (w *writer) group(g groupWrite) {
	w.jobs.doIn(grouping, g.group.Resource.Resource+" "+g.id.key, func() {
		if w.ctx.Err() != nil {
			return
		}
		g.err = w.groups.SetCondition(w.ctx, g.group, g.condition)
		w.inbox.put(func(m *mail) { m.grouped = append(m.grouped, g) })
	})
}
