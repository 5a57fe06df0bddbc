package manager

import (
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/kube/nodefit"
	"github.com/quern-project/quern/host/kube/podstate"
	"github.com/quern-project/quern/host/kube/translate"
)

// podsChanged compares pods with what was told of them. All are seen before the scheduler is told of any, so that none asks as if those that
// ask with it repelled no other.
func (r *run) podsChanged(keys map[string]bool) {
	order := r.inOrder(keys)
	for _, key := range order {
		r.see(key)
	}
	if changes := r.repelling.changes(); len(changes) > 0 {
		order = append(order, r.replugged(changes, keys)...)
	}
	order = append(order, r.renamed(keys)...)
	for _, key := range order {
		r.look(key)
	}
	r.dropEmpty()
}

// replugged lists the pods that wait and have other plugins now because others repel them, beside those that are looked at anyway.
func (r *run) replugged(changes []*corev1.Pod, looked map[string]bool) (list []string) {
	for key, p := range r.pods {
		if looked[key] || p.told == nil || p.state != podstate.Asking {
			continue
		}
		if !slices.ContainsFunc(changes, func(o *corev1.Pod) bool { return nodefit.MayRepel(o, p.told) }) {
			continue
		}
		c := r.context(p.told)
		if plugins := nodefit.Plugins(p.told, &c.Cluster); !slices.Equal(plugins, p.plugins) && (len(plugins) > 0 || r.o.Filters == nil) {
			list = append(list, key)
		}
	}
	slices.Sort(list)
	return list
}

// renamed lists the pods that wait whose predicates may be others now, since plugins read more of pods, beside those that are looked at anyway.
func (r *run) renamed(looked map[string]bool) (list []string) {
	if r.o.Filters == nil || r.o.Filters.Selected() == r.selected {
		return nil
	}
	r.selected = r.o.Filters.Selected()
	for key, p := range r.pods {
		if p.predicate != "" && p.state == podstate.Asking && !looked[key] {
			list = append(list, key)
		}
	}
	slices.Sort(list)
	return list
}

// see notes the present version of a pod and what it belongs to, and tells the filters of it. A pod that waits repels others as if it were
// placed: it may be before they are.
func (r *run) see(key string) {
	p, current := r.pods[key], r.cluster.Pod(key)
	if p == nil && current == nil {
		return
	}
	if p == nil {
		p = newPod(key)
		r.pods[key] = p
	}
	r.followEnd(key, p, current)
	r.join(key, p, current)
	if r.o.Filters != nil && (p.seen != nil || current != nil) {
		r.o.Filters.Pod(p.seen, current)
	}
	r.followSpent(p.seen, current)
	if was := p.seen; was != nil && current != nil && was.UID != current.UID { // created again: nothing of the pod before holds
		r.fire(p, podstate.Recreated)
		p.backoff, p.failures, p.shown, p.undeletable = backoff{}, 0, "", false
	}
	p.done = translate.Succeeded(current) || p.seen != nil && (current == nil || current.UID != p.seen.UID) && (r.done[p.seen.UID] || translate.Succeeded(p.seen))
	if p.seen = current; r.o.Settings.StageOf(current) == translate.Gone {
		r.repelling.remove(key)
	} else {
		r.repelling.add(key, current)
	}
}

// look tells what has changed of a pod that was seen.
func (r *run) look(key string) {
	p := r.pods[key]
	if p == nil {
		return
	}
	r.fire(p, podstate.HoldReconsidered)
	version, why, held := r.shownTo(p)
	r.tell(key, p, version)
	if held {
		r.hold(p, why)
	}
	r.sendDeletion(key, p)
	if p.seen == nil {
		delete(r.pods, key)
	}
}

// shownTo returns the version of a pod that the scheduler is to know; nil: none for now. If the pod waits and does not ask for a reason that its
// conditions give, held is true.
func (r *run) shownTo(p *pod) (version *corev1.Pod, why string, held bool) {
	current := p.seen
	if p.stays {
		return nil, "", false
	}
	switch r.o.Settings.StageOf(current) {
	case translate.Placed, translate.Foreign:
		if r.nodes.known[current.Spec.NodeName] == nil {
			return nil, "", false // looked at again when the node comes
		}
		if !p.state.Known() && p.backoff.cause == askRefused && r.later(p) {
			return nil, "", false // the pause after a binding is none: the pod has been bound after all
		}
	case translate.Waiting:
		if p.state.Placed() {
			return current, "", false // its binding is under way
		}
		if why, waits := r.holds(p); waits {
			if current.Status.NominatedNodeName != "" { // nothing is kept for it
				r.writes.nominate(current, "")
			}
			return nil, why, why != ""
		}
	}
	return current, "", false
}

// holds reports whether a pod that waits must not ask now, and the reason for its conditions; the pause after a failed binding has none.
func (r *run) holds(p *pod) (why string, waits bool) {
	switch p.state {
	case podstate.Condemned, podstate.Failing:
		r.fail(p)
		return p.why, true
	}
	if r.later(p) {
		return p.backoff.why, true
	}
	return r.obstacle(p)
}

// later reports whether a pod has to wait before it asks again, and has it looked at then.
func (r *run) later(p *pod) bool {
	wait := time.Until(p.backoff.until)
	if wait > 0 {
		r.inbox.podLater(p.key, wait)
	}
	return wait > 0
}

// obstacle says in a sentence what keeps a pod from asking, and whether there is anything.
func (r *run) obstacle(p *pod) (why string, is bool) {
	current := p.seen
	if a := r.apps[p.app]; a != nil && a.refused != "" {
		return a.refused, true
	}
	c := r.context(current)
	if group := translate.PodGroupKey(current); group != "" && r.cluster.groups == nil {
		return r.unserved(current, group), true
	} else if group != "" && c.PodGroup == nil {
		return "The pod waits for its pod group " + group + ", which is not there.", true
	}
	if r.o.Filters != nil {
		return "", false
	}
	if plugins := nodefit.Plugins(current, &c.Cluster); len(plugins) > 0 {
		return "The pod is not scheduled, because its nodes have to be asked about by scheduler plugins that this scheduler runs without: " +
			strings.Join(plugins, ", ") + ".", true
	}
	return "", false
}

// tell tells the scheduler what has changed between two versions of a pod.
func (r *run) tell(key string, p *pod, current *corev1.Pod) {
	of := current
	if of == nil {
		of = p.told
	}
	if p.state == podstate.Duplicate {
		r.withdraw(p)
	}
	if of == nil {
		return
	}
	c := r.context(of)
	r.replug(key, p, current, c)
	a := r.apps[p.app]
	if a != nil {
		r.declare(a, key, of, c)
	}
	e := r.o.Settings.Change(p.told, current, p.known(a != nil && a.live), c)
	r.events.report(of, e.Problems)
	for i := range e.Inputs {
		r.tellInput(key, p, a, of, &e, &e.Inputs[i])
	}
	r.nodes.occupancyChanged(e.Occupied...)
	p.told = current
}

// replug has the ask of a pod judged by the plugins that it needs now, or as the pod that it has become. The ask keeps its place. A predicate
// that it needs no more lets it in, too.
func (r *run) replug(key string, p *pod, current *corev1.Pod, c *translate.Context) {
	if current == nil || p.told == nil || p.told.UID != current.UID || p.state != podstate.Asking || r.o.Settings.StageOf(current) != translate.Waiting {
		return
	}
	plugins := nodefit.Plugins(current, &c.Cluster)
	if len(plugins) == 0 {
		return
	}
	p.plugins = plugins
	if name := r.o.Filters.Name(current); name != p.predicate {
		p.predicate = name
		r.batch.add(core.Input{Event: &core.UpdateAsk{ID: key, Predicate: name}})
	}
}

// tellInput adds an input of a pod, and notes what the scheduler has then.
func (r *run) tellInput(key string, p *pod, a *app, of *corev1.Pod, e *translate.Effect, in *core.Input) {
	switch event := in.Event.(type) {
	case *core.AddApp:
		event.ID = a.id
		a.live, a.since = true, soon
		r.batch.add(*in)
		r.placehold(a, of)
	case *core.RemoveAsk, *core.ReleaseAllocation:
		r.withdraw(p)
	case *core.AddAsk:
		r.fire(p, podstate.AskSent)
		r.asks(p, a, event, e.Ask)
		if len(p.plugins) > 0 {
			event.Predicate = r.o.Filters.Name(of)
			p.predicate = event.Predicate
		}
		r.conditions.fresh = append(r.conditions.fresh, key)
		if of.Status.NominatedNodeName != "" { // by a leader before: nothing is kept for an ask that has just come
			r.writes.nominate(of, "")
		}
		r.batch.add(*in)
	case *core.RestoreAllocation:
		r.fire(p, podstate.AllocationSent)
		r.asks(p, a, &event.AddAsk, e.Ask)
		p.node = event.PlacedOn
		r.checkProtection(of)
		r.batch.add(*in)
	case *core.UpdateAsk:
		p.resources = event.Resources
		r.batch.add(*in)
	default:
	}
}

// asks notes what the scheduler has once a pod asks, or is told as an allocation.
func (r *run) asks(p *pod, a *app, in *core.AddAsk, ask *translate.Ask) {
	in.App = a.id // which labels may not name any more, once there is an allocation
	p.selectors, p.plugins = ask.Selectors, ask.Plugins
	r.nodes.use(p.selectors)
	p.resources = in.Resources
	p.protection = protection{on: in.NotPreemptable}
	p.since, p.asked, p.backoff = soon, time.Now(), backoff{}
}

// withdraw ends what the scheduler has of a pod. An ask may have been allocated meanwhile: one of the two inputs has no effect then.
func (r *run) withdraw(p *pod) {
	if !p.state.Placed() {
		r.batch.rest = append(r.batch.rest, core.Input{Event: &core.RemoveAsk{ID: p.key}})
	}
	r.batch.rest = append(r.batch.rest, core.Input{Event: &core.ReleaseAllocation{ID: p.key, Failed: !p.done}})
	r.forget(p, podstate.Withdrawn)
}

// forget notes that the scheduler has nothing of a pod any more, after an event that ends it.
func (r *run) forget(p *pod, end podstate.Event) {
	r.nodes.unuse(p.selectors)
	if r.o.Filters != nil && len(p.plugins) > 0 {
		r.o.Filters.Forget(p.told)
	}
	r.fire(p, end)
	p.resources, p.told, p.selectors, p.plugins, p.predicate = nil, nil, nil, nil, ""
	r.headroom.release(p)
	p.binding++ // what is under way is of no interest any more
	p.unbind()
	p.unbind = noBinding
}

// stays reports whether a pod was deleted and does not end, so that the scheduler does not have it and its room is still in use.
func (r *run) stays(pod *corev1.Pod) bool {
	p := r.pods[translate.Key(pod)]
	return p != nil && p.stays && p.seen != nil && p.seen.UID == pod.UID
}

// seenOn are the pods on a node as they were looked at last: what changes of them is compared with that. Of one that comes and goes between two looks
// the loop would know nothing.
func (r *run) seenOn(node string) (list []*corev1.Pod) {
	for _, pod := range r.cluster.podsOn(node) {
		if p := r.pods[translate.Key(pod)]; p != nil && p.seen != nil {
			list = append(list, p.seen)
		}
	}
	return list
}

// nodeLost forgets what the scheduler had on a node, and returns the keys of these pods.
func (r *run) nodeLost(node string) (keys []string) {
	for key, p := range r.pods {
		if p.state.Placed() && p.node == node || p.told != nil && p.told.Spec.NodeName == node {
			r.forget(p, podstate.Released)
			keys = append(keys, key)
		}
	}
	return keys
}
