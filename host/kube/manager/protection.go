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

// budgetsChanged reads the budgets of namespaces again.
func (r *run) budgetsChanged(namespaces map[string]bool) {
	for namespace := range namespaces {
		r.budgets.Changed(namespace)
	}
}

// followSpent tells the budgets that a pod has ended, or begins to.
func (r *run) followSpent(was, current *corev1.Pod) {
	switch {
	case was == nil:
	case current == nil || current.UID != was.UID || r.o.Settings.StageOf(current) == translate.Gone:
		r.budgets.Ended(was)
	case was.DeletionTimestamp == nil && current.DeletionTimestamp != nil:
		r.budgets.Deleted(was)
	}
}

// classesChanged has the pods of priority classes looked at.
func (r *run) classesChanged(names map[string]bool) {
	if len(names) == 0 {
		return
	}
	for key, p := range r.pods {
		if p.told != nil && names[p.told.Spec.PriorityClassName] {
			r.unprotected[key] = true
		}
	}
}

// checkProtection has a pod looked at that has got a node: budgets protect it from now on.
func (r *run) checkProtection(pod *corev1.Pod) {
	if r.budgets.Any(pod.Namespace) {
		r.unprotected[translate.Key(pod)] = true
	}
}

// refreshProtection tells which pods ask not to be preempted, where that has changed.
func (r *run) refreshProtection() {
	for _, key := range slices.Sorted(maps.Keys(r.unprotected)) {
		p := r.pods[key]
		if p == nil || !p.state.Known() || p.told == nil {
			continue
		}
		if protected := r.protects(p); protected != p.protection.on {
			p.protection = protection{on: protected, since: soon}
			r.batch.add(core.Input{Event: &core.UpdateAsk{ID: key, Preemptable: new(!protected)}})
		}
	}
	clear(r.unprotected)
}

// protects reports whether a pod asks not to be preempted.
func (r *run) protects(p *pod) bool {
	return p.undeletable || !translate.Preemptable(p.told, r.context(p.told)) || p.state.Placed() && r.budgets.Protect(p.told)
}

// undoExcessive undoes the sets of victims that take too many pods of a budget: their pods are told again, so that the preemptions concern them no
// more. Placeholders of such a set leave nevertheless, as the scheduler has told them: it waits for that.
func (r *run) undoExcessive(decisions []*core.Decision, pods map[string]bool) {
	sets, order := map[string][]disruption.Victim{}, []string{}
	for _, d := range decisions {
		p := r.pods[d.ID]
		if d.Type != core.Preemption || d.For == "" || p == nil || p.told == nil || !p.since.knownTo(d.At) || !r.budgets.Any(p.told.Namespace) {
			continue
		}
		set := r.setOf(d)
		if sets[set] == nil {
			order = append(order, set)
		}
		sets[set] = append(sets[set], p.victim(d))
	}
	check, undone := r.budgets.Check(), map[string]bool{}
	for _, set := range order {
		if check.Excessive(sets[set]) {
			undone[set] = true
		}
	}
	if len(undone) == 0 {
		return
	}
	for _, d := range decisions {
		if p := r.pods[d.ID]; d.Type == core.Preemption && undone[r.setOf(d)] && p != nil && p.state.Known() && p.since.knownTo(d.At) {
			r.withdraw(p)
			pods[d.ID] = true
		}
	}
}

// victim is a pod as a decision has chosen it: perhaps before the scheduler knew that it is protected.
func (p *pod) victim(d *core.Decision) disruption.Victim {
	return disruption.Victim{Pod: p.told, Unprotected: !p.protection.on || !p.protection.since.knownTo(d.At)}
}

// setOf names the set of victims that a preemption belongs to: that of a pod, or of a gang that is placed as a whole.
func (r *run) setOf(d *core.Decision) string {
	p := r.pods[d.For]
	if p == nil || p.told == nil {
		return d.For
	}
	if group := translate.PodGroupKey(p.told); group != "" {
		return "group " + group
	}
	if a := r.apps[p.app]; a != nil && a.gang != nil && a.gang.Atomic {
		return "gang " + a.id
	}
	return d.For
}
