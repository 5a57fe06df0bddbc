package quota

import (
	"cmp"
	"slices"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/resource"
)

// unitOf returns the gang that an allocation of a leaf leaves with unless it is of its surplus, or none.
func (r *round) unitOf(l *leaf, v app.Ask) app.AtomicGang {
	if g := v.Atomic(); g.LeavesAsUnit() && !r.tree.Conf(l.queue).GangsByMember {
		return g
	}
	return app.AtomicGang{}
}

// mayTake reports whether an allocation may leave without the rest of its gang.
func (r *round) mayTake(l *leaf, v app.Ask) bool {
	g := r.unitOf(l, v)
	return g.IsNone() || r.ofSurplus[g] < g.Surplus()
}

// gang is a gang that may leave as a whole.
type gang struct {
	of     app.AtomicGang
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
		if demand := l.gangs[0].demand.Amounts(); r.frees(demand) && l.mayRelease(demand) {
			return true
		}
		l.gangs = l.gangs[1:]
	}
	return false
}

// listGangs lists the gangs of a leaf of which every member may be a victim, in order.
func (r *round) listGangs(l *leaf) {
	l.apps.Apps(func(a app.App) bool {
		for of := range a.AtomicGangs {
			if g := r.gangOf(l, a, of); g != nil {
				l.gangs = append(l.gangs, g)
			}
		}
		return true
	})
	slices.SortFunc(l.gangs, func(a, b *gang) int { return compareGangs(a.rest, b.rest) })
}

func (r *round) gangOf(l *leaf, a app.App, of app.AtomicGang) *gang {
	g := &gang{of: of, leaf: l, demand: make(resource.Vec, r.tree.Types())}
	for v := a.FirstPlaced(); !v.IsNone(); v = v.NextOfApp() {
		switch {
		case v.Atomic() != of || v.Leaving():
			continue
		case r.unitOf(l, v).IsNone() || v.Class().Node() != "":
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
}

// dropNeedlessGangs is dropNeedless for gangs that leave as a whole: with the members that were chosen before as surplus, or not at all.
func (r *round) dropNeedlessGangs() {
	members := map[app.AtomicGang][]candidate{}
	for _, v := range r.victims {
		if g := v.ask.Atomic(); r.ended[g] {
			members[g] = append(members[g], v)
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
		if r.isNeeded(whole.Amounts()) {
			continue
		}
		r.uncount(whole.Amounts())
		r.victims = slices.DeleteFunc(r.victims, func(v candidate) bool { return v.ask.Atomic() == g.of })
	}
}
