package manager

import (
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/kube/disruption"
	"github.com/quern-project/quern/host/kube/podstate"
	"github.com/quern-project/quern/host/server"
)

// Reasons of the condition PodScheduled, beside PodReasonUnschedulable. Autoscalers add nodes for that one alone, and no node would help
// these pods.
const (
	reasonQuota   = "QueueQuota" // queues or limits have no room for the pod
	reasonWaiting = "Waiting"    // for other pods: of its gang, of its application, or such that it preempts
	reasonRefused = "Refused"    // it does not ask, or the scheduler does not take it
)

// statement is why a pod waits, as its condition says it.
type statement struct {
	reason, text string
	kind         string // statements of one kind differ in amounts only
	incomplete   bool   // the gang of the pod waits for pods that are not there
}

// reasons finds why pods wait.
type reasons struct {
	live     *server.Server
	pods     *pods
	nodes    *nodes
	headroom *headroom
	budgets  *disruption.Budgets
}

// of says why a pod waits, and has it take its part of the headroom if it waits for nodes alone.
func (r *reasons) of(p *pod) (statement, bool) {
	if p.state != podstate.Asking {
		r.headroom.release(p)
		return statement{reason: reasonRefused, text: p.why, kind: p.why}, true
	}
	var e explain.AskExplanation
	var ok bool
	var shares []share
	var now time.Duration
	awaits := false
	r.live.View().Borrow(func(s *scheduler.Scheduler) {
		if e, ok = s.ExplainAsk(p.key); ok && e.Pending {
			shares = sharesOf(s, &e)
			now = s.Now()
			awaits = (r.pods.ending > 0 || r.budgets.Awaited()) && awaitsRoom(s, p.key)
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
	for _, reason := range e.Reasons {
		kind = append(kind, string(reason))
	}
	if e.Planned != nil { // plans change more often than decisions tell, and each change would be written
		kind = append(kind, e.Planned.Told)
	}
	return statement{reason, text, strings.Join(kind, " "), slices.Contains(e.Reasons, explain.WaitGangIncomplete) || slices.Contains(e.Reasons, explain.WaitSetIncomplete)}, true
}

// awaitsRoom reports whether the room of pods that are ending is enough for an ask.
func awaitsRoom(s *scheduler.Scheduler, key string) bool {
	e, ok := s.ExplainPreemption(key)
	return ok && e.Verdict == explain.VerdictNeedsNoVictims
}

// others are the reasons to wait that are about other pods.
var others = []core.Reason{
	explain.WaitStateFilter, explain.WaitPolicy, explain.WaitVictims, explain.WaitGang, explain.WaitPlaceholder, explain.WaitRelease, explain.WaitNotRunning, explain.WaitGangIncomplete, explain.WaitSetIncomplete, explain.WaitPlanned,
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
