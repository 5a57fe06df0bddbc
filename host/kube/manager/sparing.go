package manager

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/kube/translate"
)

// The scheduler knows of each pod whether a disruption is left for it, and not that one set of victims may take more pods of a budget than there
// are disruptions, or that several sets do. Such a set is undone before a pod of it ends: the scheduler is told that beyond those of the set for
// which disruptions are left, no pod of the budget is to be preempted, and chooses again. It takes them nevertheless where nothing else is enough.

// sparing has the pods that may still be preempted of budgets that a set was undone for, by namespace and budget. It holds until the next sweep.
type sparing map[string]map[string]map[string]bool

func (s sparing) spares(b *budget, pod *corev1.Pod, key string) bool {
	may, is := s[pod.Namespace][b.name]
	return is && !may[key]
}

// undoExcessive undoes the sets of victims that take too many pods of a budget: their pods are told again, so that the preemptions concern them no
// more. Placeholders of such a set leave nevertheless, as the scheduler has told them: it waits for that.
func (r *run) undoExcessive(decisions []*core.Decision, pods map[string]bool) {
	sets, order := map[string][]*core.Decision{}, []string{}
	for _, d := range decisions {
		p := r.pods[d.ID]
		if d.Type != core.Preemption || d.For == "" || p == nil || p.told == nil || !p.since.knownTo(d.At) || len(r.budgets[p.told.Namespace]) == 0 {
			continue
		}
		set := r.setOf(d)
		if sets[set] == nil {
			order = append(order, set)
		}
		sets[set] = append(sets[set], d)
	}
	taken, undone := map[*budget]int32{}, map[string]bool{}
	for _, set := range order {
		if r.excessive(sets[set], taken) {
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

// excessive reports whether a set takes more of a budget than is left, beside what was taken before, which the scheduler did not know. What it
// takes counts as taken otherwise.
func (r *run) excessive(victims []*core.Decision, taken map[*budget]int32) (excess bool) {
	more, may := map[*budget]int32{}, map[*budget]map[string]bool{}
	for _, d := range victims {
		key, p := d.ID, r.pods[d.ID]
		for _, b := range r.budgets[p.told.Namespace] {
			if !b.matches(p.told) {
				continue
			}
			if may[b] == nil {
				may[b] = map[string]bool{}
			}
			switch more[b]++; {
			case taken[b]+more[b] <= b.left:
				may[b][key] = true
			case !p.protection.on || !p.protection.since.knownTo(d.At): // it was chosen as one that may be preempted
				excess = true
			}
		}
	}
	for b, n := range more {
		switch {
		case !excess:
			taken[b] += n
		case taken[b]+n > b.left:
			r.spare(b, may[b])
		}
	}
	return excess
}

// spare has no pods of a budget be preempted but some.
func (r *run) spare(b *budget, may map[string]bool) {
	if r.sparing[b.namespace] == nil {
		r.sparing[b.namespace] = map[string]map[string]bool{}
	}
	r.sparing[b.namespace][b.name] = may
	r.budgetsTurned(b.namespace, []*budget{b})
}

// spareNoMore ends what undone sets have left.
func (r *run) spareNoMore() {
	for namespace := range r.sparing {
		for _, b := range r.budgets[namespace] {
			if r.sparing[namespace][b.name] != nil {
				r.budgetsTurned(namespace, []*budget{b})
			}
		}
	}
	clear(r.sparing)
}
