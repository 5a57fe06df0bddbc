package preempt

import (
	"slices"

	"github.com/quern-project/quern/core/resource"
)

// before is a problem as it was when its nodes were last looked at: offers stay true as long as the problem only gets
// harder, and those that were found wanting for one reason stay so until there is less of that.
type before struct {
	leaves  []leafTerms
	guards  []guard
	overMax []shortfall
	total   resource.Vec
}

// change is how a problem differs from what it was.
type change struct {
	anew  bool // somebody may be taken who could not be
	slack bool // a guard lets more go
	less  bool // less is lacking below a max
	more  bool // more is
}

func (b *before) change(p *problem) (c change) {
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
		if now := find(p.overMax, l); now < l.amount {
			c.less = true
		}
	}
	for _, l := range p.overMax {
		if was := find(b.overMax, l); was < l.amount {
			c.more = true
		}
	}
	return c
}

// find returns what is lacking below the same max.
func find(overMax []shortfall, like shortfall) int64 {
	for _, l := range overMax {
		if l.meets == like.meets && l.lane == like.lane {
			return l.amount
		}
	}
	return 0
}

func (b *before) take(p *problem) {
	b.leaves = append(b.leaves[:0], p.leaves...)
	b.guards = append(b.guards[:0], p.guards...)
	b.overMax = append(b.overMax[:0], p.overMax...)
	b.total = append(b.total[:0], p.Total...)
}
