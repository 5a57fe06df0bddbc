package oracle

import (
	"slices"

	"github.com/quern-project/quern/core/resource"
)

// isLawful judges the victims as a whole. With a required node no queue has a say.
func (s *search) isLawful(victims []*victim) bool {
	return s.ask.details.Node != "" || s.leavesGuaranteed(victims) && s.exchanges(victims)
}

// leavesGuaranteed is laws 2 and 5: each queue of a victim's chain keeps what it guarantees, in the types that the
// victim uses, after all victims have left. Claims do not count as used here.
func (s *search) leavesGuaranteed(victims []*victim) bool {
	for _, v := range victims {
		for _, q := range v.chain {
			for _, use := range v.resources {
				promise := valueOf(q.settings.Guaranteed, use.Type)
				stands := s.queues[q]
				left := resource.Sub(resource.Sub(stands.used[use.Type], stands.leaving[use.Type]), taken(q, use.Type, victims))
				if use.Value > 0 && promise > 0 && left < promise {
					return false
				}
			}
		}
	}
	return true
}

// exchanges reports whether, where ask and victims meet and above, no queue falls below its guaranteed by the
// exchange, or further below it.
func (s *search) exchanges(victims []*victim) bool {
	lowest := slices.IndexFunc(s.way, func(q *queue) bool {
		return slices.ContainsFunc(victims, func(v *victim) bool { return v.common == q })
	})
	for _, q := range s.way[lowest:] {
		for _, promise := range q.settings.Guaranteed {
			after := resource.Add(s.laterWithout(q, promise.Type, victims), valueOf(s.ask.resources, promise.Type))
			if promise.Value > 0 && after < min(s.queues[q].later[promise.Type], promise.Value) {
				return false
			}
		}
	}
	return true
}
