package app

import (
	"cmp"
	"slices"
)

// role says what a pending ask means to its gang that has been placed. Of asks of equal priority, a smaller role comes first.
type role int8

const (
	repairs     role = -1 // its gang is broken, and would need it to be whole again
	independent role = 0  // neither, or of no gang
	surplus     role = 1  // it would make an elastic gang larger than it needs to be
)

// Missing returns how many more members a placed gang needs to be whole.
func (g *atomicGang) Missing() int { return max(0, g.Need()-g.row.Staying) }

// Elastic reports whether further members of the gang, beyond those that it needs, are surplus asks.
func (g *atomicGang) Elastic() bool { return g.row.Max > 0 && g.row.Placed && !g.row.Dissolved }

// HasRoles reports whether some pending members of the gang are repairs or surplus asks.
func (g *atomicGang) HasRoles() bool { return g.row.Broken || g.Elastic() }

// IsSurplus reports whether the pending ask would make a gang larger than it needs to be. Such asks come last, and preempt nothing.
func (a Ask) IsSurplus() bool { return a.order().role == surplus }

// StartRole gives a new pending ask its role: a surplus ask if its gang is elastic and misses no member.
func (a *Record) StartRole(ask Ask) {
	if g := ask.atomic(); g.Elastic() && g.Missing() == 0 && !ask.IsReplacing() {
		ask.order().role = surplus
	}
}

// ChooseRoles chooses the first pending members of a gang, by priority and submission, as those that it is missing. They are repairs if the
// gang is broken. If it is elastic, the others are surplus asks. It returns the members whose role has changed. A policy that orders asks
// does not decide which they are.
func (a *Record) ChooseRoles(g AtomicGang) (changed []Ask) {
	missing, rest := 0, independent
	if g.HasRoles() {
		missing = g.Missing()
	}
	if g.Elastic() {
		rest = surplus
	}
	g.row.Wanting = missing
	for _, ask := range a.membersInOrder(g) {
		to := rest
		switch {
		case ask.IsReplacing(): // it will take the place of a placeholder, and counts as there
			to = independent
		case missing > 0 && g.row.Broken:
			missing, to = missing-1, repairs
		case missing > 0:
			missing, to = missing-1, independent
		}
		if ask.order().role != to {
			ask.order().role = to
			changed = append(changed, ask)
		}
	}
	for _, ask := range changed {
		a.updateAsk(ask)
	}
	return changed
}

// membersInOrder lists the pending members of a gang by priority and submission.
func (a *application) membersInOrder(g AtomicGang) (members []Ask) {
	a.Pending(func(ask Ask) bool {
		if ask.atomic() == g.atomicGang {
			members = append(members, ask)
		}
		return true
	})
	slices.SortFunc(members, func(x, y Ask) int {
		return cmp.Or(cmp.Compare(y.Priority(), x.Priority()), cmp.Compare(x.Seq(), y.Seq()))
	})
	return members
}

// hasSurplus reports whether surplus asks are sorted in.
func (a *application) hasSurplus() bool { return a.groups != nil && hasEntries(a.groups.surplus) }

// firstRole returns the role of the first pending ask of the application, apart from surplus asks.
func (a *application) firstRole() role {
	if a.groups == nil {
		return a.onlyGroup.role
	}
	slot, _ := a.groups.order.Head()
	if slot < 0 {
		return independent
	}
	return a.groups.slots.Items[slot].role
}
