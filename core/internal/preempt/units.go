package preempt

import (
	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/state"
	"github.com/quern-project/quern/core/internal/victim"
)

// unitChanged records that other members of a gang that leaves as a unit may be victims.
func (s *Preemption) unitChanged(a app.App) {
	s.mayFindVictims()
	if len(s.units) == 0 || s.units[len(s.units)-1] != a { // members change one after the other
		s.units = append(s.units, a)
	}
}

// touchUnits has searches look again at the nodes of gangs that have changed, since each member decides about the others.
func (s *Preemption) touchUnits() {
	for _, a := range s.units {
		if a.Ended() {
			continue
		}
		for v := a.FirstPlaced(); !v.IsNone(); v = v.NextOfApp() {
			if v.LeavesAsUnit() {
				touch(s.finder, v.Node())
				touch(s.dry, v.Node())
			}
		}
	}
	s.units = s.units[:0]
}

func touch(f *victim.Finder, node int32) {
	if f != nil {
		f.Touch(node)
	}
}

// nameGang writes the gang of a victim, and with how many members it leaves.
func nameGang(v app.Ask, ending state.Ending, to *explain.Victim) {
	if g := v.Atomic(); !g.IsNone() {
		to.Gang = g.Row().ID
	}
	to.EndsWith = ending.Members(v)
}
