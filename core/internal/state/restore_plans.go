package state

import (
	"fmt"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/state/asks"
	"github.com/quern-project/quern/core/internal/state/plans"
)

// planMemory is the planned start of an ask in a snapshot.
type planMemory struct {
	Head    string `json:",omitempty"` // the first pending member of its gang, if that is another ask
	Node    string
	Start   time.Duration
	Told    *toldPlan `json:",omitempty"` // nil if no decision has told it
	Rank    int32     `json:",omitempty"`
	Changed bool      `json:",omitempty"`
	Lost    bool      `json:",omitempty"`
	First   bool      `json:",omitempty"`
}

// toldPlan is what the last decision has told of a plan. Its node may be gone.
type toldPlan struct {
	Node   string
	Start  time.Duration
	Reason core.Reason `json:",omitempty"`
}

// rememberPlan returns the planned start of an ask, or nil if it has none.
func (s *State) rememberPlan(ask app.Ask) *planMemory {
	p, has := s.Plans().Any(ask.Slot())
	if !has {
		return nil
	}
	m := &planMemory{Node: s.nodeIDOf(p.Node), Start: p.Start, Rank: p.Rank, Changed: p.Changed, Lost: p.Lost, First: p.First}
	if p.Head != p.Ask {
		m.Head = s.AskAt(p.Head).ID()
	}
	if p.IsTold() {
		m.Told = &toldPlan{s.nodeIDOf(p.ToldNode), p.ToldAt, planReasons[p.Reason]}
	}
	return m
}

// nodeIDOf returns the ID of a node, or an empty string if it is gone.
func (s *State) nodeIDOf(n int32) string {
	if !s.finder.Has(n) {
		return ""
	}
	return s.finder.ID(n)
}

// plans restores planned starts, and when allocations were asked to leave.
func (r restorer) plans() error {
	s := r.s
	for i := range r.m.Asks {
		m := &r.m.Asks[i]
		ask := s.orders.Find(m.ID)
		if m.ToldAt != nil {
			s.asks.SetTold(ask.Slot(), asks.Told{At: *m.ToldAt, Known: true})
		} else {
			s.asks.SetTold(ask.Slot(), asks.Told{})
		}
		if m.Plan == nil {
			continue
		}
		p := plans.Plan{Ask: ask.Slot(), Head: ask.Slot(), Node: s.finder.Find(m.Plan.Node), Start: m.Plan.Start, ToldNode: plans.NoNode,
			Rank: m.Plan.Rank, Changed: m.Plan.Changed, Lost: m.Plan.Lost, First: m.Plan.First}
		if g := ask.WaitingGang(); !g.IsNone() {
			p.Gang = g.Row().Seq
		}
		if m.Plan.Head != "" {
			p.Head = s.orders.Find(m.Plan.Head).Slot()
		}
		if t := m.Plan.Told; t != nil {
			p.ToldNode, p.ToldAt, p.Reason = s.finder.Find(t.Node), t.Start, planReason(t.Reason)
			if p.ToldNode == app.NoNode {
				p.ToldNode = plans.GoneNode
			}
		}
		if p.Node == app.NoNode && !p.Lost || !ask.Pending() || p.Rank < 0 {
			return fmt.Errorf("ask %q: expected the plan of a pending ask on a node, found node %q", m.ID, m.Plan.Node)
		}
		s.planned.Set(p)
		if !p.Lost {
			s.HoldPlanned(p.Node, true)
		}
	}
	s.planned.slips, s.planned.ended, s.planned.changed = r.m.Slips, r.m.Unplanned, true
	return nil
}
