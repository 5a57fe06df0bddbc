package manager

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/kube/disruption"
	"github.com/quern-project/quern/host/kube/translate"
)

// Pods without a disruption left, and those whose priority class or annotations say so, ask not to be preempted.

// protections submits which pods must not be preempted.
type protections struct {
	view    *clusterView
	pods    *pods
	apps    *apps
	budgets *disruption.Budgets
	batch   *batch
	stale   map[string]bool // pods whose protection must be checked again
}

func newProtections(view *clusterView, pods *pods, apps *apps, batch *batch) *protections {
	s := &protections{view: view, pods: pods, apps: apps, batch: batch, stale: map[string]bool{}}
	s.budgets = disruption.New(view, s.recheck)
	return s
}

// recheck marks a pod, so that refresh checks its protection.
func (s *protections) recheck(key string) { s.stale[key] = true }

// budgetsChanged reads the budgets of namespaces again.
func (s *protections) budgetsChanged(namespaces map[string]bool) {
	for namespace := range namespaces {
		s.budgets.Changed(namespace)
	}
}

// observe counts a pod that has ended, or begins to, in its disruption budgets.
func (s *protections) observe(was, current *corev1.Pod) {
	switch c := changeOf(was, current); {
	case c == absent || c == created:
	case c != kept || s.view.stageOf(current) == translate.Gone:
		s.budgets.Ended(was)
	case was.DeletionTimestamp == nil && current.DeletionTimestamp != nil:
		s.budgets.Deleted(was)
	}
}

// classesChanged marks the pods of priority classes.
func (s *protections) classesChanged(names map[string]bool) {
	if len(names) == 0 {
		return
	}
	for key, p := range s.pods.byKey {
		if p.state.Known() && names[p.submitted.Spec.PriorityClassName] {
			s.recheck(key)
		}
	}
}

// check marks a pod that was placed: budgets protect it from now on.
func (s *protections) check(pod *corev1.Pod) {
	if s.budgets.Any(pod.Namespace) {
		s.recheck(translate.Key(pod))
	}
}

// refresh submits for which pods the protection from preemption has changed.
func (s *protections) refresh() {
	for _, key := range slices.Sorted(maps.Keys(s.stale)) {
		p := s.pods.at(key)
		if p == nil || !p.state.Known() {
			continue
		}
		if protected := s.protects(p); protected != p.demand.protection.on {
			p.demand.protection = protection{on: protected, since: soon}
			s.batch.add(core.Input{Event: &core.UpdateAsk{ID: key, Preemptable: new(!protected)}})
		}
	}
	clear(s.stale)
}

// relax ends the protection that undone sets of victims have left.
func (s *protections) relax() {
	s.budgets.Relax()
	s.refresh()
}

// protects reports whether a pod asks not to be preempted.
func (s *protections) protects(p *pod) bool {
	return p.eviction.denied || !translate.Preemptable(p.submitted, s.view.context(p.submitted)) || p.state.Placed() && s.budgets.Protect(p.submitted)
}

// undoExcessive undoes preemptions whose victims would violate a disruption budget, by submitting the pods again. Placeholders among the victims leave
// nevertheless, because the scheduler waits for their release.
func (s *protections) undoExcessive(decisions []*core.Decision, looked map[string]bool) {
	sets, order := map[string][]disruption.Victim{}, []string{}
	for _, d := range decisions {
		p := s.pods.at(d.ID)
		if d.Type != core.Preemption || d.For == "" || p == nil || !p.state.Known() || !p.demand.since.knownTo(d.At) || !s.budgets.Any(p.submitted.Namespace) {
			continue
		}
		set := s.setOf(d)
		if sets[set] == nil {
			order = append(order, set)
		}
		sets[set] = append(sets[set], p.victim(d))
	}
	check, undone := s.budgets.Check(), map[string]bool{}
	for _, set := range order {
		if check.Excessive(sets[set]) {
			undone[set] = true
		}
	}
	if len(undone) == 0 {
		return
	}
	for _, d := range decisions {
		if p := s.pods.at(d.ID); d.Type == core.Preemption && undone[s.setOf(d)] && p != nil && p.state.Known() && p.demand.since.knownTo(d.At) {
			s.pods.withdraw(p)
			looked[d.ID] = true
		}
	}
}

// victim is a pod as a decision has chosen it: perhaps before the scheduler knew that it is protected.
func (p *pod) victim(d *core.Decision) disruption.Victim {
	return disruption.Victim{Pod: p.submitted, Unprotected: !p.demand.protection.on || !p.demand.protection.since.knownTo(d.At)}
}

// setOf names the set of victims that a preemption belongs to: that of a pod, or of a gang that is placed as a whole.
func (s *protections) setOf(d *core.Decision) string {
	p := s.pods.at(d.For)
	if p == nil || !p.state.Known() {
		return d.For
	}
	if group := translate.PodGroupKey(p.submitted); group != "" {
		return "group " + group
	}
	if a := s.apps.of(p); a != nil && a.gang != nil && a.gang.Atomic {
		return "gang " + a.id
	}
	return d.For
}
