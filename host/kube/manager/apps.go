package manager

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/kube/podstate"
	"github.com/quern-project/quern/host/kube/translate"
)

// app is an application as it was submitted, and the pods that belong to it.
type app struct {
	id       string
	state    appState
	since    since
	first    string // the pod that it began with
	gang     *translate.Gang
	inGroups map[string]int    // by PodGroup: how many pods are made at once, as far as that is bounded
	why      string            // while it is refused or fails: why its pods do not ask, as a sentence
	pods     map[string]string // those that wait or run, with their task groups
}

// fire changes the state after an event, and returns the state before it.
func (a *app) fire(e appEvent) (before appState) {
	before, a.state = a.state, a.state.after(e)
	return before
}

// apps are the applications that have pods, or that the scheduler has.
type apps struct {
	view         *clusterView
	pods         *pods
	placeholders *placeholders
	batch        *batch
	events       *events
	inbox        *inbox

	byID   map[string]*app
	empty  []*app                // applications that have lost their last pod
	before map[string]doneBefore // pods that had succeeded when the run began; dropped once the scheduler before would have dropped them
}

func newApps(view *clusterView, pods *pods, placeholders *placeholders, events *events, inbox *inbox) *apps {
	return &apps{view: view, pods: pods, placeholders: placeholders, batch: pods.batch, events: events, inbox: inbox, byID: map[string]*app{}}
}

// of returns the application of a pod; nil: the pod belongs to none.
func (s *apps) of(p *pod) *app { return s.byID[p.app] }

// join puts a pod into its application, or takes it out.
func (s *apps) join(p *pod, current *corev1.Pod) {
	stage := s.view.stageOf(current)
	if stage != translate.Waiting && stage != translate.Placed || p.deletion.stays {
		s.part(p)
		return
	}
	id, bad := translate.AppID(current, s.view.context(current))
	same := changeOf(p.submitted, current) == kept
	if p.app == id || same && p.state.Placed() { // an allocation stays where it was made
		return
	}
	s.events.report(current, bad)
	if same && p.state.Known() {
		s.pods.withdraw(p)
	}
	s.part(p)
	a := s.byID[id]
	if a == nil {
		a = &app{id: id, pods: map[string]string{}}
		s.byID[id] = a
	}
	p.app, a.pods[p.key] = id, translate.TaskGroup(current)
}

// part takes a pod out of its application.
func (s *apps) part(p *pod) {
	a := s.of(p)
	p.app = ""
	if a == nil {
		return
	}
	if delete(a.pods, p.key); len(a.pods) == 0 {
		s.empty = append(s.empty, a)
	}
}

// dropEmpty forgets applications that have no pods any more. One whose placeholders would hold room until their time is over is removed.
func (s *apps) dropEmpty() {
	for _, a := range s.empty {
		if len(a.pods) > 0 || s.byID[a.id] != a {
			continue
		}
		if a.state.known() && s.placeholders.drop(a.id) {
			s.batch.add(core.Input{Event: &core.RemoveApp{ID: a.id}})
			a.fire(appEnded)
		}
		if !a.state.known() {
			delete(s.byID, a.id)
		}
	}
	s.empty = nil
}

// declare says in the context of a pod what its application is: the pod begins it, or it has begun.
func (s *apps) declare(a *app, key string, of *corev1.Pod, c *translate.Context) {
	if s.view.stageOf(of) != translate.Gone && (!a.state.known() || translate.GangID(of) != "" && !s.asked(a)) {
		if !a.state.known() {
			a.first = key
		}
		s.beginGangs(a, of, c)
	}
	c.Starts, c.Gang, c.InGroup = a.first == key, a.gang, a.inGroups[translate.PodGroupKey(of)]
}

// submit adds an application that begins with a pod, and asks for its placeholders. Pods that run have their room already.
func (s *apps) submit(a *app, of *corev1.Pod, in *core.AddApp) {
	in.ID = a.id
	if a.fire(appSubmitted) == appRefused { // for a pod that runs: those that wait need not wait until it is readmitted
		for key := range a.pods {
			s.inbox.pod(key)
		}
	}
	a.since = soon
	s.batch.add(core.Input{Event: in})
	placed := map[string]int{}
	for key, group := range a.pods {
		if pod := s.view.Pod(key); pod != nil && pod.Spec.NodeName != "" {
			placed[group]++
		}
	}
	for _, ask := range a.gang.Placeholders(a.id, of, s.view.context(of)) {
		if group := ask.TaskGroup; placed[group] > 0 {
			placed[group]--
			continue
		}
		s.placeholders.ask(a.id, &ask)
	}
}

// asking returns the pods of an application that have asked, and wait as far as is known.
func (s *apps) asking(a *app) map[string]*pod {
	list := map[string]*pod{}
	for key := range a.pods {
		if p := s.pods.at(key); p != nil && p.state == podstate.Asking {
			list[key] = p
		}
	}
	return list
}

// asked reports whether the scheduler has a pod of an application.
func (s *apps) asked(a *app) bool {
	for key := range a.pods {
		if p := s.pods.at(key); p != nil && p.state.Known() {
			return true
		}
	}
	return false
}
