package node

import (
	"slices"

	"github.com/quern-project/quern/core/internal/domain"
	"github.com/quern-project/quern/core/policy"
)

// ofDomain returns the value of a column about the domain of a node at the level that the column names.
func (p *finder) ofDomain(slot int32, c *policy.Column) float64 {
	level := p.levelNamed(c.Level())
	if c.Kind == policy.Domain {
		return c.Code(p.domainName(slot, level))
	}
	if t, known := c.TypeIn(p.types.View()); known {
		if free, ok := p.domainFree(slot, level, t); ok {
			return float64(free)
		}
	}
	return c.Default
}

// levelNamed returns the index of a level of the topology; that of single nodes comes last. It is -1 for an unknown level.
func (p *finder) levelNamed(name string) int {
	for level := range p.domains.tree.View().Nested() {
		if p.domains.levels[level].Name == name {
			return level
		}
	}
	if name == nodeLevel {
		return len(p.domains.levels)
	}
	return -1
}

// domainName returns the name of the domain of a node, or an empty text for none.
func (p *finder) domainName(slot int32, level int) string {
	switch v := p.Domains(); {
	case level == v.Levels():
		return p.ID(slot)
	case level >= 0 && v.Of(slot, level) != domain.None:
		return v.Name(v.Of(slot, level))
	}
	return ""
}

// domainFree returns what the available nodes of the domain of a node have free of a type. ok is false if the node is in no domain of the level.
func (p *finder) domainFree(slot int32, level, t int) (free int64, ok bool) {
	switch {
	case level < 0:
		return 0, false
	case level < len(p.domains.levels):
		return p.sumsOf(level).freeAround(slot, t, p.free.width)
	case p.Available(slot):
		free = p.Amounts(slot).Free(t)
	}
	return free, true
}

// domainReader reads which domains have changed, for the table of one policy.
type domainReader struct{ read []Cursor } // by level

// changes returns the domains of a level that have changed since the last call. If all is true, any may have.
func (r *domainReader) changes(x *domainSums) (list []domain.ID, all bool) {
	for len(r.read) <= x.level {
		r.read = append(r.read, Cursor{})
	}
	c := &r.read[x.level]
	if c.era != x.era+1 { // as in finder.changes
		c.era, c.read = x.era+1, len(x.changed)
		return nil, true
	}
	list = x.changed[c.read:]
	c.read = len(x.changed)
	return list, false
}

// touch marks the rows of nodes whose domains have changed, if the policy reads what their nodes have free.
func (r *domainReader) touch(p *finder, t *policy.Table) {
	r.eachLevel(p, t, func(x *domainSums) {
		list, all := r.changes(x)
		if all {
			t.TouchAll()
		}
		for _, d := range list {
			for _, slot := range x.members[d] {
				t.Retouch(slot)
			}
		}
	})
}

// outdated calls yield with the nodes that touch would mark. It changes nothing but caches.
func (r *domainReader) outdated(p *finder, t *policy.Table, yield func(slot int32)) {
	peek := domainReader{slices.Clone(r.read)}
	peek.eachLevel(p, t, func(x *domainSums) {
		list, all := peek.changes(x)
		if all {
			list = p.domains.tree.View().AtLevel(x.level).Clone()
		}
		for _, d := range list {
			for _, slot := range x.members[d] {
				yield(slot)
			}
		}
	})
}

// eachLevel calls yield with the sums of the levels of which the policy of a table reads what their domains have free.
func (r *domainReader) eachLevel(p *finder, t *policy.Table, yield func(*domainSums)) {
	spec := t.Acting().Spec()
	if !spec.ReadsOtherNodes() {
		return
	}
	for i := range spec.Columns {
		if c := &spec.Columns[i]; c.Kind == policy.DomainFree {
			if level := p.levelNamed(c.Level()); level >= 0 && level < len(p.domains.levels) {
				yield(p.sumsOf(level))
			}
		}
	}
}
