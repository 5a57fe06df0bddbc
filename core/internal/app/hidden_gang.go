package app

// HideGang keeps searches from returning the candidate's gang, until its members change or it is reopened. Its priority still counts.
func (a *application) HideGang(candidate Ask) {
	g := a.group(candidate)
	g.gang.hidden = true
	a.file(g)
}

// ShowGangs reopens all hidden gangs of the application, and reports whether there were any.
func (a *application) ShowGangs(shrinkEpoch uint64) (any bool) {
	if len(a.atomicGangs) == 0 || a.groups == nil {
		return false
	}
	for _, of := range a.atomicGangs {
		if g := a.groups.find(gangKey(of)); g != nil && g.gang.hidden {
			any = a.ReopenGang(AtomicGang{of}, shrinkEpoch) || any
		}
	}
	return any
}
