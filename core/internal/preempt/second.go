package preempt

import (
	"math"
	"slices"
)

// Criterion is what tells two sets apart, in the order in which sets are compared.
type Criterion uint8

// The criteria.
const (
	Originators Criterion = iota
	OptedOuts
	TopPriority
	Rank // of a victim.rank policy
	Number
	Priorities
	Excess
	Age
)

// Tells is the criterion by which a set does less harm than another.
func (a *Set) Tells(b *Set) Criterion {
	x, y := &a.harm, &b.harm
	differ := []bool{
		x.originators != y.originators, x.optedOuts != y.optedOuts, x.top != y.top,
		slices.CompareFunc(x.ranks, y.ranks, slices.Compare[[]int64]) != 0, len(a.rows) != len(b.rows),
		!slices.Equal(x.prios, y.prios), !slices.Equal(x.excess, y.excess),
	}
	if i := slices.Index(differ, true); i >= 0 {
		return Criterion(i)
	}
	return Age
}

// Second finds the best lawful set on any node but that of the best, or nil. It looks at every node, whatever is
// remembered, and remembers nothing.
func (f *Finder) Second(q *Question, first *Set) *Set {
	f.steps, f.limit, f.moved = 0, math.MaxInt, false
	f.call++
	f.refresh()
	p := &problem{}
	p.work(q)
	best := leader{at: -1}
	for slot := range int32(len(f.stands)) {
		if slot == first.Node.Slot || q.byNode() {
			continue
		}
		o := f.scan(p, slot)
		if o.state == bounded && !f.trails(p, slot, &o, &best) {
			f.solve(p, slot, &o, &best)
		}
		if o.state >= plain && !f.trails(p, slot, &o, &best) {
			best = leader{slot, o}
		}
	}
	if best.at < 0 {
		return nil
	}
	return f.setOf(p, best.at, &best.offer)
}
