package victim

import (
	"math"
	"slices"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/state/queues"
	"github.com/quern-project/quern/core/resource"
)

// unit is a running gang that law 8 protects: a set of victims contains at most its surplus, or all its members.
type unit struct {
	members []victim // allocated and not leaving, in order of allocation
	surplus int      // members beyond the least that the gang needs; a broken gang has none
	whole   bool     // every member may be a victim, and guards allow all of them together
	guarded bool     // every member may be a victim, but guards forbid all of them together
}

// unitOf returns the unit of an allocation, or nil if it may be a victim by itself.
func (p *problem) unitOf(v *victim) *unit {
	g := v.ask.Atomic()
	if !g.LeavesAsUnit() || p.Queues.Conf(queues.ID(v.leaf)).GangsByMember {
		return nil
	}
	if u := p.units[g]; u != nil {
		return u
	}
	u := p.newUnit(g, v.ask.App())
	if p.units == nil {
		p.units = map[app.AtomicGang]*unit{}
	}
	p.units[g] = u
	return u
}

func (p *problem) newUnit(g app.AtomicGang, a app.App) *unit {
	u := &unit{surplus: g.Surplus(), whole: true}
	for ask := a.FirstPlaced(); !ask.IsNone(); ask = ask.NextOfApp() {
		if ask.Atomic() != g || ask.Leaving() {
			continue
		}
		v := victimOf(ask)
		u.members = append(u.members, v)
		u.whole = u.whole && possibleVictim(ask) && p.preemptable(&v)
	}
	u.guarded = u.whole && !p.guardsAllow(u.members)
	u.whole = u.whole && !u.guarded
	return u
}

// ended counts the gangs of which a set contains more than the surplus.
func (p *problem) ended(set []victim) (n int) {
	var units []*unit
	var taken []int
	for i := range set {
		u := p.unitOf(&set[i])
		if u == nil {
			continue
		}
		at := slices.Index(units, u)
		if at < 0 {
			at, units, taken = len(units), append(units, u), append(taken, 0)
		}
		if taken[at]++; taken[at] == u.surplus+1 {
			n++
		}
	}
	return n
}

// has reports whether a victim is on the node. Others are members of gangs that leave as a whole.
func (s *nodeView) has(v *victim) bool { return !s.units || v.ask.Node() == s.node }

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

// indexOf returns the index of a unit among those of the node, which it joins.
func (v *solver) indexOf(u *unit) int32 {
	for i := range v.units {
		if v.units[i] == u {
			return int32(i)
		}
	}
	v.units, v.caps = append(v.units, u), append(v.caps, int64(u.surplus))
	return int32(len(v.units) - 1)
}

// groupWhole makes a group of each gang that may leave as a whole.
func (v *solver) groupWhole() {
	v.whole = false
	for i, u := range v.units {
		if !u.whole {
			continue
		}
		v.whole = true
		k := v.emptyGroup()
		k.whole, k.victims = true, append(k.victims, u.members...)
		k.takes[i] = int64(u.surplus)
		for j := range u.members {
			v.include(k, &u.members[j])
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
		if at := len(v.units) + j; slices.Contains(refs, g) {
			k.takes[at] = resource.Add(k.takes[at], r.class.Demand().At(v.p.guards[g].lane))
		}
	}
}
