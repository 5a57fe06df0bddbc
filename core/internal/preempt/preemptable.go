package preempt

import (
	"github.com/quern-project/quern/core/internal/class"
)

// preemptable reports whether an allocation may be a victim as far as it alone is concerned: its leaf, its priority, its
// application. Guards are for the whole set.
func (p *problem) preemptable(r *victim) bool {
	return int64(r.prio) <= p.leaves[r.leaf].limit && (int(r.leaf) != p.Leaf.ID || r.ask.App != p.Ask.App)
}

// guardBinds reports whether a guard would not even let one allocation go, of a leaf and a class.
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

// refsOf lists the guards that allocations of a leaf count against.
func (p *problem) refsOf(leaf int32) []int32 {
	t := &p.leaves[leaf]
	return p.refs[t.from:t.to]
}
