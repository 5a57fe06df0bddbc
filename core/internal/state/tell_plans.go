package state

import (
	"cmp"
	"slices"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/state/plans"
)

// TellPlans emits the decisions about plans at the end of a cycle: first those of plans that have ended, in the order of submission, then those
// of the others, in the order in which their asks, or the first members of gangs, are listed. why says why the plan of a pending ask has ended.
func (s *State) TellPlans(order []app.Ask, why func(app.Ask) core.Reason) {
	x := &s.planned
	if !x.changed && !x.gained {
		x.slips = 0
		return
	}
	s.tellEnded(order, why)
	for p := range s.Plans().All {
		if p.Lost {
			x.End(p.Ask)
		}
	}
	x.ended, x.changed, x.gained = nil, false, false
	for _, ask := range order {
		s.tellPlan(ask)
	}
	x.slips = 0
}

// tellEnded emits the decisions about plans that have ended.
func (s *State) tellEnded(order []app.Ask, why func(app.Ask) core.Reason) {
	ended := s.planned.ended
	for p := range s.Plans().All {
		if p.Lost {
			ask := s.AskAt(p.Ask)
			ended = append(ended, endedPlan{Seq: ask.Seq(), ID: ask.ID(), App: ask.App().ID(), Gang: s.gangToTell(p), GangSeq: p.Gang, First: p.First})
		}
	}
	if len(ended) == 0 {
		return
	}
	slices.SortFunc(ended, func(a, b endedPlan) int { return cmp.Compare(a.Seq, b.Seq) })
	planned, withdrawn := map[uint64]bool{}, map[uint64]bool{}
	for _, ask := range order {
		if p, has := s.Plans().Of(ask.Slot()); has && p.Gang != 0 {
			planned[p.Gang] = true
		}
	}
	for _, e := range ended {
		if e.GangSeq != 0 && s.pendingOf(e).IsNone() {
			withdrawn[e.GangSeq] = true
		}
	}
	for _, e := range ended {
		if e.GangSeq != 0 && (!e.First || planned[e.GangSeq]) {
			continue
		}
		d := s.emit(core.Plan)
		d.ID, d.App, d.Gang, d.Reason = e.ID, e.App, e.Gang, core.ReasonWithdrawn
		if ask := s.pendingOf(e); !ask.IsNone() && !withdrawn[e.GangSeq] {
			d.Reason = why(ask)
		}
	}
}

// pendingOf returns the ask of a plan that has ended, or none if it is gone.
func (s *State) pendingOf(e endedPlan) app.Ask {
	if ask := s.orders.Find(e.ID); !ask.IsNone() && ask.Seq() == e.Seq {
		return ask
	}
	return app.Ask{}
}

// gangToTell returns the ID of the gang whose members were planned together, or "".
func (s *State) gangToTell(p plans.Plan) string {
	if p.Gang == 0 {
		return ""
	}
	return s.AskAt(p.Ask).Atomic().Row().ID
}

// tellPlan emits the decision about the plan of an ask, or of the gang of which it is the first pending member, if it has to be told.
func (s *State) tellPlan(ask app.Ask) {
	p, has := s.Plans().Of(ask.Slot())
	if !has {
		return
	}
	rows := s.PlansWith(p)
	reason := s.reasonToTell(rows)
	if reason == "" {
		s.planned.gained = s.planned.gained || p.Start < p.ToldAt
		return
	}
	d := s.emit(core.Plan)
	d.ID, d.App, d.Gang, d.Reason = ask.ID(), ask.App().ID(), s.gangToTell(p), reason
	start := p.Start
	d.Start = &start
	for i, p := range rows {
		if p.Gang == 0 {
			d.Node = s.finder.ID(p.Node)
		} else {
			d.Nodes = append(d.Nodes, s.finder.ID(p.Node))
		}
		p.ToldNode, p.ToldAt, p.Reason, p.Changed, p.First = p.Node, p.Start, planReason(reason), false, i == 0
		s.planned.Set(p)
	}
}

// PlanOfGang lists the plans of the members of a gang that start together, in the order of asks.
func (s *State) PlanOfGang(gang uint64) []plans.Plan {
	rows := slices.DeleteFunc(s.Plans().OfGang(gang), func(p plans.Plan) bool { return p.Lost })
	slices.SortFunc(rows, func(p, q plans.Plan) int {
		a, b := s.AskAt(p.Ask), s.AskAt(q.Ask)
		return a.App().Compare(a, b)
	})
	return rows
}

// earlierPart is the part of the wait by which it must shrink to be told.
const earlierPart = 10

// reasonToTell returns why a plan has to be told, or nothing. rows are those of the members of a gang.
func (s *State) reasonToTell(rows []plans.Plan) core.Reason {
	first, elsewhere, changed := rows[0], false, false
	for _, p := range rows {
		if !p.IsTold() {
			return core.ReasonPlanned
		}
		elsewhere = elsewhere || p.Node != p.ToldNode
		changed = changed || p.Changed
	}
	switch gain := instant.Sub(first.ToldAt, first.Start); {
	case gain < 0:
		return s.slipOf(changed)
	case gain > 0 && isPartOf(gain, instant.Sub(first.ToldAt, s.now)):
		return core.ReasonEarlier
	case elsewhere:
		return core.ReasonNode
	}
	return ""
}

// isPartOf reports whether a gain is at least a tenth of a wait.
func isPartOf(gain, wait time.Duration) bool {
	return gain > wait/earlierPart || gain == wait/earlierPart && wait%earlierPart == 0
}

// slipOf returns the reason of a start that is later than before.
func (s *State) slipOf(changed bool) core.Reason {
	switch slips := s.planned.slips; {
	case changed:
		return core.ReasonChanged
	case slips&SlipOverrun != 0:
		return core.ReasonOverrun
	case slips&SlipWindow != 0:
		return core.ReasonWindow
	case slips&SlipCapacity != 0:
		return core.ReasonCapacity
	}
	return core.ReasonOutranked
}
