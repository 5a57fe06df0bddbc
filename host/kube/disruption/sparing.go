package disruption

import corev1 "k8s.io/api/core/v1"

// The scheduler knows of each pod whether a disruption is left for it. It does not know that one set of victims may take more pods of a budget than
// there are disruptions, or that several sets do. Such a set is undone before a pod of it ends: the scheduler learns that beyond those for which
// disruptions are left, no pod of the budget is to be preempted, and chooses again. It takes them nevertheless if nothing else is enough.

// sparing has the pods that may still be preempted of budgets for which a set was undone, by namespace and budget.
type sparing map[string]map[string]map[string]bool

func (s sparing) spares(b *budget, pod *corev1.Pod) bool {
	may, is := s[pod.Namespace][b.name]
	return is && !may[key(pod)]
}

// Victim is a pod that the scheduler has chosen to preempt.
type Victim struct {
	Pod         *corev1.Pod
	Unprotected bool // it was chosen as a pod that may be preempted
}

// Check is one look at sets of victims that the scheduler has chosen, one after the other, without knowing of what the earlier ones take.
type Check struct {
	s     *Budgets
	taken map[*budget]int32
}

// Check begins a look.
func (s *Budgets) Check() *Check { return &Check{s, map[*budget]int32{}} }

// Excessive reports whether a set takes more pods of a budget than are left beside the earlier sets. Then the pods of that budget that would be
// too many are protected until Relax; otherwise, what the set takes counts as taken.
func (c *Check) Excessive(victims []Victim) (excess bool) {
	more, may := map[*budget]int32{}, map[*budget]map[string]bool{}
	for _, v := range victims {
		for _, b := range c.s.byNamespace[v.Pod.Namespace] {
			if !b.matches(v.Pod) {
				continue
			}
			if may[b] == nil {
				may[b] = map[string]bool{}
			}
			switch more[b]++; {
			case c.taken[b]+more[b] <= b.left:
				may[b][key(v.Pod)] = true
			case v.Unprotected:
				excess = true
			}
		}
	}
	for b, n := range more {
		switch {
		case !excess:
			c.taken[b] += n
		case c.taken[b]+n > b.left:
			c.s.spare(b, may[b])
		}
	}
	return excess
}

// spare protects all pods of a budget but some.
func (s *Budgets) spare(b *budget, may map[string]bool) {
	if s.sparing[b.namespace] == nil {
		s.sparing[b.namespace] = map[string]map[string]bool{}
	}
	s.sparing[b.namespace][b.name] = may
	s.recheckPods(b.namespace, []*budget{b})
}

// Relax ends the protection that undone sets have left.
func (s *Budgets) Relax() {
	for namespace := range s.sparing {
		for _, b := range s.byNamespace[namespace] {
			if s.sparing[namespace][b.name] != nil {
				s.recheckPods(namespace, []*budget{b})
			}
		}
	}
	clear(s.sparing)
}
