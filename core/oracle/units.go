package oracle

import (
	"slices"

	"github.com/quern-project/quern/core"
)

// Law 8: no set of victims leaves a gang short. From a gang that is a unit, a set takes only surplus, or all that is allocated.

// unit is an atomic gang that is preempted as one.
type unit struct{ *atomicGang }

// unitOf returns the unit that the allocation belongs to, if any.
func (p *partition) unitOf(k *ask) (u unit, ok bool) {
	g := k.app.atomicOf(k.details.Gang)
	return unit{g}, g != nil && !g.fellBack && g.Disruption != core.DisruptMember && !k.app.queue.settings.GangsByMember
}

// isSurplus reports whether the unit can do without some of its members: the rest is at least what it needs.
func (u unit) isSurplus(taken []*ask) bool {
	if len(taken) == 0 {
		return true
	}
	return u.Disruption != core.DisruptWhole && len(taken) <= u.count()-u.need()
}

// takenFrom lists the members of the unit among the victims.
func (u unit) takenFrom(victims []*ask) []*ask {
	return slices.DeleteFunc(u.present(), func(k *ask) bool { return !slices.Contains(victims, k) })
}

// touched lists the units that the victims belong to, each once.
func (p *partition) touched(victims []*ask) []unit {
	var units []unit
	for _, k := range victims {
		if u, ok := p.unitOf(k); ok && !slices.Contains(units, u) {
			units = append(units, u)
		}
	}
	return units
}

// keepsUnits implements law 8.
func (p *partition) keepsUnits(victims []*ask) bool {
	return !slices.ContainsFunc(p.touched(victims), func(u unit) bool {
		taken := u.takenFrom(victims)
		return !u.isSurplus(taken) && len(taken) < len(u.present())
	})
}

// ended lists the units of which a lawful set of victims takes more than surplus, which is all that is allocated.
func (p *partition) ended(victims []*ask) []unit {
	return slices.DeleteFunc(p.touched(victims), func(u unit) bool { return u.isSurplus(u.takenFrom(victims)) })
}

// withGang completes the decision about a victim of a set.
func (p *partition) withGang(d core.Decision, k *ask, ended []unit) core.Decision {
	if g := k.app.atomicOf(k.details.Gang); g != nil {
		d.Gang = g.ID
	}
	u, _ := p.unitOf(k)
	d.GangEnded = slices.Contains(ended, u)
	return d
}

// gangsLose records what a set of victims, which are still to be told to leave, does to their gangs.
func (p *partition) gangsLose(victims []*ask) {
	for _, k := range victims {
		k.lost(core.ReasonPreempted)
	}
	for _, u := range p.ended(victims) {
		p.disband(u.atomicGang)
	}
}
