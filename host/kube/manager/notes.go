package manager

import (
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/kube/translate"
)

// Reasons of the condition PodScheduled, beside PodReasonUnschedulable. Autoscalers add nodes for that one alone, and no node would help
// these pods.
const (
	reasonQuota   = "QueueQuota" // queues or limits have no room for the pod
	reasonWaiting = "Waiting"    // for other pods: of its gang, of its application, or such that it preempts
	reasonRefused = "Refused"    // it does not ask, or the scheduler does not take it
)

// What is written besides bindings is bounded, so that many pods that wait are no flood.
const (
	notesATick   = 5 // pods that are looked at each noteEvery
	writesAtOnce = 8
	patience     = time.Second     // a pod that is placed sooner has no condition
	quiet        = 5 * time.Second // after which a pod may be told something else: reasons come and go while others are placed
)

// notes keeps who has to be told why it waits.
type notes struct {
	fresh    []string  // pods of which nothing was said yet, oldest first
	round    []string  // what is left of a round through all that wait
	began    time.Time // when the round began
	events   int       // that may be written until the next tick, beside those of conditions
	reported map[string]bool
}

// unwritten is a condition that the API server has not taken.
func (r *run) unwritten(keys map[string]bool) {
	for key := range keys {
		if p := r.pods[key]; p != nil {
			p.shown = ""
		}
	}
}

// explainSome says of a few pods why they wait: of new ones first, and of one or more of the others in turn.
func (r *run) explainSome() {
	r.notes.events = notesATick
	left := notesATick
	for left > 1 && len(r.notes.fresh) > 0 {
		key := r.notes.fresh[0]
		p := r.pods[key]
		if p != nil && r.waits(p) && time.Since(p.asked) < patience {
			break
		}
		if r.notes.fresh = r.notes.fresh[1:]; p != nil && p.shown == "" && r.waits(p) {
			r.explain(key, p)
			left--
		}
	}
	if len(r.notes.round) == 0 && time.Since(r.notes.began) >= quiet { // a look at every pod, placed or not
		r.notes.round, r.notes.began = r.waiting(), time.Now()
	}
	for left > 0 && len(r.notes.round) > 0 {
		key := r.notes.round[0]
		r.notes.round = r.notes.round[1:]
		if p := r.pods[key]; p != nil && r.waits(p) && time.Since(p.asked) >= patience && time.Since(p.said) >= quiet {
			r.explain(key, p)
			left--
		}
	}
}

// waits reports whether a pod waits: it has asked, or is held.
func (r *run) waits(p *pod) bool {
	return p.seen != nil && (p.held != "" || p.known.Asked && p.known.Node == "") && r.o.Settings.StageOf(p.seen) == translate.Waiting
}

// waiting lists the pods that wait, in a fixed order.
func (r *run) waiting() (list []string) {
	for key, p := range r.pods {
		if r.waits(p) {
			list = append(list, key)
		}
	}
	slices.Sort(list)
	return list
}

// explain writes why a pod waits, if it is something else than before.
func (r *run) explain(key string, p *pod) {
	if p.held != "" {
		r.say(key, p, reasonRefused, p.held, p.held)
		return
	}
	var e core.AskExplanation
	var ok bool
	r.live.View().Read(func(s *core.Scheduler) { e, ok = s.ExplainAsk(key) })
	if !ok || !e.Pending || slices.Contains(e.Reasons, core.WaitNotYet) {
		return
	}
	reason := reasonOf(&e)
	kind := []string{reason}
	for _, r := range e.Reasons {
		kind = append(kind, string(r))
	}
	r.say(key, p, reason, e.Text, strings.Join(kind, " "))
}

// say writes a condition and an event, unless they would be of the kind of the last.
func (r *run) say(key string, p *pod, reason, message, kind string) {
	if p.shown == kind {
		return
	}
	p.shown, p.said = kind, time.Now()
	pod := p.seen
	r.writes.do(key, func() {
		err := r.status.SetCondition(r.ctx, pod, corev1.PodCondition{Type: corev1.PodScheduled, Status: corev1.ConditionFalse, Reason: reason, Message: message})
		if err != nil {
			r.inbox.put(func(m *mail) { m.unwritten[key] = true })
			return
		}
		if reason == corev1.PodReasonUnschedulable {
			r.event(pod, corev1.EventTypeWarning, "FailedScheduling", "Scheduling", message)
		} else {
			r.event(pod, corev1.EventTypeNormal, reason, "Scheduling", message)
		}
	})
}

// refusal says that the scheduler does not take a pod.
func (r *run) refusal(key string, p *pod, message string) {
	r.say(key, p, reasonRefused, message, message)
}

// event reports an event. One that cannot be written is left out.
func (r *run) event(pod *corev1.Pod, typ, reason, action, note string) {
	if err := r.status.Event(r.ctx, pod, typ, reason, action, note); err != nil && r.ctx.Err() == nil {
		r.log.Warn("an event could not be written", "pod", translate.Key(pod), "reason", reason, "error", err)
	}
}

// assigned reports that a pod has its node. Where many are bound, only some are told of: the pods themselves say it.
func (r *run) assigned(key string, p *pod) {
	if r.notes.events == 0 || p.told == nil {
		return
	}
	r.notes.events--
	pod, node := p.told, p.known.Node
	r.writes.do(key, func() {
		r.event(pod, corev1.EventTypeNormal, "Scheduled", "Binding", "Assigned "+key+" to "+node)
	})
}

// mostReported bounds what is remembered of problems that were reported.
const mostReported = 10_000

// report reports labels and annotations that cannot be used, once for each pod.
func (r *run) report(pod *corev1.Pod, problems []*translate.Problem) {
	for _, problem := range problems {
		text := problem.Error()
		known := string(pod.UID) + " " + text
		if r.notes.reported[known] {
			continue
		}
		if r.notes.reported == nil || len(r.notes.reported) >= mostReported {
			r.notes.reported = map[string]bool{}
		}
		r.notes.reported[known] = true
		r.writes.do(translate.Key(pod), func() { r.event(pod, corev1.EventTypeWarning, "InvalidMetadata", "Scheduling", text) })
	}
}

// others are the reasons to wait that are about other pods.
var others = []core.Reason{
	core.WaitStateFilter, core.WaitPolicy, core.WaitVictims, core.WaitGang, core.WaitPlaceholder, core.WaitRelease, core.WaitNotRunning, core.WaitGangIncomplete,
}

// reasonOf is the reason of the condition for an explanation: PodReasonUnschedulable only where more nodes would help.
func reasonOf(e *core.AskExplanation) string {
	lacks, limits := e.Lacks, e.Limits
	if g := e.Atomic; g != nil {
		lacks, limits = slices.Concat(lacks, g.Lacks), slices.Concat(limits, g.Limits)
	}
	inQueue := func(l core.Lack) bool {
		_, path := core.SplitPath(l.Queue)
		return path != root
	}
	switch {
	case len(limits) > 0, len(e.Blocked) > 0, slices.ContainsFunc(lacks, inQueue):
		return reasonQuota
	case slices.ContainsFunc(others, func(o core.Reason) bool { return slices.Contains(e.Reasons, o) }):
		return reasonWaiting
	}
	return corev1.PodReasonUnschedulable
}

// root is the queue whose max is what the nodes have.
const root = "root"
