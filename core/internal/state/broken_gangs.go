package state

import (
	"cmp"
	"slices"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/state/replacements"
)

// unjudged is a gang that has to be judged.
type unjudged struct {
	app  app.App
	gang app.AtomicGang
}

// judgeLater has a gang judged before the next cycle that follows an input.
func (s *State) judgeLater(a app.App, g app.AtomicGang) {
	if row := s.edit(a).EditGang(g); !row.Judge {
		row.Judge = true
		s.toJudge = append(s.toJudge, unjudged{a, g})
	}
}

// memberLost notes why a member of a gang is gone, or was told to leave: if its gang turns out to be broken, the first cause is the reason.
func (s *State) memberLost(ask app.Ask, cause core.Reason) {
	g := ask.Atomic()
	if g.IsNone() {
		return
	}
	if row := s.edit(ask.App()).EditGang(g); row.Lost == "" {
		row.Lost = cause
	}
	s.judgeLater(ask.App(), g)
}

// memberRestored records that an allocation was restored. Its gang is judged when all have been.
func (s *State) memberRestored(ask app.Ask, first bool) {
	at := s.now
	s.shared.restoredAt = &at
	g := ask.Atomic()
	if g.IsNone() {
		return
	}
	if first {
		s.edit(ask.App()).EditGang(g).Restored = true
		s.judgeLater(ask.App(), g)
	}
	s.memberRuns(ask)
}

// JudgeGangs finds out which gangs are broken. It does so once after inputs, before the first cycle: what several inputs do together counts.
// A restored gang is not judged at a time at which allocations are restored, since others may follow, but at the next possible time.
func (c *Shared) JudgeGangs() {
	for _, s := range c.partitions {
		s.bindGangs()
	}
	if c.judged {
		return
	}
	c.judged = true
	for _, s := range c.partitions {
		if len(s.toJudge) > 0 {
			s.judgeGangs()
			s.bindGangs()
		}
	}
}

func (s *State) judgeGangs() {
	all := s.toJudge
	s.toJudge = nil
	slices.SortFunc(all, func(a, b unjudged) int {
		return cmp.Or(cmp.Compare(a.app.Seq(), b.app.Seq()), cmp.Compare(a.gang.Row().Seq, b.gang.Row().Seq))
	})
	for _, u := range all {
		switch row := u.gang.Row(); {
		case u.app.Ended():
		case row.Restored && s.shared.restoredAt != nil && *s.shared.restoredAt == s.now:
			s.toJudge = append(s.toJudge, u)
		default:
			s.judgeGang(u.app, u.gang)
		}
	}
	s.noteQuotas()
}

// judgesRestored returns when gangs that have been restored now are judged. ok is false if there are none.
func (s *State) judgesRestored() (at time.Duration, ok bool) {
	if s.shared.restoredAt == nil || *s.shared.restoredAt != s.now {
		return 0, false
	}
	restored := slices.ContainsFunc(s.toJudge, func(u unjudged) bool { return u.gang.Row().Restored })
	return instant.Add(s.now, 1), restored
}

// listUnjudged lists the gangs of a state that is being made which have to be judged.
func (s *State) listUnjudged() {
	for a := range s.orders.Apps {
		for g := range a.AtomicGangs {
			if g.Row().Judge {
				s.toJudge = append(s.toJudge, unjudged{a, g})
			}
		}
	}
}

func (s *State) judgeGang(a app.App, g app.AtomicGang) {
	row := s.edit(a).EditGang(g)
	cause := row.Lost
	if row.Restored { // it was whole before a restart
		row.Whole, cause = true, cmp.Or(cause, core.ReasonMemberFailed)
	}
	row.Judge, row.Lost, row.Restored = false, "", false
	switch {
	case !row.Placed || row.Dissolved:
	case row.Staying == 0: // the gang is over
		s.restartGang(a, g)
	case row.Staying >= g.Need():
		s.gangIsWhole(a, g)
	case row.Broken:
	case row.Whole && cause != "":
		s.breakGang(a, g, cause)
	}
}

func (s *State) breakGang(a app.App, g app.AtomicGang, cause core.Reason) {
	row := s.edit(a).EditGang(g)
	row.Broken, row.BrokenSince, row.BrokenBy = true, s.now, cause
	s.emitGang(core.GangBroken, a, g).Reason = cause
	if row.Repair.Bounded && row.Repair.Within == 0 {
		s.endBroken(a, g)
		return
	}
	s.chooseRoles(a, g)
	s.timeRepair(a, g)
}

// gangIsWhole records that enough members of a gang are there.
func (s *State) gangIsWhole(a app.App, g app.AtomicGang) {
	row := s.edit(a).EditGang(g)
	row.Whole = true
	if row.Broken {
		row.Broken = false
		s.emitGang(core.GangRepaired, a, g)
		s.chooseRoles(a, g)
	}
}

// emitGang emits a decision about a gang.
func (s *State) emitGang(t core.DecisionType, a app.App, g app.AtomicGang) *core.Decision {
	row := g.Row()
	d := s.emit(t)
	d.App, d.Gang, d.Allocated, d.Min = a.ID(), row.ID, row.Staying, g.Need()
	return d
}

// chooseRoles chooses the repairs of a broken gang, and the surplus asks of an elastic one, among its pending members.
func (s *State) chooseRoles(a app.App, g app.AtomicGang) {
	for _, ask := range s.edit(a).ChooseRoles(g) {
		s.askChanged(AskUpdated, ask, app.NoNode)
	}
}

// pendingChanged chooses the roles of a gang's pending members again, after one came, went, or has another priority. While no member is
// missing, all of them are surplus asks.
func (s *State) pendingChanged(ask app.Ask) {
	if g := ask.Atomic(); !g.IsNone() && g.HasRoles() && (g.Row().Broken || g.Missing() > 0) {
		s.chooseRoles(ask.App(), g)
	}
}

// memberRuns records that a member of a gang has been allocated.
func (s *State) memberRuns(ask app.Ask) {
	g := ask.Atomic()
	if g.IsNone() {
		return
	}
	switch row := g.Row(); {
	case row.Dissolved || row.Restored:
	case row.Staying >= g.Need():
		s.gangIsWhole(ask.App(), g)
	case row.Broken:
		s.chooseRoles(ask.App(), g)
	}
}

// timeRepair sets the timer of a broken gang, if its repair is bounded.
func (s *State) timeRepair(a app.App, g app.AtomicGang) {
	if at, ok := g.RepairEnds(); ok {
		s.timers.push(timer{at: at, kind: repairTimer, seq: a.Seq(), app: a, gang: g})
	}
}

// endBroken asks the last members of a gang to leave that was broken for too long. The others wait for being placed as a gang again.
func (s *State) endBroken(a app.App, g app.AtomicGang) {
	var last []app.Ask
	for v := a.FirstPlaced(); !v.IsNone(); v = v.NextOfApp() {
		if v.Atomic() == g && !v.Leaving() {
			last = append(last, v)
		}
	}
	if g.Row().Staying > 0 { // also if the last one is about to replace a placeholder
		d := s.emitGang(core.GangEnded, a, g)
		for _, v := range last {
			d.Members = append(d.Members, core.Member{ID: v.ID(), Placement: v.Placed()})
		}
	}
	for _, v := range last {
		s.notify(v, replacements.GangEnded, "")
		s.memberChanged(v)
	}
	s.restartGang(a, g)
}
