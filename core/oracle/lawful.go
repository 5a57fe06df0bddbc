package oracle

import (
	"slices"

	"github.com/quern-project/quern/core/resource"
)

// isLawful checks the laws about whole sets of victims. They do not apply to asks with a required node.
func (s *search) isLawful(victims []*victim) bool {
	return s.ask.details.Node != "" || s.keepsGuarantees(victims) && s.exchangeIsLawful(victims) && s.keepsBudgets(victims)
}

// keepsGuarantees implements laws 2 and 5: once all victims have left, each queue of a victim's chain still uses its guarantee, for the types
// that the victim uses. Claims do not count as used here.
func (s *search) keepsGuarantees(victims []*victim) bool {
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

// exchangeIsLawful implements law 11: from the queue where ask and victims meet upwards, replacing the victims by the ask takes no queue
// below its guarantee, and lowers no queue that is below it already.
func (s *search) exchangeIsLawful(victims []*victim) bool {
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
