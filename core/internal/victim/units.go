package victim

import (
	"math"
	"slices"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/state/queues"
	"github.com/quern-project/quern/core/resource"
)

// unit is a running gang that law 8 protects: a set of victims takes at most what it can spare, or all its members.
type unit struct {
	of      app.Unit
	outer   *unit       // the unit that contains it, or nil
	members []victim    // allocated and not leaving, in order of allocation
	spare   []app.Spare // bounds of what may leave while the rest runs on; nil if nothing may
	elastic int         // number of members that are elastic surplus
	whole   bool        // all its members may leave together
	guarded bool        // they may not, only since guards forbid it
}

// unitOf returns the innermost unit of an allocation, or nil if it may be a victim by itself.
func (p *problem) unitOf(v *victim) *unit {
	if !v.ask.LeavesAsUnit() || p.Queues.Conf(queues.ID(v.leaf)).GangsByMember {
		return nil
	}
	var chain [2]app.Unit
	n := 0
	for of := range v.ask.Units {
		chain[n] = of
		n++
	}
	var u *unit
	for n--; n >= 0; n-- {
		u = p.unit(chain[n], u)
	}
	return u
}

// unit returns a unit that is contained in another one, which may be nil.
func (p *problem) unit(of app.Unit, outer *unit) *unit {
	u := p.units[of]
	if u != nil {
		return u
	}
	u = &unit{of: of, outer: outer, spare: of.Spare(), whole: outer == nil || outer.spare != nil}
	if !p.Queues.Conf(queues.ID(of.App().Leaf().ID())).KeepsSurplus {
		u.elastic = of.ElasticSurplus()
	}
	for ask := range of.Staying {
		v := victimOf(ask)
		u.members = append(u.members, v)
		u.whole = u.whole && possibleVictim(ask) && p.permitted(&v)
	}
	u.whole = u.whole && (!p.Surplus || u.elastic == len(u.members))
	u.guarded = u.whole && !p.guardsAllow(u.members)
	u.whole = u.whole && !u.guarded
	if p.units == nil {
		p.units = map[app.Unit]*unit{}
	}
	p.units[of] = u
	return u
}

// spares reports whether single members may leave while the rest of the unit, and of those that contain it, runs on.
func (u *unit) spares() bool {
	for ; u != nil; u = u.outer {
		if u.spare == nil {
			return false
		}
	}
	return true
}

// mayEnd reports whether the unit, or one that contains it, may leave as a whole.
func (u *unit) mayEnd() bool {
	for ; u != nil; u = u.outer {
		if u.whole {
			return true
		}
	}
	return false
}

// mayBeSurplus reports whether an allocation may be elastic surplus.
func (p *problem) mayBeSurplus(v *victim) bool {
	u := p.unitOf(v)
	return u != nil && u.elastic > 0
}

// lasting counts the victims that are not elastic surplus: of each gang, those that a set takes beyond its surplus. While there is no elastic
// surplus, sets are not compared by it, and it is 0.
func (p *problem) lasting(set []victim) int {
	if !p.Elastic {
		return 0
	}
	n := len(set)
	var units []*unit
	var taken []int
	for i := range set {
		u := p.unitOf(&set[i])
		if u == nil || u.elastic == 0 {
			continue
		}
		at := slices.Index(units, u)
		if at < 0 {
			at, units, taken = len(units), append(units, u), append(taken, 0)
		}
		if taken[at]++; taken[at] <= u.elastic {
			n--
		}
	}
	return n
}

// ended counts the units of which a set contains more than they can spare.
func (p *problem) ended(set []victim) (n int) {
	var units []*unit
	var taken [][]app.Ask
	for i := range set {
		for u := p.unitOf(&set[i]); u != nil; u = u.outer {
			at := slices.Index(units, u)
			if at < 0 {
				at, units, taken = len(units), append(units, u), append(taken, nil)
			}
			taken[at] = append(taken[at], set[i].ask)
		}
	}
	for i, u := range units {
		if !u.of.Spares(taken[i]) {
			n++
		}
	}
	return n
}

// has reports whether a victim is on the node. Others are members of gangs that leave as a whole.
func (s *nodeView) has(v *victim) bool { return !s.units || v.ask.Node() == s.node }

// boundLoosely bounds a candidate of a node on which gangs may leave as a whole, or if sets are compared by elastic surplus. It reports
// whether it did.
func (f *Finder) boundLoosely(p *problem, s *nodeView, c *candidate) bool {
	if !s.units && !p.Elastic {
		return false
	}
	c.boundUnits(s)
	if p.Elastic && !s.elastic {
		c.lasting = f.needs.leastOn(s)
	}
	return true
}

// boundUnits bounds a candidate of a node on which gangs may leave as a whole, by the victim that does the least harm: the members on
// other nodes can be anything.
func (c *candidate) boundUnits(s *nodeView) {
	c.state, c.count, c.oldest = bounded, 1, math.MaxUint64
	for i := range c.prios {
		c.prios[i] = math.MinInt64
	}
	if s.protect != 0 {
		c.harmFloor = floorOfProtected(s.protect)
		return
	}
	c.top = s.prio
}

// indexOf returns the index of a unit among those of the node. The unit and those that contain it join them.
func (v *solver) indexOf(u *unit) int {
	for i := range v.units {
		if v.units[i].unit == u {
			return i
		}
	}
	if u.outer != nil {
		v.indexOf(u.outer)
	}
	v.units = append(v.units, cappedUnit{u, len(v.caps)})
	for _, s := range u.spare {
		v.caps = append(v.caps, s.Amount)
	}
	v.ofUnits = len(v.caps)
	return len(v.units) - 1
}

// cappedUnit is a unit with an eligible member. What it can spare are caps from an index on.
type cappedUnit struct {
	*unit
	caps int
}

// takeSpare adds what a member that leaves takes of what its units can spare, from one of them outwards.
func (v *solver) takeSpare(k *group, r *victim, u *unit) {
	for ; u != nil; u = u.outer {
		at := v.units[v.indexOf(u)].caps
		for j, s := range u.spare {
			k.takes[at+j] = resource.Add(k.takes[at+j], s.Takes(r.ask))
		}
	}
}

// groupWhole makes a group of each gang that may leave as a whole.
func (v *solver) groupWhole() {
	v.whole = false
	for i := range v.units {
		u := &v.units[i]
		if !u.whole {
			continue
		}
		v.whole = true
		k := v.emptyGroup()
		k.whole, k.victims, k.ended, k.lasting = true, append(k.victims, u.members...), v.p.ended(u.members), v.p.lasting(u.members)
		for j, s := range u.spare {
			k.takes[u.caps+j] = s.Amount // all, so that no member leaves alone
		}
		for j := range u.members {
			v.include(k, &u.members[j])
			v.takeSpare(k, &u.members[j], u.outer)
		}
		v.groups = v.groups[:len(v.groups)+1]
	}
}

// include adds a victim to what one choice of a group frees and takes, and to the harm that it does.
func (v *solver) include(k *group, r *victim) {
	k.protect, k.prio = k.protect|r.protect, max(k.prio, r.prio)
	k.originators += int(r.protect / originator)
	k.optedOuts += int(r.protect % originator)
	if v.ranked {
		if ranks := v.p.ranks(r.ask); slices.Compare(ranks, k.ranks) > 0 {
			k.ranks = ranks
		}
	}
	for j := range v.needs {
		if n := &v.needs[j]; n.meets != anywhere || v.view.has(r) {
			k.frees[j] = resource.Add(k.frees[j], v.p.frees(r.leaf, r.class, n))
		}
	}
	refs := v.p.refsOf(r.leaf)
	for j, g := range v.capped {
		if at := v.ofUnits + j; slices.Contains(refs, g) {
			k.takes[at] = resource.Add(k.takes[at], v.p.guards[g].takes(r.class))
		}
	}
}
