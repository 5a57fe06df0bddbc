package oracle

import (
	"slices"

	"github.com/quern-project/quern/core"
)

// Law 8: no set of victims leaves a gang short. From a gang that is a unit, a set takes only surplus, or all that is allocated.

// unit is a gang that is preempted as one: an atomic gang, or the application of a gang with placeholders. The other field is nil.
type unit struct {
	atomic *atomicGang
	app    *app
}

// unitsOf lists the units that the allocation belongs to.
func (p *partition) unitsOf(k *ask) []unit {
	var units []unit
	if k.app.queue.settings.GangsByMember {
		return nil
	}
	if g := k.app.atomicOf(k.details.Gang); g != nil && !g.fellBack && g.Disruption != core.DisruptMember {
		units = append(units, unit{atomic: g})
	}
	if g := k.app.gang; g != nil && g.formed && g.unit {
		units = append(units, unit{app: k.app})
	}
	return units
}

// present lists the allocations of the unit that are not leaving.
func (u unit) present() []*ask {
	if u.atomic != nil {
		return u.atomic.present()
	}
	return slices.DeleteFunc(u.app.allocated(), (*ask).isLeaving)
}

// isSurplus reports whether the unit can do without some of its allocations: an atomic gang has enough others, and those of a gang with
// placeholders add up to what its placeholders asked for.
func (u unit) isSurplus(taken []*ask) bool {
	switch {
	case len(taken) == 0:
		return true
	case u.atomic != nil:
		return u.atomic.Disruption != core.DisruptWhole && len(taken) <= u.atomic.count()-u.atomic.need()
	}
	rest := amounts{}
	for _, k := range u.app.asks {
		if k.replaces != nil || k.node != nil && !k.isLeaving() && !slices.Contains(taken, k) {
			rest.add(k.resources)
		}
	}
	for typ, value := range u.app.gang.ask {
		if rest[typ] < value {
			return false
		}
	}
	return true
}

// takenFrom lists the allocations of the unit among the victims.
func (u unit) takenFrom(victims []*ask) []*ask {
	return slices.DeleteFunc(u.present(), func(k *ask) bool { return !slices.Contains(victims, k) })
}

// touched lists the units that the victims belong to, each once.
func (p *partition) touched(victims []*ask) []unit {
	var units []unit
	for _, k := range victims {
		for _, u := range p.unitsOf(k) {
			if !slices.Contains(units, u) {
				units = append(units, u)
			}
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
	d.GangEnded = slices.ContainsFunc(p.unitsOf(k), func(u unit) bool { return slices.Contains(ended, u) })
	return d
}

// gangsLose records what a set of victims, which are still to be told to leave, does to their gangs. A gang with placeholders that ends
// goes on as if it were formed.
func (p *partition) gangsLose(victims []*ask) {
	for _, k := range victims {
		k.lost(core.ReasonPreempted)
	}
	for _, u := range p.ended(victims) {
		if u.atomic != nil {
			p.disband(u.atomic)
		}
	}
}
