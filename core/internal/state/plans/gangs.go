package plans

import (
	"slices"

	"github.com/quern-project/quern/core/internal/state/asks"
)

// OfGang lists the plans of the members of a gang, with lost ones, in an order without meaning.
func (v View) OfGang(gang uint64) (list []Plan) {
	for _, ask := range v.o.membersOf(gang) {
		p, _ := v.Any(ask)
		list = append(list, p)
	}
	return list
}

// membersOf lists the asks of a gang that have plans. The first call lists those of all gangs.
func (o *Plans) membersOf(gang uint64) []asks.Slot {
	if o.gangs == nil {
		o.gangs = map[uint64][]asks.Slot{}
		for _, p := range o.rows.All() {
			if p.Gang != 0 {
				o.gangs[p.Gang] = append(o.gangs[p.Gang], p.Ask)
			}
		}
	}
	return o.gangs[gang]
}

func (o *Plans) leaveGang(gang uint64, ask asks.Slot) {
	rest := slices.DeleteFunc(o.gangs[gang], func(other asks.Slot) bool { return other == ask })
	if o.gangs[gang] = rest; len(rest) == 0 {
		delete(o.gangs, gang)
	}
}
