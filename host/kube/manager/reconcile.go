package manager

import (
	"cmp"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/kube/podstate"
	"github.com/quern-project/quern/host/kube/translate"
)

// reconciler compares pods with their versions that were submitted, and submits the differences.
type reconciler struct {
	view        *clusterView
	pods        *pods
	apps        *apps
	nodes       *nodes
	predicates  *predicates
	deletions   *deletions
	obstacles   *obstacles
	protection  *protections
	conditions  *conditions
	groupStatus *groupStatus
	writes      *writer
	events      *events
	batch       *batch
}

// changed submits the differences of pods. It observes all of them before it submits any, so that each ask takes into account which pods the others
// repel.
func (r *reconciler) changed(keys map[string]bool) {
	order := r.inOrder(keys)
	for _, key := range order {
		r.observe(key)
	}
	order = append(order, r.predicates.affected(keys)...)
	for _, key := range order {
		r.look(key)
	}
	r.apps.dropEmpty()
}

// inOrder sorts pods: those that hold or free room first, then those that wait, in the order of creation.
func (r *reconciler) inOrder(keys map[string]bool) []string {
	type entry struct {
		key     string
		waits   bool
		created time.Time
	}
	list := make([]entry, 0, len(keys))
	for key := range keys {
		e := entry{key: key}
		if pod := r.view.Pod(key); pod != nil {
			e.waits, e.created = r.view.stageOf(pod) == translate.Waiting, pod.CreationTimestamp.Time
		}
		list = append(list, e)
	}
	slices.SortFunc(list, func(a, b entry) int {
		switch {
		case a.waits != b.waits && b.waits:
			return -1
		case a.waits != b.waits:
			return 1
		}
		if c := a.created.Compare(b.created); c != 0 {
			return c
		}
		return cmp.Compare(a.key, b.key)
	})
	sorted := make([]string, len(list))
	for i := range list {
		sorted[i] = list[i].key
	}
	return sorted
}

// observe records the present version of a pod and its application, and passes it to the filters. A waiting pod repels others as if it were placed,
// because it may be placed before them.
func (r *reconciler) observe(key string) {
	p, current := r.pods.at(key), r.view.Pod(key)
	if p == nil && current == nil {
		return
	}
	if p == nil {
		p = r.pods.add(key)
	}
	r.deletions.observe(p, current)
	r.apps.join(p, current)
	r.predicates.observe(p.seen, current)
	r.protection.observe(p.seen, current)
	if changeOf(p.seen, current) == recreated {
		r.pods.fire(p, podstate.Recreated)
		p.renew()
	}
	p.done = r.pods.hasSucceeded(p, current)
	if p.seen = current; r.view.stageOf(current) == translate.Gone {
		r.view.repelling.remove(key)
	} else {
		r.view.repelling.add(key, current)
	}
}

// look submits what has changed in a pod that was observed.
func (r *reconciler) look(key string) {
	p := r.pods.at(key)
	if p == nil {
		return
	}
	r.pods.fire(p, podstate.HoldReconsidered)
	version, why, held := r.versionFor(p)
	r.submit(p, version)
	if held {
		r.hold(p, why)
	}
	r.deletions.submit(p)
	if p.seen == nil {
		r.pods.remove(key)
	}
}

// versionFor returns the version of a pod that the scheduler is to know; nil: none for now. If the pod waits and does not ask for a reason that its
// conditions give, held is true.
func (r *reconciler) versionFor(p *pod) (version *corev1.Pod, why string, held bool) {
	current := p.seen
	if p.deletion.stays {
		return nil, "", false
	}
	switch r.view.stageOf(current) {
	case translate.Placed, translate.Foreign:
		if r.nodes.known[current.Spec.NodeName] == nil {
			return nil, "", false // looked at again when the node comes
		}
		if !p.state.Known() && p.backoff.cause == askRefused && r.obstacles.pauses(p) {
			return nil, "", false // the pause after a binding is none: the pod has been bound after all
		}
	case translate.Waiting:
		if p.state.Placed() {
			return current, "", false // its binding is under way
		}
		if why, waits := r.obstacles.of(p); waits {
			if current.Status.NominatedNodeName != "" { // nothing is kept for it
				r.writes.nominate(current, "")
			}
			return nil, why, why != ""
		}
	}
	return current, "", false
}

// hold keeps a pod from asking; its conditions will say why.
func (r *reconciler) hold(p *pod, why string) {
	if p.state != podstate.Condemned && p.state != podstate.Failing && r.pods.fire(p, podstate.HoldDecided) {
		p.why = why
	}
	r.conditions.enqueue(p)
}

// submit submits the difference between the last submitted version of a pod and a new one; nil: the scheduler must not have it.
func (r *reconciler) submit(p *pod, current *corev1.Pod) {
	of := current
	if of == nil {
		of = p.submitted
	}
	if p.state == podstate.Duplicate {
		r.pods.withdraw(p)
	}
	if of == nil {
		return
	}
	c := r.view.context(of)
	r.predicates.refresh(p, current, c)
	a := r.apps.of(p)
	if a != nil {
		r.apps.declare(a, p.key, of, c)
	}
	e := r.view.settings.Change(p.submitted, current, p.known(a != nil && a.state.known()), c)
	r.events.report(of, e.Problems)
	for i := range e.Inputs {
		r.submitInput(p, a, of, &e, &e.Inputs[i])
	}
	r.nodes.occupancyChanged(e.Occupied...)
	p.submitted = current
}

// submitInput adds an input of a pod, and records what the scheduler has then.
func (r *reconciler) submitInput(p *pod, a *app, of *corev1.Pod, e *translate.Effect, in *core.Input) {
	switch event := in.Event.(type) {
	case *core.AddApp:
		r.apps.submit(a, of, event)
	case *core.RemoveAsk, *core.ReleaseAllocation:
		r.pods.withdraw(p)
	case *core.AddAsk:
		r.pods.fire(p, podstate.AskSent)
		event.App = a.id
		r.pods.asks(p, event, e.Ask)
		r.predicates.name(p, of, event)
		r.conditions.enqueue(p)
		if of.Status.NominatedNodeName != "" { // by a leader before: nothing is kept for an ask that has just come
			r.writes.nominate(of, "")
		}
		r.batch.add(*in)
	case *core.RestoreAllocation:
		r.pods.fire(p, podstate.AllocationSent)
		event.App = a.id // which labels may not name any more
		r.pods.asks(p, &event.AddAsk, e.Ask)
		p.demand.node = event.PlacedOn
		r.protection.check(of)
		r.groupStatus.placed(of)
		r.batch.add(*in)
	case *core.UpdateAsk:
		p.demand.resources = event.Resources
		r.batch.add(*in)
	default:
	}
}
