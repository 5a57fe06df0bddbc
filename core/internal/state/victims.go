package state

import (
	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/state/asks"
	"github.com/quern-project/quern/core/internal/state/claims"
	"github.com/quern-project/quern/core/internal/state/departures"
	"github.com/quern-project/quern/core/internal/state/queues"
)

// Victims that have left are remembered for three days (expiryPeriod), at most the last goneLimit of them.
const goneLimit = 10_000

// Victim is an allocation that a search has chosen, with its explanation.
type Victim struct {
	Ask app.Ask
	Why explain.VictimExplanation
}

// Terms say how victims were chosen.
type Terms struct {
	Surplus     bool // by the right surplus
	Approximate bool // a better set may exist
}

// Preempt asks victims to leave, and gives the ask a claim on a node.
func (s *State) Preempt(ask app.Ask, n int32, victims []Victim, by Terms) {
	gone := asksOf(victims)
	ending := s.EndingGangs(gone)
	for _, v := range gone {
		s.announce(core.Preemption, ask, v, ending, by)
	}
	s.spendBudgets(gone)
	s.countPreempted(gone)
	s.counters.Claimed++
	s.shrinkEpoch++ // more may leave than the ask needs, so asks that exceeded the headroom are tried again
	for _, v := range victims {
		s.leave(v.Ask, &departures.Departure{Claim: s.counters.Claimed, Why: v.Why})
		s.memberLost(v.Ask, core.ReasonPreempted)
	}
	s.restartGangs(ending, gone)
	s.bindGangs()
	if ask.Hold().IsReserved() {
		s.Unreserve(ask, "")
	}
	id := s.claim(claims.Claim{Seq: s.counters.Claimed, Ask: ask.Slot(), Node: n, Made: s.now, Leaving: int32(len(victims))})
	s.awaitVictims(id, s.now)
}

// Observe emits the decisions that the ask's preemption would cause, once, and preempts nothing.
func (s *State) Observe(ask app.Ask, victims []app.Ask, by Terms) {
	s.asks.MarkObserved(ask.Slot())
	ending := s.EndingGangs(victims)
	for _, v := range victims {
		s.announce(core.Observed, ask, v, ending, by)
	}
}

func asksOf(victims []Victim) []app.Ask {
	list := make([]app.Ask, len(victims))
	for i := range victims {
		list[i] = victims[i].Ask
	}
	return list
}

// announce emits the decision about a victim of an ask. ending lists the gangs that end with the victims.
func (s *State) announce(t core.DecisionType, ask, victim app.Ask, ending Ending, by Terms) {
	d := s.emit(t)
	d.ID, d.For, d.Node, d.Queue, d.Approximate = victim.ID(), ask.ID(), s.finder.ID(victim.Node()), s.Queues().Path(s.QueueOf(victim)), by.Approximate
	d.Placement, d.Right = victim.Placed(), core.RightOf(ask.Class().Node() != "", s.QueueOf(ask) == s.QueueOf(victim))
	if by.Surplus {
		d.Right = core.RightSurplus
	}
	nameGang(d, victim, ending)
}

// nameGang names the gang of a victim, and says whether it ends.
func nameGang(d *core.Decision, victim app.Ask, ending Ending) {
	if g := victim.Atomic(); !g.IsNone() {
		d.Gang = g.Row().ID
	}
	d.GangEnded = ending.Members(victim) > 0
}

// leave marks a victim as leaving.
func (s *State) leave(v app.Ask, d *departures.Departure) {
	s.departures.Add(v.Slot(), d)
	s.countLeaving(v)
	s.memberChanged(v)
}

// countLeaving counts an allocation as leaving, and records the headroom that this may open.
func (s *State) countLeaving(v app.Ask) {
	q := s.QueueOf(v)
	s.promiseLess(q, nil)
	s.takeOut(v, q)
	s.note(FutureUsageChanged)
	s.queueChanged(q)
}

// takeOut counts an allocation as leaving on its node, in its queues and at its limits.
func (s *State) takeOut(v app.Ask, q queues.ID) {
	s.asks.MarkLeaving(v.Slot())
	if s.conf.Backfill.Plans() {
		s.asks.SetTold(v.Slot(), asks.Told{At: s.now, Known: true})
	}
	s.countStaying(v, -1)
	if v.IsPlaceholder() {
		s.placeholderLeaves(v)
	}
	n := v.Node()
	s.nodes.AddLeaving(n, v.Class().Demand())
	s.queues.AddLeaving(q, v.Class().Demand(), true)
	s.countLimitLeaving(v, true)
	s.nodeChanged(n)
}

// promiseLess records that the expected usage of a queue and those above it falls. It stops at the first queue in noted, and adds the
// queues before it to noted, which may be nil.
func (s *State) promiseLess(q queues.ID, noted map[queues.ID]bool) {
	tree := s.Queues()
	if tree.NumOver() > 0 {
		s.noteOver(q, false)
	}
	for ; q != queues.None && !noted[q]; q = tree.Parent(q) {
		if tree.MayLimit(q, s.classes.Largest()) {
			s.queueOpened(q)
		}
		if noted != nil {
			noted[q] = true
		}
	}
}

// departuresAtOnce is the number of departures in a block of memory. One victim that has not left keeps the whole block in memory.
const departuresAtOnce = 32

// leaveTogether is leave for the victims of a queue's round. It records changes that they share only once.
func (s *State) leaveTogether(q queues.ID, victims []app.Ask, why func(v app.Ask, why *explain.VictimExplanation)) {
	noted := map[queues.ID]bool{}
	var block []departures.Departure
	for i, v := range victims {
		if len(block) == 0 {
			block = make([]departures.Departure, min(departuresAtOnce, len(victims)-i))
		}
		d := &block[0]
		block = block[1:]
		leaf := s.QueueOf(v)
		if !noted[leaf] {
			s.promiseLess(leaf, noted)
			s.queueChanged(leaf)
		}
		d.Quota = s.Queues().Path(q)
		why(v, &d.Why)
		s.departures.Add(v.Slot(), d)
		s.takeOut(v, leaf)
		s.memberLost(v, core.ReasonPreempted)
		s.memberChanged(v)
	}
	s.bindGangs()
	s.queues.AddQuotaVictims(q, len(victims))
	s.note(FutureUsageChanged)
}

// depart undoes countLeaving when the allocation is gone.
func (s *State) depart(v app.Ask, n int32) {
	s.forgetNotice(v, n)
	d, isVictim := s.departures.End(v.Slot())
	if isVictim {
		if id := s.claims.WithSeq(d.Claim); id != claims.None {
			s.claims.VictimLeft(id)
			if on := s.claims.At(id).Node; on != n { // it has left with its gang, perhaps as the last one
				s.nodeChanged(on)
			}
		}
	}
	s.note(FutureUsageChanged)
	s.nodes.SubLeaving(n, v.Class().Demand())
	s.queues.AddLeaving(s.QueueOf(v), v.Class().Demand(), false)
	s.countLimitLeaving(v, false)
	if !isVictim {
		return
	}
	if d.Quota != "" {
		s.gaveBack(d.Quota)
	}
	d.Left, d.Why.Gone = s.now, true
	d.App, d.Times = v.App().Seq(), v.Preempted()
	s.gone = append(s.gone, d)
	if len(s.gone) > goneLimit {
		s.dropGone(goneLimit / 10)
	}
}

// LastDeparture returns the details of the last victim with an ID that has left, and whether there is one.
func (c *Shared) LastDeparture(id string) (departures.Departure, bool) {
	for i := len(c.gone) - 1; i >= 0; i-- {
		if c.gone[i].Why.ID == id {
			return c.gone[i], true
		}
	}
	return departures.Departure{}, false
}

// forgetGone removes the victims that left at least expiryPeriod ago.
func (c *Shared) forgetGone() {
	n := 0
	for n < len(c.gone) && expiryPeriod.After(c.gone[n].Left) <= c.now {
		n++
	}
	if n > 0 {
		c.dropGone(n)
	}
}
