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
	patience       = time.Second           // a pod that is placed sooner has no condition
	quiet          = 5 * time.Second       // after which a pod may be told something else: reasons come and go while others are placed
)

// waitingPods are the pods that wait: they ask, or there is a reason why they do not.
type waitingPods interface {
	waitingPod(key string) (p *pod, waits bool)
	waiting() []string // their keys, in a fixed order
}

// statement is why a pod waits, as its condition says it.
type statement struct {
	reason, text string
	kind         string // statements of one kind differ in amounts only
}

// conditions has pods say why they wait.
type conditions struct {
	pods   waitingPods
	why    func(*pod) (statement, bool) // false if the scheduler has not tried to place the pod yet
	write  func(note, *statement)       // beside the loop
	events *events

	fresh []string  // pods whose conditions say nothing yet, oldest first
	round []string  // what is left of a round through all that wait
	began time.Time // when the round began
}

// note is a condition that was to be written.
type note struct {
	key, kind string
	event     event // that follows
	written   bool  // false: the pod has it already, or there is an error
	err       error
}

// written has an event follow each condition that was written. Those that the API server has not taken are written again.
func (c *conditions) written(list []note) {
	for i := range list {
		n := &list[i]
		p, _ := c.pods.waitingPod(n.key)
		so := func() bool {
			now, waits := c.pods.waitingPod(n.key)
			return waits && now == p && p.shown == n.kind
		}
		switch {
		case !so():
		case n.written:
			n.event.still = so
			c.events.add(&n.event)
		case n.err != nil:
			p.shown = ""
			if errors.Is(n.err, podwrite.ErrStale) {
				c.fresh = append(c.fresh, n.key)
			}
		}
	}
}

// explainSome says of some pods why they wait: of new ones first, and of a few of the others in turn. While bindings wait for their turn, it says it
// of fewer.
func (c *conditions) explainSome(busy bool) {
	left, until := notesATick, time.Now().Add(explainFor)
	if busy {
		left = notesWhileBusy
	}
	for left > inRound && len(c.fresh) > 0 && time.Now().Before(until) {
		p, waits := c.pods.waitingPod(c.fresh[0])
		if waits && time.Since(p.asked) < patience {
			break
		}
		if c.fresh = c.fresh[1:]; waits && p.shown == "" {
			c.explain(p)
			left--
		}
	}
	if len(c.round) == 0 && time.Since(c.began) >= quiet { // a look at every pod, placed or not
		c.round, c.began = c.pods.waiting(), time.Now()
	}
	for first := true; left > 0 && len(c.round) > 0 && (first || time.Now().Before(until)); first = false {
		p, waits := c.pods.waitingPod(c.round[0])
		c.round = c.round[1:]
		if waits && time.Since(p.asked) >= patience && time.Since(p.said) >= quiet {
			c.explain(p)
			left--
		}
	}
}

// explain writes why a pod waits, and an event after it, unless they would be of the kind of the last.
func (c *conditions) explain(p *pod) {
	why, ok := c.why(p)
	if !ok || p.shown == why.kind {
		return
	}
	p.shown, p.said = why.kind, time.Now()
	n := note{key: p.key, kind: why.kind, event: event{p.seen, corev1.EventTypeNormal, why.reason, "Scheduling", why.text, nil}}
	if why.reason == corev1.PodReasonUnschedulable {
		n.event.typ, n.event.reason = corev1.EventTypeWarning, "FailedScheduling"
	}
	c.write(n, &why)
}

// waitingPod returns a pod, and whether it waits.
func (r *run) waitingPod(key string) (p *pod, waits bool) {
	p = r.pods[key]
	return p, p != nil && r.waits(p)
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

// whyWaiting says why a pod waits, and has it take its part of the headroom if it waits for nodes alone.
func (r *run) whyWaiting(p *pod) (statement, bool) {
	if p.state != podstate.Asking {
		r.headroom.release(p)
		return statement{reasonRefused, p.why, p.why}, true
	}
	var e explain.AskExplanation
	var ok bool
	var shares []share
	var now time.Duration
	awaits := false
	r.live.View().Read(func(s *scheduler.Scheduler) {
		if e, ok = s.ExplainAsk(p.key); ok && e.Pending {
			shares = sharesOf(s, &e)
			now = s.Now()
			awaits = (r.ending > 0 || r.budgets.Awaited()) && awaitsRoom(s, p.key)
		}
	})
	if !ok || !e.Pending || slices.Contains(e.Reasons, explain.WaitNotYet) {
		return statement{}, false
	}
	reason, text := reasonOf(&e), r.withoutControlPlane(p.seen, &e).Brief(now)
	if awaits && reason == corev1.PodReasonUnschedulable {
		reason = reasonWaiting
	}
	if reason != corev1.PodReasonUnschedulable {
		r.headroom.release(p)
	} else if lacking := r.headroom.admit(p, shares); lacking != nil {
		reason, text = reasonQuota, "Its queue has no room for it beside the pods that wait for nodes already: "+lacking.String()+". "+text
	}
	kind := []string{reason}
	for _, r := range e.Reasons {
		kind = append(kind, string(r))
	}
	return statement{reason, text, strings.Join(kind, " ")}, true
}

// awaitsRoom reports whether the room of pods that are ending is enough for an ask.
func awaitsRoom(s *scheduler.Scheduler, key string) bool {
	e, ok := s.ExplainPreemption(key)
	return ok && e.Verdict == explain.VerdictNeedsNoVictims
}

// others are the reasons to wait that are about other pods.
var others = []core.Reason{
	explain.WaitStateFilter, explain.WaitPolicy, explain.WaitVictims, explain.WaitGang, explain.WaitPlaceholder, explain.WaitRelease, explain.WaitNotRunning, explain.WaitGangIncomplete,
}

// reasonOf is the reason of the condition for an explanation: PodReasonUnschedulable only where more nodes would help.
func reasonOf(e *explain.AskExplanation) string {
	lacks, limits := e.Shortfalls, e.Limits
	if g := e.Atomic; g != nil {
		lacks, limits = slices.Concat(lacks, g.Shortfalls), slices.Concat(limits, g.Limits)
	}
	inQueue := func(l explain.HeadroomShortfall) bool {
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
