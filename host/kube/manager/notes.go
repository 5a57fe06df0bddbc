package manager

import (
	"errors"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/kube/podstate"
	"github.com/quern-project/quern/host/kube/podwrite"
	"github.com/quern-project/quern/host/kube/translate"
)

// Reasons of the condition PodScheduled, beside PodReasonUnschedulable. Autoscalers add nodes for that one alone, and no node would help
// these pods.
const (
	reasonQuota   = "QueueQuota" // queues or limits have no room for the pod
	reasonWaiting = "Waiting"    // for other pods: of its gang, of its application, or such that it preempts
	reasonRefused = "Refused"    // it does not ask, or the scheduler does not take it
)

// What is written besides bindings is bounded, so that many pods that wait keep none from being bound.
const (
	notesATick     = 50                    // pods whose conditions are looked at each noteEvery
	notesWhileBusy = 10                    // likewise, while bindings wait for their turn
	explainFor     = 25 * time.Millisecond // each noteEvery at most
	inRound        = 5                     // of them that were looked at before
	writesAtOnce   = 8
	patience       = time.Second     // a pod that is placed sooner has no condition
	quiet          = 5 * time.Second // after which a pod may be told something else: reasons come and go while others are placed
)

// The lanes of writes.
const (
	_        = iota // conditions, nominated nodes and events
	evicting        // pods that are to end
)

// evictionsAtOnce is how many pods are told to end at a time.
const evictionsAtOnce = 8

// notes keeps who has to be told why it waits.
type notes struct {
	fresh    []string  // pods of which nothing was said yet, oldest first
	round    []string  // what is left of a round through all that wait
	began    time.Time // when the round began
	headroom headroom
	reported map[string]bool
}

// note is a condition that was to be written.
type note struct {
	key, kind string
	event     event // that follows
	written   bool  // false: the pod has it already, or there is an error
	err       error
}

// conditionsWritten has an event follow each condition that was written. Those that the API server has not taken are written again.
func (r *run) conditionsWritten(list []note) {
	for i := range list {
		c := &list[i]
		p := r.pods[c.key]
		so := func() bool { return p != nil && r.pods[c.key] == p && p.shown == c.kind && r.waits(p) }
		switch {
		case !so():
		case c.written:
			c.event.still = so
			r.events.add(&c.event)
		case c.err != nil:
			p.shown = ""
			if errors.Is(c.err, podwrite.ErrStale) {
				r.notes.fresh = append(r.notes.fresh, c.key)
			}
		}
	}
}

// explainSome says of some pods why they wait: of new ones first, and of a few of the others in turn.
func (r *run) explainSome() {
	left, until := notesATick, time.Now().Add(explainFor)
	if r.binds.busy(binding) {
		left = notesWhileBusy
	}
	for left > inRound && len(r.notes.fresh) > 0 && time.Now().Before(until) {
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
	for first := true; left > 0 && len(r.notes.round) > 0 && (first || time.Now().Before(until)); first = false {
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
	return p.seen != nil && p.state.Waits() && r.o.Settings.StageOf(p.seen) == translate.Waiting
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
	if p.state != podstate.Asking {
		r.letInNoMore(p)
		r.say(key, p, reasonRefused, p.why, p.why)
		return
	}
	var e explain.AskExplanation
	var ok bool
	var shares []share
	var now time.Duration
	awaits := false
	r.live.View().Read(func(s *scheduler.Scheduler) {
		if e, ok = s.ExplainAsk(key); ok && e.Pending {
			shares = sharesOf(s, &e)
			now = s.Now()
			awaits = (r.ending > 0 || r.budgets.Awaited()) && awaitsRoom(s, key)
		}
	})
	if !ok || !e.Pending || slices.Contains(e.Reasons, explain.WaitNotYet) {
		return
	}
	reason, text := reasonOf(&e), r.withoutControlPlane(p.seen, &e).Brief(now)
	if awaits && reason == corev1.PodReasonUnschedulable {
		reason = reasonWaiting
	}
	if reason != corev1.PodReasonUnschedulable {
		r.letInNoMore(p)
	} else if why := r.letIn(p, shares); why != "" {
		reason, text = reasonQuota, why+" "+text
	}
	kind := []string{reason}
	for _, r := range e.Reasons {
		kind = append(kind, string(r))
	}
	r.say(key, p, reason, text, strings.Join(kind, " "))
}

// awaitsRoom reports whether the room of pods that are ending is enough for an ask.
func awaitsRoom(s *scheduler.Scheduler, key string) bool {
	e, ok := s.ExplainPreemption(key)
	return ok && e.Verdict == explain.VerdictNeedsNobody
}

// say writes a condition, and an event after it, unless they would be of the kind of the last.
func (r *run) say(key string, p *pod, reason, message, kind string) {
	if p.shown == kind {
		return
	}
	p.shown, p.said = kind, time.Now()
	pod := p.seen
	c := note{key: key, kind: kind, event: event{pod, corev1.EventTypeNormal, reason, "Scheduling", message, nil}}
	if reason == corev1.PodReasonUnschedulable {
		c.event.typ, c.event.reason = corev1.EventTypeWarning, "FailedScheduling"
	}
	r.writes.do(key, func() {
		c.written, c.err = r.status.SetCondition(r.ctx, pod, corev1.PodCondition{Type: corev1.PodScheduled, Status: corev1.ConditionFalse, Reason: reason, Message: message})
		if c.written || c.err != nil {
			r.inbox.put(func(m *mail) { m.written = append(m.written, c) })
		}
	})
}

// others are the reasons to wait that are about other pods.
var others = []core.Reason{
	explain.WaitStateFilter, explain.WaitPolicy, explain.WaitVictims, explain.WaitGang, explain.WaitPlaceholder, explain.WaitRelease, explain.WaitNotRunning, explain.WaitGangIncomplete,
}

// reasonOf is the reason of the condition for an explanation: PodReasonUnschedulable only where more nodes would help.
func reasonOf(e *explain.AskExplanation) string {
	lacks, limits := e.Lacks, e.Limits
	if g := e.Atomic; g != nil {
		lacks, limits = slices.Concat(lacks, g.Lacks), slices.Concat(limits, g.Limits)
	}
	inQueue := func(l explain.Lack) bool {
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
