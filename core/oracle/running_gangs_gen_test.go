package oracle_test

import (
	"time"

	"pgregory.net/rapid"

	"github.com/quern-project/quern/core"
)

// besideGangs makes some of the allocations of a scenario members of running gangs, once in three times, so that the rules that it is about
// are checked beside units. A few of its asks become members, too: they repair gangs, or are surplus.
func besideGangs(t *rapid.T, s scenario) scenario {
	if !chance(t, "beside gangs", 3) {
		return s
	}
	gangs := []*core.Gang{drawRunningGang(t, "u"), drawRunningGang(t, "v")}
	for i := range s.steps {
		if s.steps[i].input == nil || s.steps[i].input.Ask() == nil || s.steps[i].input.Ask().Gang != nil {
			continue
		}
		join := chance(t, "joins", 8)
		if s.steps[i].input.Type() == core.AllocationRestore {
			join = roll(t, "belongs", 3) > 0
		}
		if join {
			in := s.steps[i].input.Clone()
			in.Ask().Gang = gangs[roll(t, "gang", 4)/3]
			s.steps[i].input = &in
		}
	}
	return s
}

// drawRunningGang draws what all members of a gang say, in each application.
func drawRunningGang(t *rapid.T, id string) *core.Gang {
	g := &core.Gang{
		ID: id, Min: pick(t, "min", 2, 1, 2, 3), Disruption: pick(t, "disruption", core.DisruptUnit, core.DisruptUnit, core.DisruptWhole, core.DisruptMember),
		Repair: pick(t, "repair", core.Repair{}, core.Repair{}, core.Repair{Bounded: true, Within: 2 * time.Second}, core.Repair{Bounded: true}),
	}
	if chance(t, "elastic", 4) {
		g.Max = g.Min + 4
	}
	return g
}
