package victim

import (
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/state/queues"
)

// victimsLane marks a guard that bounds the number of victims of a queue, whatever they use: its budget.
const victimsLane = -1

// takes returns how much of the slack one victim uses.
func (g *guard) takes(c class.Class) int64 {
	if g.lane == victimsLane {
		return 1
	}
	return c.Demand().At(g.lane)
}

// guardBudget makes a guard of the budget of a queue, if it has one.
func (p *problem) guardBudget(q queues.ID) (g int32, has bool) {
	if p.Queues.Conf(q).Budget.Victims == 0 {
		return 0, false
	}
	return p.guard(q, victimsLane, p.BudgetLeft(q)), true
}

// barOfGuards says which guards forbid a victim of a leaf and a class: of a guarantee or, if none of these does, of a budget.
func (p *problem) barOfGuards(leaf int32, c class.Class) Bar {
	for _, i := range p.refsOf(leaf) {
		if g := &p.guards[i]; g.lane != victimsLane && g.takes(c) > max(g.slack, 0) {
			return Guaranteed
		}
	}
	return OverBudget
}

// barOfGang says which guards forbid that all members of a gang leave.
func (p *problem) barOfGang(members []victim) Bar {
	bar := OverBudget
	for _, i := range p.refsOf(members[0].leaf) {
		g := &p.guards[i]
		switch taken := p.takenFromGuard(i, members); {
		case g.lane == victimsLane:
			if taken > p.Queues.Conf(g.queue).Budget.Victims {
				bar = GangOverBudget
			}
		case taken > 0 && taken > g.slack:
			return GangGuaranteed
		}
	}
	return bar
}
