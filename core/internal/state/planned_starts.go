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

// plannedStarts holds the planned starts of blocked asks, and what the next decisions will tell of them.
type plannedStarts struct {
	*plans.Plans
	slips   Slip        // what may move starts later since the last decisions
	ended   []endedPlan // plans that decisions have told, of asks that are gone
	changed bool        // there may be something to tell
	gained  bool        // some plan is earlier than told, by too little so far
}

// endedPlan is a told plan of an ask that was withdrawn.
type endedPlan struct {
	Seq           uint64
	ID, App, Gang string
}

// Slip is a set of causes that may move planned starts later.
type Slip uint8

// The causes, but those of a single ask. Without one, only another ask can be the cause.
const (
	SlipOverrun Slip = 1 << iota
	SlipCapacity
	SlipWindow
)

// Plans returns a view of the planned starts.
func (s *State) Plans() plans.View { return s.planned.View() }

// Slipped records a cause that may move planned starts later.
func (s *State) Slipped(by Slip) {
	if s.conf.Backfill.Plans() {
		s.planned.slips |= by
	}
}

// PlanStart makes or changes the plan of an ask. head is the first pending member of its gang, or the ask itself.
func (s *State) PlanStart(ask, head app.Ask, n int32, start time.Duration) {
	p, has := s.Plans().Any(ask.Slot())
	if !has {
		p = plans.Plan{Ask: ask.Slot(), ToldNode: plans.NoNode}
	}
	p.Head, p.Node, p.Start, p.Lost = head.Slot(), n, start, false
	s.planned.Set(p)
	s.planned.changed = true
}

// LosePlan ends the plan of a pending ask. The next decisions tell it, if they have told the plan.
func (s *State) LosePlan(ask app.Ask) {
	p, has := s.Plans().Any(ask.Slot())
	switch {
	case !has:
	case p.IsTold():
		p.Lost = true
		s.planned.Set(p)
		s.planned.changed = true
	default:
		s.planned.End(ask.Slot())
	}
}

// HoldPlanned marks a node as one that planned asks will use, or as one without them.
func (s *State) HoldPlanned(n int32, holds bool) {
	if s.finder.Has(n) && s.finder.Hold(n).IsAccumulated() != holds {
		s.nodes.Accumulate(n, holds)
		s.nodeChanged(n)
	}
}

// planWithdrawn ends the plan of an ask that is no longer pending. Unless it is quiet, the next decisions tell it.
func (s *State) planWithdrawn(ask app.Ask, quiet bool) {
	p, has := s.Plans().Any(ask.Slot())
	if !has {
		return
	}
	s.planned.End(ask.Slot())
	if p.IsTold() && p.Head == p.Ask && !quiet {
		e := endedPlan{Seq: ask.Seq(), ID: ask.ID(), App: ask.App().ID()}
		if g := ask.Atomic(); !g.IsNone() {
			e.Gang = g.Row().ID
		}
		s.planned.ended = append(s.planned.ended, e)
	}
	s.planned.changed = true
}

// planChanged records that an ask has changed itself, so that its plan may be later.
func (s *State) planChanged(ask app.Ask) {
	if p, has := s.Plans().Any(ask.Slot()); has && !p.Changed {
		p.Changed = true
		s.planned.Set(p)
	}
}

// promiseUpdated records that an update will give an ask or an allocation another walltime, unless that is 0.
func (s *State) promiseUpdated(ask app.Ask, limit time.Duration) {
	switch w := ask.Walltime(); {
	case limit == 0 || limit == w.Limit:
	case ask.Pending():
		s.planChanged(ask)
		s.askChanged(AskUpdated, ask, app.NoNode)
	default:
		if limit > w.Limit {
			s.Slipped(SlipOverrun)
		}
		s.nodeChanged(ask.Node())
	}
}

// TellPlans emits the decisions about plans at the end of a cycle: first those of plans that have ended, in the order of submission, then those
// of the others, in the order in which their asks are listed. why says why the plan of a pending ask has ended.
func (s *State) TellPlans(order []app.Ask, why func(app.Ask) core.Reason) {
	x := &s.planned
	if !x.changed && !x.gained {
		x.slips = 0
		return
	}
	ended := x.ended
	for p := range s.Plans().All {
		if p.Lost && p.Head == p.Ask {
			ask := s.AskAt(p.Ask)
			ended = append(ended, endedPlan{ask.Seq(), ask.ID(), ask.App().ID(), gangIDOf(ask)})
		}
	}
	slices.SortFunc(ended, func(a, b endedPlan) int { return cmp.Compare(a.Seq, b.Seq) })
	for _, e := range ended {
		d := s.emit(core.Plan)
		d.ID, d.App, d.Gang, d.Reason = e.ID, e.App, e.Gang, core.ReasonWithdrawn
		if ask := s.orders.Find(e.ID); !ask.IsNone() && ask.Seq() == e.Seq {
			d.Reason = why(ask)
		}
	}
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

func gangIDOf(ask app.Ask) string {
	if g := ask.Atomic(); !g.IsNone() {
		return g.Row().ID
	}
	return ""
}

// tellPlan emits the decision about the plan of an ask, or of the gang of which it is the first pending member, if it has to be told.
func (s *State) tellPlan(ask app.Ask) {
	p, has := s.Plans().Of(ask.Slot())
	if !has {
		return
	}
	rows := []plans.Plan{p}
	if !ask.WaitingGang().IsNone() {
		rows = rows[:0]
		ask.App().EachMember(ask, func(m app.Ask) bool {
			if p, has := s.Plans().Of(m.Slot()); has && p.Head == ask.Slot() {
				rows = append(rows, p)
			}
			return true
		})
	}
	reason := s.reasonToTell(rows)
	if reason == "" {
		s.planned.gained = s.planned.gained || p.Start < p.ToldAt
		return
	}
	d := s.emit(core.Plan)
	d.ID, d.App, d.Gang, d.Reason = ask.ID(), ask.App().ID(), gangIDOf(ask), reason
	start := p.Start
	d.Start = &start
	for _, p := range rows {
		if d.Gang == "" || ask.WaitingGang().IsNone() {
			d.Node = s.finder.ID(p.Node)
		} else {
			d.Nodes = append(d.Nodes, s.finder.ID(p.Node))
		}
		p.ToldNode, p.ToldAt, p.Reason, p.Changed = p.Node, p.Start, planReason(reason), false
		s.planned.Set(p)
	}
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

// SortPlanned sorts asks with plans in the order in which they were last planned.
func (s *State) SortPlanned(list []app.Ask) {
	slices.SortFunc(list, func(a, b app.Ask) int {
		p, _ := s.Plans().Any(a.Slot())
		q, _ := s.Plans().Any(b.Slot())
		return cmp.Or(cmp.Compare(p.Rank, q.Rank), cmp.Compare(a.Seq(), b.Seq()))
	})
}

// RankPlans records the order in which asks were planned.
func (s *State) RankPlans(order []app.Ask) {
	last := int32(0)
	for _, ask := range order {
		p, has := s.Plans().Any(ask.Slot())
		if !has {
			continue
		}
		if p.Rank <= last {
			p.Rank = last + 1
			s.planned.Set(p)
		}
		last = p.Rank
	}
}
