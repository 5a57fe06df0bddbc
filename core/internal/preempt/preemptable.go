package preempt

import (
	"github.com/quern-project/quern/core/internal/class"
)

// preemptable reports whether a problem lets an allocation be a victim by its leaf, its priority (law 6) and its application
// (law 3). Guards are for the whole set.
func (p *problem) preemptable(v *victim) bool {
	return int64(v.prio) <= p.leaves[v.leaf].limit && (int(v.leaf) != p.Leaf.ID || v.ask.App != p.Ask.App)
}

// guardBinds reports whether a guard forbids even one victim of a leaf and a class.
func (p *problem) guardBinds(leaf int32, c *class.Class) bool {
	if !p.leaves[leaf].tight {
		return false
	}
	for _, i := range p.refsOf(leaf) {
		if g := &p.guards[i]; c.Demand[g.lane] > max(g.slack, 0) {
			return true
		}
	}
	return false
}

// refsOf lists the guards that count for the allocations of a leaf.
func (p *problem) refsOf(leaf int32) []int32 {
	t := &p.leaves[leaf]
	return p.refs[t.from:t.to]
}
