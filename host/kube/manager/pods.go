package manager

import (
	"math"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/kube/nodefit"
	"github.com/quern-project/quern/host/kube/translate"
)

// pod is what the scheduler was told of a pod, and what is under way for it.
type pod struct {
	told      *corev1.Pod // the version; nil: of none
	seen      *corev1.Pod // the version that was looked at last; nil: none
	known     translate.Known
	app       string        // that it belongs to; empty: it neither waits nor runs
	since     time.Duration // when its ask came; math.MaxInt64: it is about to
	selectors []*nodefit.Selector
	plugins   []string
	predicate string // of the ask

	binding     uint64        // counts its bindings: the outcome of an earlier one is of no interest
	unbind      func()        // ends the preparation of its binding; nil: there is none
	failures    int           // of bindings, one after the other
	notBefore   time.Time     // before which it does not ask
	protected   bool          // the ask or allocation asks not to be preempted
	knownSince  time.Duration // when the scheduler was told that; math.MaxInt64: it is about to be
	undeletable bool          // the API server has denied to have it end
	evicted     *eviction     // that is under way; nil: none
	leaves      bool          // the scheduler was told that the pod is deleted
	endsBy      time.Time     // until when it is awaited, if it is deleted
	stays       bool          // it is deleted and has not ended by then: the scheduler has it no more, and its room is still in use
	done        bool          // it has succeeded
	condemned   string        // why it is to fail, as a sentence; empty: it is not
	failing     bool          // that is under way, or done
	doubted     bool          // the scheduler may have an ask of its name that is not known here

	asked   time.Time // when, for its conditions
	held    string    // why it does not ask, as a sentence; empty: it may
	refused string    // why its last ask was refused, as a sentence
	shown   string    // the kind of what its conditions say
	said    time.Time // when that was written
	letIn   []share   // of the headroom, while its conditions say that it waits for nodes
}

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
		if looked[key] || p.told == nil || !p.known.Asked || p.known.Node != "" {
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
		if p.predicate != "" && p.known.Node == "" && !looked[key] {
			list = append(list, key)
		}
	}
	slices.Sort(list)
	return list
}

// see notes the present version of a pod and what it belongs to, and tells the filters of it. A pod that waits repels others as if it were
// placed: it may be before they are.
func (r *run) see(key string) {
	p, current := r.pods[key], r.cluster.pod(key)
	if p == nil && current == nil {
		return
	}
	if p == nil {
		p = &pod{}
		r.pods[key] = p
	}
	r.followEnd(key, p, current)
	r.join(key, p, current)
	if r.o.Filters != nil && (p.seen != nil || current != nil) {
		r.o.Filters.Pod(p.seen, current)
	}
	r.followSpent(p.seen, current)
	if was := p.seen; was != nil && current != nil && was.UID != current.UID { // created again: nothing of the pod before holds
		p.notBefore, p.failures, p.shown, p.undeletable, p.refused = time.Time{}, 0, "", false, ""
		p.condemned, p.failing = "", false
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
	current := p.seen
	r.tell(key, p, r.shownTo(key, p, current))
	r.ending(key, p)
	if current == nil {
		delete(r.pods, key)
	}
}

// shownTo is the version of a pod that the scheduler is told of; nil: it has to be without the pod for now.
func (r *run) shownTo(key string, p *pod, current *corev1.Pod) *corev1.Pod {
	p.held = ""
	if p.stays {
		return nil
	}
	switch r.o.Settings.StageOf(current) {
	case translate.Placed, translate.Foreign:
		if r.nodes[current.Spec.NodeName] == nil {
			return nil // looked at again when the node comes
		}
		if !p.known.Asked && p.refused != "" && r.later(key, p) {
			return nil // the pause after a binding is none: the pod has been bound after all
		}
	case translate.Waiting:
		if p.known.Asked && p.known.Node != "" {
			return current // its binding is under way
		}
		if p.condemned != "" {
			r.fail(key, p, current)
			p.held = p.condemned
		} else if r.later(key, p) {
			p.held = p.refused
		} else if p.held = r.whyHeld(p, current); p.held == "" {
			return current
		}
		if current.Status.NominatedNodeName != "" { // nothing is kept for it
			r.nominated(key, current, "")
		}
		if p.held != "" {
			r.notes.fresh = append(r.notes.fresh, key)
		}
		return nil
	}
	return current
}

// later reports whether a pod has to wait before it asks again, and has it looked at then.
func (r *run) later(key string, p *pod) bool {
	wait := time.Until(p.notBefore)
	if wait > 0 {
		r.inbox.podLater(key, wait)
	}
	return wait > 0
}

// whyHeld says in a sentence why a pod does not ask; empty: it does.
func (r *run) whyHeld(p *pod, current *corev1.Pod) string {
	if a := r.apps[p.app]; a != nil && a.refused != "" {
		return a.refused
	}
	c := r.context(current)
	if group := translate.PodGroupKey(current); group != "" && r.cluster.groups == nil {
		return r.unserved(current, group)
	} else if group != "" && c.PodGroup == nil {
		return "The pod waits for its pod group " + group + ", which is not there."
	}
	if r.o.Filters != nil {
		return ""
	}
	if plugins := nodefit.Plugins(current, &c.Cluster); len(plugins) > 0 {
		return "The pod is not scheduled, because its nodes have to be asked about by scheduler plugins that this scheduler runs without: " +
			strings.Join(plugins, ", ") + "."
	}
	return ""
}

// tell tells the scheduler what has changed between two versions of a pod.
func (r *run) tell(key string, p *pod, current *corev1.Pod) {
	of := current
	if of == nil {
		of = p.told
	}
	if p.doubted {
		p.doubted = false
		r.withdraw(key, p)
		p.told = nil
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
	p.known.App = a != nil && a.live
	e := r.o.Settings.Change(p.told, current, p.known, c)
	r.report(of, e.Problems)
	for i := range e.Inputs {
		r.tellInput(key, p, a, of, &e, &e.Inputs[i])
	}
	r.occupancyChanged(e.Occupied)
	p.told = current
}

// replug has the ask of a pod judged by the plugins that it needs now, or as the pod that it has become. The ask keeps its place. A predicate
// that it needs no more lets it in, too.
func (r *run) replug(key string, p *pod, current *corev1.Pod, c *translate.Context) {
	if current == nil || p.told == nil || p.told.UID != current.UID || !p.known.Asked || p.known.Node != "" || r.o.Settings.StageOf(current) != translate.Waiting {
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
		a.live, a.since = true, math.MaxInt64
		r.batch.add(*in)
		r.placehold(a, of)
	case *core.RemoveAsk, *core.ReleaseAllocation:
		r.withdraw(key, p)
	case *core.AddAsk:
		r.asks(p, a, event, e.Ask)
		if len(p.plugins) > 0 {
			event.Predicate = r.o.Filters.Name(of)
			p.predicate = event.Predicate
		}
		r.notes.fresh = append(r.notes.fresh, key)
		if of.Status.NominatedNodeName != "" { // by a leader before: nothing is kept for an ask that has just come
			r.nominated(key, of, "")
		}
		r.batch.add(*in)
	case *core.RestoreAllocation:
		r.asks(p, a, &event.AddAsk, e.Ask)
		p.known.Node = event.PlacedOn
		r.checkProtection(of)
		r.batch.add(*in)
	case *core.UpdateAsk:
		p.known.Resources = event.Resources
		r.batch.add(*in)
	default:
	}
}

// asks notes what the scheduler has once a pod asks, or is told as an allocation.
func (r *run) asks(p *pod, a *app, in *core.AddAsk, ask *translate.Ask) {
	in.App = a.id // which labels may not name any more, once there is an allocation
	p.selectors, p.plugins = ask.Selectors, ask.Plugins
	r.use(p.selectors)
	p.known.Asked, p.known.Resources, p.known.Node = true, in.Resources, ""
	p.protected, p.knownSince = in.NotPreemptable, 0
	p.since, p.asked, p.refused = math.MaxInt64, time.Now(), ""
}

// withdraw ends what the scheduler has of a pod. An ask may have been allocated meanwhile: one of the two inputs has no effect then.
func (r *run) withdraw(key string, p *pod) {
	if p.known.Node == "" {
		r.batch.rest = append(r.batch.rest, core.Input{Event: &core.RemoveAsk{ID: key}})
	}
	r.batch.rest = append(r.batch.rest, core.Input{Event: &core.ReleaseAllocation{ID: key, Failed: !p.done}})
	r.forget(p)
}

// forget notes that the scheduler has nothing of a pod any more.
func (r *run) forget(p *pod) {
	r.unuse(p.selectors)
	if r.o.Filters != nil && len(p.plugins) > 0 {
		r.o.Filters.Forget(p.told)
	}
	p.known, p.told, p.selectors, p.plugins, p.predicate = translate.Known{App: p.known.App}, nil, nil, nil, ""
	if p.leaves {
		r.leaving--
	}
	p.evicted, p.leaves = nil, false
	r.letInNoMore(p)
	p.binding++ // what is under way is of no interest any more
	if p.unbind != nil {
		p.unbind()
		p.unbind = nil
	}
}
