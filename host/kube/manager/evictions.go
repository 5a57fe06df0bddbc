package manager

import (
	"errors"
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/kube/podstate"
	"github.com/quern-project/quern/host/kube/translate"
)

// eviction is a pod that has to end for others.
type eviction struct {
	key      string
	pod      *corev1.Pod
	message  string
	attempts int
	denials  int // of the attempts
}

// attempt is how one to have a pod end has gone.
type attempt struct {
	*eviction
	err error // nil: the API server has it end
}

// The pauses between attempts to have a pod end, and how often the API server may deny it before the preemption is undone.
const (
	firstEvictPause = 500 * time.Millisecond
	lastEvictPause  = 30 * time.Second
	mostDenials     = 5
)

// preempt has a pod end, with its grace. What it has is released when it has ended.
func (r *run) preempt(key string, p *pod, d *core.Decision) {
	if !r.fire(p, podstate.PreemptionDecided) && p.state != podstate.Evicting {
		return
	}
	message := fmt.Sprintf("Preempted for pod %s on node %s", d.For, d.Node)
	if d.For == "" {
		message = fmt.Sprintf("Preempted because queue %s uses more than its max", d.Quota)
	}
	if violated := r.budgets.Spend(p.told); len(violated) > 0 {
		message += ", although no disruption is left to " + strings.Join(violated, ", ")
	}
	p.eviction = &eviction{key: key, pod: p.told, message: message}
	r.writes.evict(p.eviction)
	r.nominate(d.For, d.Node)
}

// evicts reports whether an eviction is the one that is under way.
func (p *pod) evicts(e *eviction) bool { return p.state == podstate.Evicting && p.eviction == e }

// evictionsTried acts on attempts: what has failed is tried again after a pause. A preemption that the API server keeps denying is undone.
func (r *run) evictionsTried(list []attempt, pods map[string]bool) {
	for _, a := range list {
		p := r.pods[a.key]
		if a.err == nil || p == nil || !p.evicts(a.eviction) || r.ctx.Err() != nil {
			continue
		}
		r.log.Warn("a pod could not be preempted", "pod", a.key, "error", a.err)
		pause := min(firstEvictPause<<min(a.attempts, 10), lastEvictPause)
		a.attempts++
		if denied(a.err) {
			a.denials++
		}
		if a.denials >= mostDenials {
			r.preemptionDenied(p, a, pods)
			continue
		}
		time.AfterFunc(pause, func() { r.inbox.put(func(m *mail) { m.evictions = append(m.evictions, a.eviction) }) })
	}
}

// evictAgain tries evictions again whose pods are still there and do not end yet.
func (r *run) evictAgain(list []*eviction) {
	for _, e := range list {
		p, current := r.pods[e.key], r.cluster.Pod(e.key)
		if p == nil || !p.evicts(e) || current == nil || current.UID != e.pod.UID || current.DeletionTimestamp != nil {
			continue
		}
		r.writes.evict(e)
	}
}

// denied reports whether the API server has answered that a pod may not be ended, rather than that it cannot answer now.
func denied(err error) bool {
	var status apierrors.APIStatus
	return errors.As(err, &status) && !apierrors.IsTooManyRequests(err) && !apierrors.IsServiceUnavailable(err) && !apierrors.IsServerTimeout(err) &&
		!apierrors.IsTimeout(err)
}

// preemptionDenied undoes a preemption. The scheduler is told of the pod again, as one that asks not to be preempted, so that it chooses others
// where it can.
func (r *run) preemptionDenied(p *pod, a attempt, pods map[string]bool) {
	r.log.Error("the API server denies a preemption; it is undone", "pod", a.key, "attempts", a.attempts, "error", a.err)
	r.events.add(&event{a.pod, corev1.EventTypeWarning, "PreemptionDenied", "Preempting",
		fmt.Sprintf("The pod cannot be preempted, since the API server does not let it end: %v", a.err), nil})
	r.budgets.Unspend(a.pod)
	r.withdraw(p)
	p.undeletable = true
	r.unprotected[translate.Key(a.pod)] = true
	pods[a.key] = true
}
