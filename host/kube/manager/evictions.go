package manager

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/kube/podstate"
	"github.com/quern-project/quern/host/kube/translate"
)

// eviction is a pod that has to end by a decision of the scheduler.
type eviction struct {
	cause    *evictionCause
	key      string
	pod      *corev1.Pod
	message  string
	attempts int
	denials  int // of the attempts
}

// evictionCause is why pods have to end, as their conditions and events name it.
type evictionCause struct {
	condition     string // the reason of the condition DisruptionTarget
	event, action string
	denied        string // the event of a pod that the API server does not let end
}

// The causes of evictions.
var (
	preempted  = &evictionCause{corev1.PodReasonPreemptionByScheduler, "Preempted", "Preempting", "PreemptionDenied"}
	exceeded   = &evictionCause{"WalltimeExceeded", "WalltimeExceeded", "EndingPod", "EvictionDenied"}
	gangBroken = &evictionCause{"GangBroken", "GangBroken", "EndingGang", "EvictionDenied"}
)

// evicted is the part of a pod that evictions owns.
type evicted struct {
	current *eviction // while the pod is Evicting
	denied  bool      // the API server refused to delete the pod, so it is no victim any more
}

// attempt is the outcome of one attempt to evict a pod.
type attempt struct {
	*eviction
	err error // nil: the API server accepted the eviction
}

// The pauses between attempts to evict a pod, and how many denials of the API server undo the decision.
const (
	firstEvictPause = 500 * time.Millisecond
	lastEvictPause  = 30 * time.Second
	mostDenials     = 5
)

// evictions evicts pods that were preempted, or whose gang has ended.
type evictions struct {
	ctx        context.Context // ends with the run
	view       *clusterView
	pods       *pods
	protection *protections
	writes     *writer
	events     *events
	inbox      *inbox
	log        *slog.Logger

	together []*pod // that were preempted, and whose composite groups end with them
}

// preempt evicts a pod that was preempted.
func (s *evictions) preempt(p *pod, d *core.Decision) {
	message := fmt.Sprintf("Preempted for pod %s on node %s", d.For, d.Node)
	if d.For == "" {
		message = fmt.Sprintf("Preempted because queue %s uses more than its max", d.Quota)
	}
	if d.GangEnded {
		message += ", together with its gang"
	}
	if s.begin(p, preempted, message) {
		s.nominate(d.For, d.Node)
		if s.view.disrupted(p.submitted) != "" {
			s.together = append(s.together, p)
		}
	}
}

// preemptGroups evicts the other pods of composite groups whose pods are preempted together, once all decisions of a turn have been looked at: the scheduler
// knows gangs, and chooses those, not what contains them.
func (s *evictions) preemptGroups() {
	for _, p := range s.together {
		group := s.view.disrupted(p.submitted)
		pods := s.view.PodsIn(p.submitted.Namespace)
		slices.SortFunc(pods, func(a, b *corev1.Pod) int { return strings.Compare(a.Name, b.Name) })
		for _, pod := range pods {
			o := s.pods.at(translate.Key(pod))
			if runs := o != nil && (o.state == podstate.Allocated || o.state == podstate.Bound); runs && s.view.disrupted(o.submitted) == group {
				s.begin(o, preempted, fmt.Sprintf("Preempted with pod %s, together with the composite pod group %s", p.key, group))
			}
		}
	}
	s.together = nil
}

// endMember evicts a member of a gang that was broken for too long.
func (s *evictions) endMember(p *pod, d *core.Decision) {
	s.begin(p, gangBroken, fmt.Sprintf("Ended because its gang was broken for too long: %d of %d members were left", d.Allocated, d.Min))
}

// endOverrun evicts a pod whose walltime has passed.
func (s *evictions) endOverrun(p *pod) {
	s.begin(p, exceeded, "Ended because its walltime has passed")
}

// begin evicts a pod, with its grace period, unless that is impossible in its state. Its allocation is released when it has ended.
func (s *evictions) begin(p *pod, cause *evictionCause, message string) bool {
	if !s.pods.fire(p, podstate.EvictionDecided) && p.state != podstate.Evicting {
		return false
	}
	if violated := s.protection.budgets.Spend(p.submitted); len(violated) > 0 {
		message += ", although no disruption is left to " + strings.Join(violated, ", ")
	}
	p.eviction.current = &eviction{cause: cause, key: p.key, pod: p.submitted, message: message}
	s.writes.evict(p.eviction.current)
	return true
}

// evicts reports whether an eviction is the one that is under way.
func (p *pod) evicts(e *eviction) bool {
	return p.state == podstate.Evicting && p.eviction.current == e
}

// tried acts on attempts: what has failed is tried again after a pause. A decision that the API server keeps denying is undone.
func (s *evictions) tried(list []attempt, looked map[string]bool) {
	for _, a := range list {
		p := s.pods.at(a.key)
		if a.err == nil || p == nil || !p.evicts(a.eviction) || s.ctx.Err() != nil {
			continue
		}
		s.log.Warn("a pod could not be evicted", "cause", a.cause.event, "pod", a.key, "error", a.err)
		pause := min(firstEvictPause<<min(a.attempts, 10), lastEvictPause)
		a.attempts++
		if denied(a.err) {
			a.denials++
		}
		if a.denials >= mostDenials {
			s.deniedFor(p, a, looked)
			continue
		}
		time.AfterFunc(pause, func() { s.inbox.put(func(m *mail) { m.evictions = append(m.evictions, a.eviction) }) })
	}
}

// again tries evictions again whose pods are still there and do not end yet.
func (s *evictions) again(list []*eviction) {
	for _, e := range list {
		p, current := s.pods.at(e.key), s.view.Pod(e.key)
		if p == nil || !p.evicts(e) || current == nil || current.UID != e.pod.UID || current.DeletionTimestamp != nil {
			continue
		}
		s.writes.evict(e)
	}
}

// denied reports whether the API server has answered that a pod may not be ended, rather than that it cannot answer now.
func denied(err error) bool {
	var status apierrors.APIStatus
	return errors.As(err, &status) && !apierrors.IsTooManyRequests(err) && !apierrors.IsServiceUnavailable(err) && !apierrors.IsServerTimeout(err) &&
		!apierrors.IsTimeout(err)
}

// deniedFor undoes a decision whose eviction the API server keeps refusing. The pod is submitted again as not preemptable, so that the scheduler
// chooses other victims if there are any.
func (s *evictions) deniedFor(p *pod, a attempt, looked map[string]bool) {
	s.log.Error("the API server denies an eviction; its decision is undone", "cause", a.cause.event, "pod", a.key, "attempts", a.attempts, "error", a.err)
	s.events.add(&event{a.pod, corev1.EventTypeWarning, a.cause.denied, a.cause.action,
		fmt.Sprintf("The pod cannot be evicted, since the API server does not let it end: %v", a.err), nil})
	s.protection.budgets.Unspend(a.pod)
	s.pods.withdraw(p)
	p.eviction.denied = true
	s.protection.recheck(a.key)
	looked[a.key] = true
}

// nominate records the node that is kept for a pod that waits; empty: none is any more.
func (s *evictions) nominate(key, node string) {
	if p := s.pods.at(key); p != nil && p.state.Known() && (p.submitted.Status.NominatedNodeName != node || node == "") {
		s.writes.nominate(p.submitted, node)
	}
}
