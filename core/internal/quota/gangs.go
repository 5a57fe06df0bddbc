package quota

import (
	"cmp"
	"slices"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/resource"
)

// inUnit reports whether an allocation of a leaf belongs to a unit.
func (r *round) inUnit(l *leaf, v app.Ask) bool {
	return v.LeavesAsUnit() && !r.tree.Conf(l.queue).GangsByMember
}

// mayTake reports whether an allocation may leave without the rest of its units.
func (r *round) mayTake(l *leaf, v app.Ask) bool {
	if !r.inUnit(l, v) {
		return true
	}
	for u := range v.Units {
		if !r.spares(u, v) {
			return false
		}
	}
	return true
}

// spares reports whether members of a unit may leave in addition to the victims so far, while the rest runs on.
func (r *round) spares(u app.Unit, members ...app.Ask) bool {
	spare := r.spareOf(u)
	for _, s := range spare {
		for _, m := range members {
			s.Amount -= s.Takes(m)
		}
		if s.Amount < 0 {
			return false
		}
	}
	return spare != nil
}

// spareOf returns what a unit can spare in addition to the victims so far. It is nil if that is nothing.
func (r *round) spareOf(u app.Unit) []app.Spare {
	spare, known := r.spare[u]
	if !known {
		spare = u.Spare()
		r.spare[u] = spare
	}
	return spare
}

// countInUnits counts a victim in its units.
func (r *round) countInUnits(l *leaf, v app.Ask) {
	if !r.inUnit(l, v) {
		return
	}
	for u := range v.Units {
		for i, spare := 0, r.spareOf(u); i < len(spare); i++ {
			spare[i].Amount -= spare[i].Takes(v)
		}
	}
}

// ends reports whether a victim leaves with one of its units.
func (r *round) ends(v app.Ask) bool {
	if len(r.gangs) > 0 {
		for u := range v.Units {
			if r.ended[u] {
				return true
			}
		}
	}
	return false
}

// gang is a gang that may leave as a whole.
type gang struct {
	of     app.Unit
	outer  app.Unit // the unit that contains it, if any
	leaf   *leaf
	rest   []candidate  // its members that are no victims yet, in the order in which they would be chosen one by one
	demand resource.Vec // of these
}

// compareGangs orders gangs as they become victims: the smallest first, then by the member that would be chosen last.
func compareGangs(a, b []candidate) int {
	return cmp.Or(cmp.Compare(len(a), len(b)), compare(a[len(a)-1], b[len(b)-1]))
}

// chooseGangs chooses gangs that leave as a whole, while a type is in excess.
func (r *round) chooseGangs(leaves []*leaf) {
	if !r.anyExcess() {
		return
	}
	r.chosen = map[app.Ask]bool{}
	for _, v := range r.victims {
		r.chosen[v.ask] = true
	}
	for _, l := range leaves {
		r.listGangs(l)
		l.behind = r.behind(l)
	}
	r.leaves = leaves
	r.leaves.order()
	for r.anyExcess() {
		l := r.nextLeaf()
		if l == nil {
			return
		}
		r.addGang(l.gangs[0])
	}
}

// hasGang drops gangs that are no longer candidates from the start of a leaf's list, and reports whether one is left.
func (r *round) hasGang(l *leaf) bool {
	for len(l.gangs) > 0 {
		g := l.gangs[0]
		if demand := g.demand.Amounts(); r.frees(demand) && l.mayRelease(demand) && r.mayEnd(g) {
			return true
		}
		l.gangs = l.gangs[1:]
	}
	return false
}

// mayEnd reports whether the rest of a gang may leave beside the victims so far, while the rest of the unit that contains it runs on.
func (r *round) mayEnd(g *gang) bool {
	if g.outer == (app.Unit{}) {
		return true
	}
	members := make([]app.Ask, len(g.rest))
	for i := range g.rest {
		members[i] = g.rest[i].ask
	}
	return r.spares(g.outer, members...)
}

// listGangs lists the gangs of a leaf of which every member may be a victim, in order.
func (r *round) listGangs(l *leaf) {
	l.gangs = l.gangs[:0]
	if r.tree.Conf(l.queue).GangsByMember {
		return
	}
	l.apps.Apps(func(a app.App) bool {
		first := len(l.gangs)
		for u := range a.Units {
			if u.Gang().IsNone() { // it contains the others
				for _, g := range l.gangs[first:] {
					g.outer = u
				}
			}
			if g := r.gangOf(l, u); g != nil {
				l.gangs = append(l.gangs, g)
			}
		}
		return true
	})
	slices.SortFunc(l.gangs, func(a, b *gang) int { return compareGangs(a.rest, b.rest) })
}

func (r *round) gangOf(l *leaf, u app.Unit) *gang {
	g := &gang{of: u, leaf: l, demand: make(resource.Vec, r.tree.Types())}
	for v := range u.Staying {
		if v.Class().Node() != "" || r.isSpared(v) {
			return nil
		}
		if !r.chosen[v] {
			g.rest = append(g.rest, candidateOf(v))
			g.demand.Add(v.Class().Demand())
		}
	}
	if len(g.rest) == 0 {
		return nil
	}
	slices.SortFunc(g.rest, compare)
	return g
}

// addGang makes all members of the first gang of its leaf victims.
func (r *round) addGang(g *gang) {
	g.leaf.gangs = g.leaf.gangs[1:]
	r.gangs = append(r.gangs, g)
	r.victims = append(r.victims, g.rest...)
	r.ended[g.of] = true
	r.count(g.leaf, g.demand.Amounts())
	for _, v := range g.rest {
		r.chosen[v.ask] = true
		r.countInUnits(g.leaf, v.ask)
	}
	if g.of.App().HasGang() { // one of its units may be inside another
		r.listGangs(g.leaf)
	}
}

// dropNeedlessGangs is dropNeedless for gangs that leave as a whole: with the members that were chosen before as surplus, or not at all.
// Inside another one that leaves, a gang does not stay.
func (r *round) dropNeedlessGangs() {
	members := map[app.Unit][]candidate{}
	for _, v := range r.victims {
		for u := range v.ask.Units {
			if r.ended[u] {
				members[u] = append(members[u], v)
			}
		}
	}
	for _, list := range members {
		slices.SortFunc(list, compare)
	}
	slices.SortFunc(r.gangs, func(a, b *gang) int { return compareGangs(members[b.of], members[a.of]) })
	for _, g := range r.gangs {
		whole := make(resource.Vec, r.tree.Types())
		for _, v := range members[g.of] {
			whole.Add(v.ask.Class().Demand())
		}
		if !r.ended[g.of] || r.ended[g.outer] || r.isNeeded(whole.Amounts()) {
			continue
		}
		r.uncount(whole.Amounts())
		r.victims = slices.DeleteFunc(r.victims, func(v candidate) bool { return g.of.Has(v.ask) })
		for _, inner := range r.gangs {
			if inner.outer == g.of {
				r.ended[inner.of] = false
			}
		}
	}
}
