package victim

import (
	"math"
	"slices"

	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/state/nodes"
	"github.com/quern-project/quern/core/resource"
)

// shortfall is the amount of a resource type that victims have to free, on the node or below a max.
type shortfall struct {
	lane   int
	meets  int32 // only victims that meet the ask at this index of its path or below help
	amount int64
}

// anywhere marks a shortfall of the node itself, for which every victim helps.
const anywhere = math.MaxInt32

// needs are all shortfalls of one node: those of its room, and those below each max that the ask would exceed.
type needs struct {
	list    []shortfall
	largest []int64 // by shortfall: the most that one victim frees
	freed   []int64 // by shortfall: the sum over all victims counted so far

	// The last result of measure, reused for nodes with equal room in the same call of Find.
	call     uint32
	room     []int64
	maxBinds bool
}

// measure computes the shortfalls of a node. maxBinds reports whether a max requires more victims than the node's room does.
// holds is false if the ask would not fit the empty node; the shortfall may have overflowed then.
func (n *needs) measure(p *problem, s *nodeView, nodes nodes.View, call uint32) (maxBinds, holds bool) {
	if n.call == call && slices.Equal(n.room, s.room) {
		return n.maxBinds, true
	}
	n.list, n.call = n.list[:0], 0
	exact := true
	for need := range p.Ask.Class().PlainNeeds().All {
		missing := resource.Sub(need.Min, s.room[need.Lane])
		if missing <= 0 {
			continue
		}
		if missing == resource.Most { // saturated: the true value may be larger
			if exact = false; !nodes.FitsEmpty(s.node, p.Ask.Class()) {
				return false, false
			}
		}
		n.list = append(n.list, shortfall{need.Lane, anywhere, missing})
	}
	inRoom := len(n.list)
	for _, over := range p.overMax {
		// Every victim is below root, so a shortfall below root's max is covered by an equal one of the node.
		if int(over.meets) < len(p.path)-1 || !n.covers(inRoom, over.lane, over.amount) {
			n.list = append(n.list, over)
			maxBinds = true
		}
	}
	if exact {
		n.call, n.room, n.maxBinds = call, append(n.room[:0], s.room...), maxBinds
	}
	return maxBinds, true
}

// covers reports whether the first shortfalls in the list already include so much of a type.
func (n *needs) covers(first, lane int, amount int64) bool {
	for i := range n.list[:first] {
		if l := &n.list[i]; l.lane == lane {
			return l.amount >= amount
		}
	}
	return false
}

// fitsBesideClaims returns fits if a claimed node has room for this ask too, once the asks that claimed it are allocated, and
// infeasible otherwise.
func fitsBesideClaims(p *problem, s *nodeView, claimed resource.Amounts) state {
	if len(p.overMax) > 0 || !s.takes || s.reserved && !p.MayTake(s.node) {
		return infeasible
	}
	for need := range p.Ask.Class().PlainNeeds().All {
		if resource.Sub(need.Min, s.room[need.Lane]) > -claimed.At(need.Lane) {
			return infeasible
		}
	}
	return fits
}

// start resets the counts of freed amounts.
func (n *needs) start() {
	n.largest, n.freed = n.largest[:0], n.freed[:0]
	for range n.list {
		n.largest, n.freed = append(n.largest, 0), append(n.freed, 0)
	}
}

// count adds a victim. It reports whether that victim alone is enough, and whether all victims so far are.
func (n *needs) count(p *problem, v *victim) (alone, all bool) {
	alone, all = true, true
	meets, demand := p.leaves[v.leaf].meets, v.class.Demand()
	largest, sum := n.largest, n.freed
	for i := range n.list {
		l := &n.list[i]
		freed := int64(0)
		if meets <= l.meets {
			freed = demand.At(l.lane)
		}
		largest[i], sum[i] = max(largest[i], freed), resource.Add(sum[i], freed)
		alone, all = alone && freed >= l.amount, all && sum[i] >= l.amount
	}
	return alone, all
}

// frees returns how much a victim of a leaf and a class frees of a shortfall.
func (p *problem) frees(leaf int32, c class.Class, l *shortfall) int64 {
	if p.leaves[leaf].meets > l.meets {
		return 0
	}
	return c.Demand().At(l.lane)
}

// leastCount is a lower bound of the number of victims.
func (n *needs) leastCount() int32 {
	count := int64(1)
	for i := range n.list {
		if largest := n.largest[i]; largest > 0 {
			count = max(count, (n.list[i].amount-1)/largest+1)
		}
	}
	return int32(min(count, math.MaxInt32))
}

// leastOn is a lower bound of the number of victims on a node, by what its room lacks.
func (n *needs) leastOn(s *nodeView) int32 {
	count := int64(1)
	for i := range n.list {
		if l := &n.list[i]; l.meets == anywhere && s.largest[l.lane] > 0 {
			count = max(count, (l.amount-1)/s.largest[l.lane]+1)
		}
	}
	return int32(min(count, math.MaxInt32))
}

// partial reports whether some shortfall is helped only by the victims of some leaves.
func (n *needs) partial() bool {
	return slices.ContainsFunc(n.list, func(l shortfall) bool { return l.meets != anywhere })
}
