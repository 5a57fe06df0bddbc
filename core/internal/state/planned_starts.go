package state

import (
	"cmp"
	"slices"
	"time"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/state/plans"
)

// plannedStarts holds the planned starts of blocked asks, and what the next decisions will tell of them.
type plannedStarts struct {
	*plans.Plans
	slips   Slip        // what may move starts later since the last decisions
	ended   []endedPlan // plans that decisions have told, of asks that have none any more
	changed bool        // there may be something to tell
	gained  bool        // some plan is earlier than told, by too little so far
}

// endedPlan is a told plan of an ask that was withdrawn, or that is no longer planned with its gang.
type endedPlan struct {
	Seq           uint64
	ID, App, Gang string
	GangSeq       uint64        `json:",omitempty"` // of the gang; 0 if the ask was planned alone
	First         bool          `json:",omitempty"` // the decision has named the ask
	ToldAt        time.Duration `json:",omitempty"` // its start
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

// PlanStart makes or changes the plan of an ask that starts alone.
func (s *State) PlanStart(ask app.Ask, n int32, start time.Duration) {
	p, has := s.Plans().Any(ask.Slot())
	if !has {
		p = plans.Plan{Ask: ask.Slot(), Head: ask.Slot(), ToldNode: plans.NoNode}
	}
	p.Node, p.Start, p.Lost = n, start, false
	s.planned.Set(p)
	s.planned.changed = true
}

// PlanGang makes or changes the plan of a gang. on lists the members that start together with their nodes, the first pending one first.
func (s *State) PlanGang(on []Placement, start time.Duration) {
	head := on[0].Ask
	gang, told := head.WaitingGang().Row().Seq, plans.Plan{ToldNode: plans.NoNode}
	rank := int32(0)
	for _, p := range s.Plans().OfGang(gang) {
		if p.IsTold() {
			told = p
		}
		rank = max(rank, p.Rank)
		if !slices.ContainsFunc(on, func(m Placement) bool { return m.Ask.Slot() == p.Ask }) {
			s.endMember(p)
		}
	}
	for _, e := range s.planned.ended {
		if e.GangSeq == gang {
			told.ToldNode, told.ToldAt = plans.GoneNode, e.ToldAt
		}
	}
	for _, m := range on {
		p, has := s.Plans().Any(m.Ask.Slot())
		if !has {
			p = plans.Plan{Ask: m.Ask.Slot(), Gang: gang, ToldNode: plans.NoNode}
			if told.IsTold() { // another member takes part
				p.ToldNode, p.ToldAt, p.Changed = plans.GoneNode, told.ToldAt, true
			}
		}
		p.Head, p.Node, p.Start, p.Lost, p.Rank = head.Slot(), m.Node, start, false, rank
		s.planned.Set(p)
	}
	s.planned.changed = true
}

// LosePlan ends the plan of a pending ask, or of the gang with which it waits. The next decisions tell it, if they have told the plan.
func (s *State) LosePlan(ask app.Ask) {
	p, has := s.Plans().Any(ask.Slot())
	switch {
	case !has:
	case p.Gang == 0:
		s.losePlan(p)
	default:
		for _, p := range s.Plans().OfGang(p.Gang) {
			s.losePlan(p)
		}
	}
}

func (s *State) losePlan(p plans.Plan) {
	if !p.IsTold() {
		s.planned.End(p.Ask)
		return
	}
	p.Lost = true
	s.planned.Set(p)
	s.planned.changed = true
}

// HoldPlanned marks a node as one that planned asks will use, or as one without them.
func (s *State) HoldPlanned(n int32, holds bool) {
	if s.finder.Has(n) && s.finder.Hold(n).IsAccumulated() != holds {
		s.nodes.Accumulate(n, holds)
		s.nodeChanged(n)
	}
}

// planWithdrawn ends the plan of an ask that is no longer pending. Unless it is quiet, the next decisions tell it. The members of a gang that
// were to start with the ask lose their plans, too.
func (s *State) planWithdrawn(ask app.Ask, quiet bool) {
	p, has := s.Plans().Any(ask.Slot())
	if !has {
		return
	}
	if quiet {
		s.planned.End(ask.Slot())
	} else {
		s.endMember(p)
	}
	s.planned.changed = true
	if p.Gang == 0 {
		return
	}
	for _, other := range s.Plans().OfGang(p.Gang) {
		other.Changed = true
		s.losePlan(other)
	}
}

// endMember ends the plan of an ask, and remembers that decisions have told it.
func (s *State) endMember(p plans.Plan) {
	s.planned.End(p.Ask)
	if !p.IsTold() {
		return
	}
	ask := s.AskAt(p.Ask)
	e := endedPlan{Seq: ask.Seq(), ID: ask.ID(), App: ask.App().ID(), GangSeq: p.Gang, First: p.First, ToldAt: p.ToldAt}
	if p.Gang != 0 {
		e.Gang = ask.Atomic().Row().ID
	}
	s.planned.ended = append(s.planned.ended, e)
}

// endGangPlan ends the plan of a gang that no longer waits. Only if it has started, nothing is told.
func (s *State) endGangPlan(g app.AtomicGang, started bool) {
	if s.Plans().Len() == 0 && len(s.planned.ended) == 0 {
		return
	}
	gang := g.Row().Seq
	for _, p := range s.Plans().OfGang(gang) {
		if started {
			s.planned.End(p.Ask)
		} else {
			s.endMember(p)
		}
		s.planned.changed = true
	}
	if started {
		s.planned.ended = slices.DeleteFunc(s.planned.ended, func(e endedPlan) bool { return e.GangSeq == gang })
	}
}

// planChanged records that an ask has changed itself, so that its plan may be later.
func (s *State) planChanged(ask app.Ask) {
	if p, has := s.Plans().Any(ask.Slot()); has && !p.Changed {
		p.Changed = true
		s.planned.Set(p)
	}
}

// PlanChanged reports whether an ask, or a member of the gang with which it is planned, has changed since the last decision.
func (s *State) PlanChanged(ask app.Ask) bool {
	p, _ := s.Plans().Any(ask.Slot())
	if p.Gang == 0 {
		return p.Changed
	}
	return slices.ContainsFunc(s.Plans().OfGang(p.Gang), func(p plans.Plan) bool { return p.Changed })
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
