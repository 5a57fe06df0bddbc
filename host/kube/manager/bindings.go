package manager

import (
	"context"
	"errors"
	"log/slog"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/quern-project/quern/host/kube/podstate"
	"github.com/quern-project/quern/host/kube/podwrite"
)

// bindings binds pods to the nodes of their allocations, beside the loop.
type bindings struct {
	ctx     context.Context // ends with the run
	jobs    *jobs
	binder  *podwrite.Binder
	filters Filters // nil without scheduler plugins
	pods    *pods
	events  *events
	inbox   *inbox
	log     *slog.Logger
}

// binding is the binding of a pod that is under way, or was last.
type binding struct {
	number   uint64 // counts the bindings of the pod: the outcome of an earlier one is of no interest
	cancel   func() // ends the preparation
	failures int    // one after the other
}

// noBinding is the cancel of a pod whose binding is not under way.
func noBinding() {}

// outcome is how a binding has ended.
type outcome struct {
	key     string
	binding uint64
	err     error // nil: the pod is on its node
}

// The lanes of bindings.
const (
	sending   = iota // requests to the API server, as many at a time as it is to have
	preparing        // volumes and devices, which may take minutes
)

// preparedAtOnce is how many pods wait for volumes and devices at a time.
const preparedAtOnce = 1000

// begin binds a pod to the node of its allocation, once its volumes and devices are ready.
//
// If the scheduler ends the allocation, the preparation ends and nothing is bound. A binding that was sent goes on until its outcome is known. A new
// pod of the same name waits for neither.
func (b *bindings) begin(p *pod) {
	p.binding.number++
	key, number, pod, node, filtered := p.key, p.binding.number, p.submitted, p.demand.node, len(p.demand.plugins) > 0
	ctx, cancel := context.WithCancel(b.ctx)
	p.binding.cancel = cancel
	var err error
	if filtered {
		b.jobs.doIn(preparing, string(pod.UID), func() { err = b.prepare(ctx, pod, node) })
	}
	b.jobs.doIn(sending, string(pod.UID), func() {
		defer cancel()
		if b.ctx.Err() != nil {
			return
		}
		if err == nil {
			err = ctx.Err()
		}
		if err == nil {
			err = b.binder.Bind(b.ctx, pod, node)
		}
		if err != nil && filtered {
			b.filters.Unreserve(pod, node)
		}
		b.inbox.put(func(m *mail) { m.outcomes = append(m.outcomes, outcome{key, number, err}) })
	})
}

// prepare reserves and binds the volumes and devices of a pod.
func (b *bindings) prepare(ctx context.Context, pod *corev1.Pod, node string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := b.filters.Reserve(ctx, pod, node); err != nil {
		return err
	}
	return b.filters.PreBind(ctx, pod, node)
}

// The pauses before a pod asks again whose binding has failed: the informers may be behind.
const (
	firstBackoff = 100 * time.Millisecond
	lastBackoff  = 30 * time.Second
)

// ended acts on outcomes of bindings.
func (b *bindings) ended(list []outcome, looked map[string]bool) {
	for i := range list {
		b.endedOne(&list[i], looked)
	}
}

// endedOne acts on the end of a binding. One that has failed is undone: the pod asks again, as the cluster has it then.
func (b *bindings) endedOne(o *outcome, looked map[string]bool) {
	p := b.pods.at(o.key)
	if p == nil || p.binding.number != o.binding || b.ctx.Err() != nil {
		return
	}
	if o.err == nil {
		b.pods.fire(p, podstate.BindingDone)
		p.binding.failures = 0
		b.events.assigned(p.submitted, p.demand.node)
		return
	}
	var refused *podwrite.RefusedError
	if !errors.As(o.err, &refused) {
		b.log.Warn("a pod could not be prepared for its node", "pod", o.key, "node", p.demand.node, "error", o.err)
	}
	b.log.Info("a binding is undone", "pod", o.key, "error", o.err)
	p.backoff = backoff{until: time.Now().Add(min(firstBackoff<<min(p.binding.failures, 20), lastBackoff)), cause: bindingFailed}
	p.binding.failures++
	b.pods.withdraw(p)
	looked[o.key] = true
}
