package state

import (
	"slices"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/state/plans"
)

// planReasons are the reasons of decisions about plans that hold. A plan has the index of its last one.
var planReasons = [...]core.Reason{
	"", core.ReasonPlanned, core.ReasonEarlier, core.ReasonNode, core.ReasonOutranked, core.ReasonOverrun, core.ReasonCapacity, core.ReasonChanged, core.ReasonWindow,
}

// planReason returns the index of a reason, or 0 if it is of no such decision.
func planReason(reason core.Reason) uint8 {
	return uint8(max(0, slices.Index(planReasons[:], reason)))
}

// PlannedStart returns the planned start of an ask, or nil if it has none that holds.
func (s *State) PlannedStart(ask app.Ask) *core.PlannedStart {
	p, has := s.Plans().Of(ask.Slot())
	if !has {
		return nil
	}
	d := &core.PlannedStart{Start: p.Start, Node: s.finder.ID(p.Node), Reason: planReasons[p.Reason]}
	if end, _ := s.PromiseOn(ask, p.Node, max(p.Start, s.now)); end != instant.Never {
		d.Ends = &end
	}
	if p.Gang != 0 && p.Head == p.Ask {
		for _, m := range s.PlansWith(p) {
			d.Nodes = append(d.Nodes, s.finder.ID(m.Node))
		}
	}
	return d
}

// PlansWith returns a plan or, if it is of a member of a gang that starts together, those of all these members, in the order of asks.
func (s *State) PlansWith(p plans.Plan) []plans.Plan {
	if p.Gang == 0 {
		return []plans.Plan{p}
	}
	return s.PlanOfGang(p.Gang)
}

// PlannedStarts returns the number of blocked asks and gangs with planned starts.
func (s *State) PlannedStarts() (n int) {
	for p := range s.Plans().All {
		if !p.Lost && p.Head == p.Ask {
			n++
		}
	}
	return n
}
