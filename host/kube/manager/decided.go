package manager

import (
	"context"
	"errors"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/kube/podstate"
	"github.com/quern-project/quern/host/kube/podwrite"
)

// decisionsMade acts on decisions, in the order in which they were made.
func (r *run) decisionsMade(list []*core.Decision, pods map[string]bool) {
	for _, d := range list {
		r.decided(d, pods)
	}
}

// bindingsEnded acts on outcomes of bindings.
func (r *run) bindingsEnded(list []outcome, pods map[string]bool) {
	for i := range list {
		r.bound(&list[i], pods)
	}
}

// decided acts on a decision. Pods to be looked at afterwards are added to a set.
func (r *run) decided(d *core.Decision, pods map[string]bool) {
	switch d.Type {
	case core.AppState:
		r.appState(d, pods)
		return
	case core.AppRejected:
		if a := r.apps[d.ID]; a != nil && a.since.knownTo(d.At) {
			r.appRefused(a, fmt.Sprintf("The application was rejected (%s): %s.", d.Reason, d.Message), appRetry)
		}
		return
	case core.NodeRejected:
		r.nodes.refused(d.ID, fmt.Sprintf("%s: %s", d.Reason, d.Message))
		return
	case core.ConfigAccepted:
		r.readmitAll(pods)
		return
	case core.GangFallback:
		r.fellBack(d)
		return
	case core.Lapsed:
		r.nominate(d.For, "")
		return
	}
	if h := r.placeholders[d.ID]; h != nil {
		r.placeholderDecided(h, d)
		return
	}
	if p := r.pods[d.ID]; p != nil && p.state.Known() {
		r.podDecided(d.ID, p, d, pods)
	}
}

func (r *run) readmitAll(pods map[string]bool) {
	ids := map[string]bool{}
	for id := range r.apps {
		ids[id] = true
	}
	r.readmit(ids, pods)
}

// placeholderDecided has placeholders leave at once that are told to: no pod has to end for that.
func (r *run) placeholderDecided(h *placeholder, d *core.Decision) {
	switch {
	case !h.since.knownTo(d.At):
	case d.Type == core.Release, d.Type == core.AskRejected, d.Type == core.TimedOut && d.Node == "":
		r.dropPlaceholder(d.ID, h)
	case d.Type == core.Replaced, d.Type == core.TimedOut, d.Type == core.Preemption:
		r.batch.add(core.Input{Event: &core.ReleaseAllocation{ID: d.ID}})
	}
}

func (r *run) podDecided(key string, p *pod, d *core.Decision, pods map[string]bool) {
	switch {
	case !p.since.knownTo(d.At):
	case d.Type == core.Allocation && p.state == podstate.Asking:
		r.fire(p, podstate.AllocationDecided)
		p.node, p.resources = d.Node, d.Resources
		r.headroom.release(p)
		r.checkProtection(p.told)
		if n := r.nodes.known[d.Node]; n != nil && n.since.knownTo(d.At) {
			r.bind(key, p)
		} // or else the node is gone, which a release will say
	case d.Type == core.Release && p.since.before(d.At): // by another client, or with its node
		r.forget(p, podstate.Released)
		pods[key] = true
	case d.Type == core.AskRejected:
		r.askRefused(key, p, d.Reason, d.Message, pods)
	case d.Type == core.Preemption:
		r.preempt(key, p, d)
	}
}

// askRetry is how long a pod waits whose ask was refused.
const askRetry = 10 * time.Second

// askRefused acts on the rejection of an ask, or of an allocation that was told.
func (r *run) askRefused(key string, p *pod, reason core.Reason, message string, pods map[string]bool) {
	r.forget(p, podstate.Refused)
	a := r.apps[p.app]
	switch {
	case reason == core.ReasonUnknownApplication && a != nil:
		if a.refused == "" { // it has ended just before
			a.live = false
		}
	case reason == core.ReasonGangTimeout:
		r.condemn(p, "The pod fails, since its gang was not placed in time: "+message+".")
	default:
		if reason == core.ReasonDuplicate {
			r.fire(p, podstate.DuplicateReported)
		}
		p.backoff = backoff{until: time.Now().Add(askRetry), cause: askRefused, why: fmt.Sprintf("The scheduler does not take the pod (%s): %s.", reason, message)}
	}
	pods[key] = true
}

// refusedInput acts on an input that was left out.
func (r *run) refusedInput(in *core.Input, at time.Duration, why string) {
	switch in.Type() {
	case core.NodeAdd:
		r.nodes.refused(in.ID(), why)
	case core.NodeUpdate:
		r.log.Error("the scheduler refuses a change of a node", "node", in.ID(), "error", why)
	default:
		r.inbox.put(func(m *mail) {
			d := &core.Decision{Type: core.AskRejected, At: at, ID: in.ID(), Reason: core.ReasonAmountOverflow, Message: why}
			if in.Type() == core.AppAdd {
				d.Type = core.AppRejected
			}
			m.decisions = append(m.decisions, d)
		})
	}
}

// outcome is how a binding has ended.
type outcome struct {
	key     string
	binding uint64
	err     error // nil: the pod is on its node
}

// The lanes of bindings.
const (
	binding   = iota // requests to the API server, as many at a time as it is to have
	preparing        // volumes and devices, which may take minutes
)

// preparedAtOnce is how many pods wait for volumes and devices at a time.
const preparedAtOnce = 1000

// bind has a pod bound to the node of its allocation, once its volumes and devices are ready.
//
// Once the scheduler takes the allocation back, the preparation ends, and nothing is bound any more. A binding that was sent goes on until its
// outcome is known. A pod that is created again under the name waits for neither.
func (r *run) bind(key string, p *pod) {
	p.binding++
	number, pod, node, filtered := p.binding, p.told, p.node, len(p.plugins) > 0
	ctx, cancel := context.WithCancel(r.ctx)
	p.unbind = cancel
	var err error
	if filtered {
		r.binds.doIn(preparing, string(pod.UID), func() { err = r.prepare(ctx, pod, node) })
	}
	r.binds.doIn(binding, string(pod.UID), func() {
		defer cancel()
		if r.ctx.Err() != nil {
			return
		}
		if err == nil {
			err = ctx.Err()
		}
		if err == nil {
			err = r.binder.Bind(r.ctx, pod, node)
		}
		if err != nil && filtered {
			r.o.Filters.Unreserve(pod, node)
		}
		r.inbox.put(func(m *mail) { m.outcomes = append(m.outcomes, outcome{key, number, err}) })
	})
}

// prepare has the volumes and devices of a pod be there.
func (r *run) prepare(ctx context.Context, pod *corev1.Pod, node string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := r.o.Filters.Reserve(ctx, pod, node); err != nil {
		return err
	}
	return r.o.Filters.PreBind(ctx, pod, node)
}

// The pauses before a pod asks again whose binding has failed: the informers may be behind.
const (
	firstBackoff = 100 * time.Millisecond
	lastBackoff  = 30 * time.Second
)

// bound acts on the end of a binding. One that has failed is undone: the pod asks again, as the cluster has it then.
func (r *run) bound(o *outcome, pods map[string]bool) {
	p := r.pods[o.key]
	if p == nil || p.binding != o.binding || r.ctx.Err() != nil {
		return
	}
	if o.err == nil {
		r.fire(p, podstate.BindingDone)
		p.failures = 0
		r.events.assigned(p.told, p.node)
		return
	}
	var refused *podwrite.RefusedError
	if !errors.As(o.err, &refused) {
		r.log.Warn("a pod could not be prepared for its node", "pod", o.key, "node", p.node, "error", o.err)
	}
	r.log.Info("a binding is undone", "pod", o.key, "error", o.err)
	p.backoff = backoff{until: time.Now().Add(min(firstBackoff<<min(p.failures, 20), lastBackoff)), cause: bindingFailed}
	p.failures++
	r.withdraw(p)
	pods[o.key] = true
}

// nominate notes the node that is kept for a pod that waits; empty: none is any more.
func (r *run) nominate(key, node string) {
	if p := r.pods[key]; p != nil && p.told != nil && (p.told.Status.NominatedNodeName != node || node == "") {
		r.writes.nominate(p.told, node)
	}
}
