package state

import (
	"fmt"
	"slices"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/state/claims"
	"github.com/quern-project/quern/core/internal/state/departures"
)

// Atomic gangs: membership, timeout, and allocation of several members in one decision.

// atomicGangOf returns the gang of an application that an input names, or nil.
func atomicGangOf(a app.App, id string) app.AtomicGang {
	for g := range a.AtomicGangs {
		if g.Row().ID == id {
			return g
		}
	}
	return app.AtomicGang{}
}

// rejectAtomic refuses a member whose settings differ from those of its gang. It reports whether it did.
func (s *State) rejectAtomic(in *core.AddAsk, a app.App) bool {
	g := atomicGangOf(a, in.Ask.Gang.ID)
	if g.IsNone() {
		return s.rejectSet(in, a) || s.rejectSlices(in)
	}
	known := saidOf(g)
	if known == *in.Ask.Gang && g.Row().Topology == in.Ask.Topology {
		return s.rejectSet(in, a) || s.rejectSlices(in) || s.rejectOverMax(in, g)
	}
	s.rejectAsk(in, core.ReasonGangMismatch, fmt.Sprintf("gang %q has %s; the ask has %s",
		known.ID, gangText(&known, g.Row().Topology), gangText(in.Ask.Gang, in.Ask.Topology)))
	return true
}

// rejectOverMax refuses a member beyond the largest size of its gang. It reports whether it did.
func (s *State) rejectOverMax(in *core.AddAsk, g app.AtomicGang) bool {
	row := g.Row()
	if row.Max == 0 || row.Members < row.Max {
		return false
	}
	s.rejectAsk(in, core.ReasonGangOverMax, fmt.Sprintf("gang %q has %d members, and its gang_max is %d", row.ID, row.Members, row.Max))
	return true
}

// rejectSlices refuses a member whose gang cannot consist of whole slices. It reports whether it did.
func (s *State) rejectSlices(in *core.AddAsk) bool {
	size := in.Ask.Topology.Slice.Size
	if size == 0 || in.Ask.Gang.Min%size == 0 {
		return false
	}
	s.rejectAsk(in, core.ReasonGangMismatch, fmt.Sprintf("gang_min %d is no multiple of the %d members of a slice", in.Ask.Gang.Min, size))
	return true
}

// saidOf returns the settings of a gang as each member states them.
func saidOf(g app.AtomicGang) core.Gang {
	r := g.Row()
	return core.Gang{ID: r.ID, Min: r.Min, Timeout: r.Timeout, Fallback: r.Fallback, Disruption: r.Disrupt, Repair: r.Repair, Max: r.Max, Set: r.Set, SetMin: r.SetMin}
}

func gangText(said *core.Gang, in core.Topology) string {
	text := fmt.Sprintf("gang_min %d and gang_timeout %s", said.Min, said.Timeout)
	if said.Fallback {
		text += " with gang_fallback members"
	}
	if said.Set != "" {
		text += fmt.Sprintf(", gang_set %s of %d", said.Set, said.SetMin)
	}
	if said.Disruption != core.DisruptUnit {
		text += fmt.Sprintf(", gang_disruption %s", said.Disruption)
	}
	if said.Repair.Bounded {
		text += fmt.Sprintf(", gang_repair %s", said.Repair.Within)
	}
	if said.Max != 0 {
		text += fmt.Sprintf(", gang_max %d", said.Max)
	}
	if in.Required != "" {
		text += ", topology_required " + in.Required
	}
	if in.Preferred != "" {
		text += ", topology_preferred " + in.Preferred
	}
	if in.Slice.Size != 0 {
		text += fmt.Sprintf(", topology_slice %d %s", in.Slice.Size, in.Slice.Level)
	}
	return text
}

// asItsGang returns a restored member with the settings of its gang, if that exists already: those of the first member apply.
func asItsGang(in *core.AddAsk, a app.App) *core.AddAsk {
	if in.Ask.Gang == nil {
		return in
	}
	g := atomicGangOf(a, in.Ask.Gang.ID)
	if g.IsNone() || saidOf(g) == *in.Ask.Gang && g.Row().Topology == in.Ask.Topology {
		return in
	}
	member := *in
	member.Ask.Gang, member.Ask.Topology = new(saidOf(g)), g.Row().Topology
	return &member
}

// joinAtomic adds a new ask to its gang. The first member creates the gang.
func (s *State) joinAtomic(ask app.Ask, said *core.Gang, in core.Topology) {
	g, a := atomicGangOf(ask.App(), said.ID), s.edit(ask.App())
	if g.IsNone() {
		row := app.AtomicRow{ID: said.ID, Min: said.Min, Max: said.Max, Timeout: said.Timeout, Fallback: said.Fallback, Since: s.now, Seq: ask.Seq(),
			Disrupt: said.Disruption, Repair: said.Repair, Topology: in}
		row.Succeeded = s.takeSucceeded(ask.App(), said)
		row.Placed = row.Min <= row.Succeeded
		row.Set, row.SetMin = said.Set, said.SetMin
		if row.Succeeded > 0 { // it was placed before
			s.startSet(ask.App(), row.Set)
		}
		row.SetStarted = row.Set != "" && s.gangs.View().SetStarted(ask.App().Number(), row.Set)
		g = a.AddGang(row)
	}
	row := a.EditGang(g)
	if row.Members++; row.Members == 1 {
		s.timeAtomic(ask.App(), g)
	}
	s.asks.SetAtomic(ask.Slot(), g.Number())
	a.GangResized()
	if said.Max > 0 && row.Members == 1 {
		s.note(ElasticGangAdded)
	}
}

// timeAtomic sets the timer of a gang, if it has a timeout.
func (s *State) timeAtomic(a app.App, g app.AtomicGang) {
	if at, ok := g.Ends(); ok {
		s.timers.push(timer{at: at, kind: atomicTimer, seq: a.Seq(), app: a, gang: g})
	}
}

// leaveAtomic removes an ask that is being forgotten from its gang. The gang ends with its last member.
func (s *State) leaveAtomic(ask app.Ask) {
	g, a := ask.Atomic(), s.edit(ask.App())
	a.GangResized()
	row := a.EditGang(g)
	if row.Members--; row.Members == 0 {
		s.log.gangs = append(s.log.gangs, g)
		if row.Judge {
			s.toJudge = slices.DeleteFunc(s.toJudge, func(u unjudged) bool { return u.gang == g })
		}
		a.EndGang(g)
		s.keepSucceeded(ask.App(), g)
		if s.accumulation.Gang == g {
			s.EndAccumulation("")
		}
	}
}

// raiseLargest accounts for the total that the members of a gang may need at once.
func (s *State) raiseLargest(ask app.Ask) {
	g := ask.WaitingGang()
	if g.IsNone() {
		return
	}
	for need := range ask.Class().Needs().All {
		s.classes.Raise(need.Lane, g.Most(need.Min))
	}
}

// atomicPlaced handles the allocation of a member: the other members of its gang are ordinary asks from now on.
func (s *State) atomicPlaced(ask app.Ask) {
	if g := ask.WaitingGang(); !g.IsNone() {
		a := s.edit(ask.App())
		s.endGangPlan(g, true)
		a.EditGang(g).Placed = true
		a.Regroup(g)
		if g.Elastic() {
			s.chooseRoles(ask.App(), g)
		}
		s.startSet(ask.App(), g.Row().Set)
	}
}

// endAtomic handles the timeout of a gang: it ends the pending members
// in the order of the walk or, with fallback, makes them ordinary asks.
func (s *State) endAtomic(a app.App, g app.AtomicGang) {
	row := g.Row()
	if row.Fallback {
		s.fallBack(a, g)
		return
	}
	members := slices.DeleteFunc(s.PendingOf(a), func(ask app.Ask) bool { return ask.WaitingGang() != g })
	slices.SortFunc(members, a.Compare)
	for _, ask := range members {
		d := s.emit(core.AskRejected)
		d.ID, d.App, d.Reason = ask.ID(), a.ID(), core.ReasonGangTimeout
		d.Message = fmt.Sprintf("gang %q was not placed within %s", row.ID, row.Timeout)
		s.withdraw(ask)
	}
	s.idle(a)
}

// Placement is an ask and the node on which it is to be allocated.
type Placement struct {
	Ask  app.Ask
	Node int32
}

// Assume counts an ask on a node while others are tried in addition. TakeBack undoes it.
func (s *State) Assume(p Placement) {
	s.nodes.Allocate(p.Node, p.Ask.Class().Demand())
	s.finder.Filled(p.Node)
	s.reportPlacement(p.Ask, p.Node, false)
}

// TakeBack undoes Assume.
func (s *State) TakeBack(list []Placement) {
	for i := range list {
		s.nodes.Release(list[i].Node, list[i].Ask.Class().Demand())
		s.finder.Emptied(list[i].Node)
		s.reportPlacement(list[i].Ask, list[i].Node, true)
	}
}

// AllocateGang allocates the members of a gang, or of several of one application, which are assumed on their nodes, together. It returns the lowest of their priorities in
// the view of root.
func (s *State) AllocateGang(list []Placement) (lowest int32) {
	for i := range list {
		if list[i].Ask.Hold().IsClaimed() {
			s.endClaim(list[i].Ask)
		}
	}
	first, modules := list[0].Ask, s.modules.Any()
	for i := range list {
		if modules { // they see a change of the node, as after any other allocation
			s.finder.Filled(list[i].Node)
		}
		r := list[i].Ask.Row()
		if priority := s.place(list[i].Ask, &r, list[i].Node); i == 0 || priority < lowest {
			lowest = priority
		}
	}
	if s.Accumulates() && s.accumulation.Gang == first.Atomic() {
		s.EndAccumulation("")
	}
	for i := range list {
		if i == 0 || list[i].Ask.Atomic() != list[i-1].Ask.Atomic() {
			s.atomicPlaced(list[i].Ask)
		}
	}
	for i := range list {
		s.allocated(list[i].Ask, list[i].Ask.App())
		s.memberRuns(list[i].Ask)
	}
	s.bindGangs()
	return lowest
}

// PreemptForGang asks the victims of a gang to leave, and gives its members
// claims on their nodes. See LandsFor for whom each victim leaves.
func (s *State) PreemptForGang(list []Placement, victims []Victim, by Terms) {
	gone := asksOf(victims)
	ending := s.EndingGangs(gone)
	for _, v := range gone {
		s.announce(core.Preemption, LandsFor(list, v, gone), v, ending, by)
	}
	s.spendBudgets(gone)
	s.countPreempted(gone)
	s.shrinkEpoch++
	claimed := map[app.Ask]uint64{}
	for _, p := range list {
		s.counters.Claimed++
		claimed[p.Ask] = s.counters.Claimed
	}
	for _, v := range victims {
		s.leave(v.Ask, &departures.Departure{Claim: claimed[LandsFor(list, v.Ask, gone)], Why: v.Why})
		s.memberLost(v.Ask, core.ReasonPreempted)
	}
	s.restartGangs(ending, gone)
	s.bindGangs()
	if s.Accumulates() && s.accumulation.Gang == list[0].Ask.Atomic() {
		s.EndAccumulation("")
	}
	gang := s.claims.NewGang(len(victims))
	for _, p := range list {
		s.claim(claims.Claim{Seq: claimed[p.Ask], Ask: p.Ask.Slot(), Node: p.Node, Made: s.now, Gang: gang})
	}
}

// ObserveGang emits the decisions that a gang's preemption would cause, once, and preempts nothing.
func (s *State) ObserveGang(list []Placement, victims []app.Ask, by Terms) {
	ending := s.EndingGangs(victims)
	for _, v := range victims {
		s.announce(core.Observed, LandsFor(list, v, victims), v, ending, by)
	}
	for i := range list {
		s.asks.MarkObserved(list[i].Ask.Slot())
	}
}

// LandsFor returns the ask that a victim leaves for: the first that is placed on its node or, if none is, on the node of another victim of
// its gang.
func LandsFor(list []Placement, v app.Ask, victims []app.Ask) app.Ask {
	at := slices.IndexFunc(list, func(p Placement) bool { return p.Node == v.Node() })
	if at < 0 {
		at = slices.IndexFunc(list, func(p Placement) bool {
			return slices.ContainsFunc(victims, func(other app.Ask) bool { return other.Node() == p.Node && sharesUnit(other, v) })
		})
	}
	return list[at].Ask
}

func sharesUnit(v, w app.Ask) bool {
	for u := range v.Units {
		if u.Has(w) {
			return true
		}
	}
	return false
}

// countStaying counts one more or fewer allocation that does not leave in its gangs. With 0, something else has changed that decides
// whether their members may be preempted.
func (s *State) countStaying(ask app.Ask, more int) {
	if ask.Grouped() {
		s.countPresent(ask, more)
	}
	g := ask.Atomic()
	if g.IsNone() {
		return
	}
	a := s.edit(ask.App())
	row := a.EditGang(g)
	s.bindLater(ask.App(), g)
	if row.Staying += more; row.Staying == 0 && more < 0 {
		s.judgeLater(ask.App(), g)
	}
	if row.Broken && more != 0 {
		s.chooseRoles(ask.App(), g)
		s.judgeLater(ask.App(), g) // it may be whole, if a member will take the place of a placeholder
	} else if g.Elastic() && g.Missing() != row.Wanting {
		s.chooseRoles(ask.App(), g)
	}
	a.GangResized()
	if ask.LeavesAsUnit() || s.RankPolicy() != nil { // which may read its surplus
		s.note(UnitChanged).app = ask.App()
	}
}

// countPresent is countStaying for the gang of an application with placeholders.
func (s *State) countPresent(ask app.Ask, more int) {
	a := ask.App()
	g := s.Gangs().Of(a.Number())
	if !g.Unit {
		return
	}
	switch demand := ask.Class().Demand(); more {
	case 1:
		s.gangs.Join(a.Number(), demand)
	case -1:
		s.gangs.Part(a.Number(), demand)
	}
	if g.Formed && ask.Atomic().IsNone() {
		s.note(UnitChanged).app = a
	}
}

// LogEnd returns the number of the next change. While it stays the same, nothing has changed.
func (s *State) LogEnd() uint64 { return s.log.first + uint64(len(s.log.entries)) }

// FirstMembers lists the first pending members of the gang with which an ask waits, in the order of asks: as many as start together, or fewer.
func (s *State) FirstMembers(of app.Ask) []app.Ask {
	g := of.WaitingGang()
	members := slices.DeleteFunc(s.PendingOf(of.App()), func(ask app.Ask) bool { return ask.WaitingGang() != g })
	slices.SortFunc(members, of.App().Compare)
	return members[:min(len(members), g.Need())]
}
