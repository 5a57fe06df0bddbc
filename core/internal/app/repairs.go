package app

import (
	"cmp"
	"slices"
)

// SetRepairs makes the first pending members of a gang repairs, by priority and submission, and the others not. It returns those that
// changed. A policy that orders asks does not decide which they are.
func (a *Record) SetRepairs(g AtomicGang, n int) (changed []Ask) {
	var members []Ask
	a.Pending(func(ask Ask) bool {
		if ask.atomic() == g.atomicGang {
			members = append(members, ask)
		}
		return true
	})
	slices.SortFunc(members, func(x, y Ask) int {
		return cmp.Or(cmp.Compare(y.Priority(), x.Priority()), cmp.Compare(x.Seq(), y.Seq()))
	})
	for _, ask := range members {
		repairs := n > 0 && !ask.IsReplacing() // one that will take the place of a placeholder counts as there
		if repairs {
			n--
		}
		if ask.order().repairs != repairs {
			changed = append(changed, ask)
		}
	}
	for _, ask := range changed {
		ask.order().repairs = !ask.order().repairs
		a.updateAsk(ask)
	}
	return changed
}

// firstRepairs reports whether the first pending ask of the application is a repair.
func (a *application) firstRepairs() bool {
	if a.groups == nil {
		return a.onlyGroup.repairs
	}
	slot, _ := a.groups.order.Head()
	return slot >= 0 && a.groups.slots.Items[slot].repairs
}
