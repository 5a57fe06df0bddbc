package victim

import (
	"slices"

	"github.com/quern-project/quern/core/resource"
)

// priorProblem is a problem as it was when its nodes were last examined. Candidates stay true as long as the problem only
// gets harder, and an infeasible one stays so until there is less of what made it infeasible.
type priorProblem struct {
	leaves  []leafTerms
	guards  []guard
	overMax []shortfall
	total   resource.Vec
}

// change is how a problem differs from what it was.
type change struct {
	anew  bool // an allocation may be preempted that could not be
	slack bool // a guard lets more go
	less  bool // less has to be freed below a max
	more  bool // more has to be
}

func (b *priorProblem) change(p *problem) (c change) {
	c.anew = len(b.leaves) != len(p.leaves) || len(b.guards) != len(p.guards) || !slices.Equal(b.total, p.Total)
	for i := 0; i < len(p.leaves) && !c.anew; i++ {
		c.anew = p.leaves[i].limit > b.leaves[i].limit
	}
	for i := 0; i < len(p.guards) && !c.anew; i++ {
		g, old := &p.guards[i], &b.guards[i]
		c.anew = g.queue != old.queue || g.lane != old.lane
		c.slack = c.slack || g.slack > old.slack
	}
	for _, l := range b.overMax {
		c.less = c.less || amountBelow(p.overMax, l) < l.amount
	}
	for _, l := range p.overMax {
		c.more = c.more || amountBelow(b.overMax, l) < l.amount
	}
	return c
}

// amountBelow returns what has to be freed below the max that a shortfall is about.
func amountBelow(list []shortfall, like shortfall) int64 {
	for _, l := range list {
		if l.meets == like.meets && l.lane == like.lane {
			return l.amount
		}
	}
	return 0
}

func (b *priorProblem) take(p *problem) {
	b.leaves = append(b.leaves[:0], p.leaves...)
	b.guards = append(b.guards[:0], p.guards...)
	b.overMax = append(b.overMax[:0], p.overMax...)
	b.total = append(b.total[:0], p.Total...)
}
