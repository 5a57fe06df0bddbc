package oracle

import (
	"slices"
	"time"
)

// A budget bounds the victims of a queue: a victim counts from the instant of its choice until just before it is as old as the budget is long.

// spend counts victims in their queue and all above it.
func (p *partition) spend(victims []*ask) {
	for _, v := range victims {
		for _, q := range v.app.queue.chain() {
			if q.settings.Budget.Victims > 0 {
				q.victims = append(q.victims, p.now)
			}
		}
	}
}

// forgetVictims forgets the victims that no longer count.
func (p *partition) forgetVictims() {
	for _, q := range p.root.subtree() {
		budget := q.settings.Budget
		q.victims = slices.DeleteFunc(q.victims, func(at time.Duration) bool {
			return budget.Victims == 0 || budget.Within.After(at) <= p.now
		})
	}
}

// keepsBudgets reports whether a set of victims stays within the budget of each queue.
func (s *search) keepsBudgets(victims []*victim) bool {
	for _, q := range s.root.subtree() {
		count := int64(0)
		for _, v := range victims {
			if q.holds(v.app.queue) {
				count++
			}
		}
		if most := q.settings.Budget.Victims; most > 0 && count > 0 && int64(len(q.victims))+count > most {
			return false
		}
	}
	return true
}
