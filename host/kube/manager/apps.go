package manager

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/kube/nodefit"
	"github.com/quern-project/quern/host/kube/podstate"
	"github.com/quern-project/quern/host/kube/translate"
)

// app is what the scheduler was told of an application, and the pods that belong to it.
type app struct {
	id       string
	live     bool // the scheduler has it
	since    since
	first    string // the pod that it began with
	gang     *translate.Gang
	inGroups map[string]int    // by PodGroup: how many pods are made at once, as far as that is bounded
	refused  string            // why its pods do not ask, as a sentence; empty: they do
	failed   bool              // until it has ended
	pods     map[string]string // those that wait or run, with their task groups
}

// placeholder is one that the scheduler has.
type placeholder struct {
	app   string
	since since
	like  *corev1.Pod // that plugins judge; nil: they are not asked

	selectors []*nodefit.Selector
}

// join puts a pod into its application, or takes it out.
func (r *run) join(key string, p *pod, current *corev1.Pod) {
	stage := r.o.Settings.StageOf(current)
	if stage != translate.Waiting && stage != translate.Placed || p.stays {
		r.part(key, p)
		return
	}
	id, bad := translate.AppID(current, r.context(current))
	same := p.told != nil && p.told.UID == current.UID
	if p.app == id || same && p.state.Placed() { // an allocation stays where it was made
		return
	}
	r.events.report(current, bad)
	if same && p.state.Known() {
		r.withdraw(p)
	}
	r.part(key, p)
	a := r.apps[id]
	if a == nil {
		a = &app{id: id, pods: map[string]string{}}
		r.apps[id] = a
	}
	p.app, a.pods[key] = id, translate.TaskGroup(current)
}

// part takes a pod out of its application.
func (r *run) part(key string, p *pod) {
	a := r.apps[p.app]
	p.app = ""
	if a == nil {
		return
	}
	if delete(a.pods, key); len(a.pods) == 0 {
		r.empty = append(r.empty, a)
	}
}

// dropEmpty forgets applications that have no pods any more. One whose placeholders would hold room until their time is over is removed.
func (r *run) dropEmpty() {
	for _, a := range r.empty {
		if len(a.pods) > 0 || r.apps[a.id] != a {
			continue
		}
		if a.live && r.dropPlaceholders(a) {
			r.batch.add(core.Input{Event: &core.RemoveApp{ID: a.id}})
			a.live = false
		}
		if !a.live {
			delete(r.apps, a.id)
		}
	}
	r.empty = nil
}

// dropPlaceholders forgets the placeholders of an application, and reports whether there were any.
func (r *run) dropPlaceholders(a *app) (any bool) {
	for id, h := range r.placeholders {
		if h.app == a.id {
			r.dropPlaceholder(id, h)
			any = true
		}
	}
	return any
}

func (r *run) dropPlaceholder(id string, h *placeholder) {
	delete(r.placeholders, id)
	r.nodes.unuse(h.selectors)
	if h.like != nil {
		r.o.Filters.Forget(h.like)
	}
}

// declare says in the context of a pod what its application is: the pod begins it, or it has begun.
func (r *run) declare(a *app, key string, of *corev1.Pod, c *translate.Context) {
	if r.o.Settings.StageOf(of) != translate.Gone && (!a.live || translate.GangID(of) != "" && !r.asked(a)) {
		if !a.live {
			a.first = key
		}
		r.beginGangs(a, of, c)
	}
	c.Starts, c.Gang, c.InGroup = a.first == key, a.gang, a.inGroups[translate.PodGroupKey(of)]
}

// placehold asks for the placeholders of an application that begins. Pods that run have their room already.
func (r *run) placehold(a *app, of *corev1.Pod) {
	placed := map[string]int{}
	for key, group := range a.pods {
		if pod := r.cluster.Pod(key); pod != nil && pod.Spec.NodeName != "" {
			placed[group]++
		}
	}
	for _, ask := range a.gang.Placeholders(a.id, of, r.context(of)) {
		if group := ask.TaskGroup; placed[group] > 0 {
			placed[group]--
			continue
		}
		r.nodes.use(ask.Selectors)
		h := &placeholder{app: a.id, since: soon, selectors: ask.Selectors}
		if r.o.Filters != nil && len(ask.Plugins) > 0 {
			h.like = ask.Like
			ask.Predicate = r.o.Filters.Name(h.like)
		}
		r.placeholders[ask.ID] = h
		r.batch.add(ask.Input())
	}
}

// appRetry is how long the pods of a rejected application wait until it is submitted again: queues may have changed by then.
const appRetry = 30 * time.Second

// appRefused has the pods of an application not ask. They do again after a time, if it is not 0.
func (r *run) appRefused(a *app, why string, again time.Duration) {
	a.live, a.refused = false, why
	if len(a.pods) == 0 {
		delete(r.apps, a.id)
		return
	}
	for key, p := range r.podsOf(a) {
		r.forget(p, podstate.Released)
		r.inbox.pod(key)
	}
	if again > 0 {
		time.AfterFunc(again, func() { r.inbox.put(func(m *mail) { m.apps[a.id] = true }) })
	}
}

// readmit submits applications again that were refused, if they still are there.
func (r *run) readmit(ids, pods map[string]bool) {
	for id := range ids {
		if a := r.apps[id]; a != nil && a.refused != "" && !a.failed {
			a.refused = ""
			for key := range a.pods {
				pods[key] = true
			}
		}
	}
}

// podsOf returns the pods of an application that have asked, and wait as far as is known.
func (r *run) podsOf(a *app) map[string]*pod {
	list := map[string]*pod{}
	for key := range a.pods {
		if p := r.pods[key]; p != nil && p.state == podstate.Asking {
			list[key] = p
		}
	}
	return list
}

// appState follows the state of an application.
func (r *run) appState(d *core.Decision, pods map[string]bool) {
	a := r.apps[d.ID]
	if a == nil || !a.since.knownTo(d.At) {
		return
	}
	switch d.To {
	case core.StateFailing:
		const why = "The application has failed: its gang was not formed in time."
		for _, p := range r.podsOf(a) {
			r.withdraw(p)
		}
		for key := range a.pods {
			r.condemn(r.pods[key], why)
			pods[key] = true
		}
		a.refused, a.failed = why, true
	case core.StateCompleted, core.StateFailed:
		a.live = false
		if a.failed { // pods that come later begin a new gang
			a.refused, a.failed = "", false
			for key := range a.pods {
				pods[key] = true
			}
		}
		for key, p := range r.podsOf(a) {
			if p.since.before(d.At) {
				r.forget(p, podstate.Released)
				pods[key] = true
			}
		}
		if len(a.pods) == 0 {
			delete(r.apps, a.id)
		}
	}
}

// endings are the states in which the scheduler has forgotten an application.
var endings = []string{core.StateCompleted, core.StateFailed, core.StateRejected, core.StateExpired}

func ended(state string) bool { return slices.Contains(endings, state) }
