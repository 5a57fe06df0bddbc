package victim

import (
	"slices"

	"github.com/quern-project/quern/core/resource"
)

// priorProblem records the problem with which candidates were last examined. Candidates stay valid while the problem only gets
// harder. An infeasible candidate stays infeasible until one of its obstacles (a guard, a max) is reduced.
type priorProblem struct {
	leaves  []leafTerms
	guards  []guard
	overMax []shortfall
	total   resource.Vec
}

// change says how a problem differs from the prior one.
type change struct {
	anew  bool // new allocations may be victims, or queues changed: restart
	slack bool // the slack of a guard has grown
	less  bool // a shortfall below a max has shrunk
	more  bool // a shortfall below a max has grown
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

// amountBelow returns the shortfall in the list below the same max, or 0.
func amountBelow(list []shortfall, like shortfall) int64 {
	for _, l := range list {
		if l.meets == like.meets && l.lane == like.lane {
			return l.amount
		}
	}
	return 0
}

func (b *priorProblem) record(p *problem) {
	b.leaves = append(b.leaves[:0], p.leaves...)
	b.guards = append(b.guards[:0], p.guards...)
	b.overMax = append(b.overMax[:0], p.overMax...)
	b.total = append(b.total[:0], p.Total...)
}
