package preempt

import (
	"time"

	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/state/queues"
)

// sparing holds when allocations have run long enough to be victims. Without a least run time in the configuration, it is empty.
type sparing struct {
	any, required bool // some allocation may be spared; and for required nodes and by quota too
	until         askTimers
}

// renewSparing adopts the least run times of the queues.
func (s *Preemption) renewSparing() {
	s.spared = sparing{}
	if s.spared.any, s.spared.required = s.state.SparesAny(); !s.spared.any {
		return
	}
	s.spared.until = askTimers{holds: func(v app.Ask, at time.Duration) bool {
		until, spared := s.state.SparedUntil(v)
		return !v.Pending() && !v.Leaving() && (until == at || !spared && at <= s.state.Now())
	}}
	for ask := range s.state.Asks().All {
		if !ask.Pending() {
			s.spare(ask)
		}
	}
}

// spare has searches look again at an allocation when it has run long enough.
func (s *Preemption) spare(v app.Ask) {
	if !s.spared.any {
		return
	}
	if until, spared := s.state.SparedUntil(v); spared && until != instant.Never {
		s.spared.until.push(v, until)
	}
}

// moved handles an application in another queue, whose least run time may differ.
func (s *Preemption) moved(a app.App) {
	if !s.spared.any {
		return
	}
	for v := a.FirstPlaced(); !v.IsNone(); v = v.NextOfApp() {
		s.spare(v)
	}
}

// passSpared has searches look again at the allocations that have run long enough by now.
func (s *Preemption) passSpared() {
	s.spared.until.pass(s.state.Now(), func(v app.Ask) {
		touch(s.finder, v.Node())
		touch(s.dry, v.Node())
		if v.LeavesAsUnit() {
			s.unitChanged(v.App())
		}
		s.mayFindVictims()
	})
}

// nextChance returns when an ask that finds no victims now may find some, since an allocation has run long enough or a budget permits more.
func (s *Preemption) nextChance() (at time.Duration, ok bool) {
	if !s.spared.any && !s.state.SpendsBudgets() || s.leavesDue[s.state.Queues().Root()] == 0 {
		return 0, false
	}
	at, ok = s.spared.until.next()
	if freed, waits := s.state.NextBudget(); waits {
		at, ok = instant.Sooner(at, ok, freed)
	}
	return at, ok
}

// sparedFrom returns which allocations have not run long enough to be victims of an ask, or nil if none are spared.
func (s *Preemption) sparedFrom(ask app.Ask) func(v app.Ask) bool {
	if ask.Class().Node() != "" {
		return s.sparedByQuota()
	}
	return s.sparedFromOthers()
}

// sparedFromOthers returns which allocations have not run long enough to be victims of asks without a required node and of gangs, or nil if none
// are spared.
func (s *Preemption) sparedFromOthers() func(v app.Ask) bool {
	if !s.spared.any {
		return nil
	}
	return func(v app.Ask) bool { _, spared := s.state.SparedUntil(v); return spared }
}

// sparedByQuota returns which allocations have not run long enough to be victims by quota or for required nodes, or nil if none are spared.
func (s *Preemption) sparedByQuota() func(v app.Ask) bool {
	if !s.spared.required {
		return nil
	}
	return func(v app.Ask) bool {
		_, spared := s.state.SparedUntil(v)
		return spared && s.state.Queues().Conf(s.state.QueueOf(v)).MinRuntime.Required
	}
}

// queueSpares handles a new dynamic queue, which may be the first with a least run time.
func (s *Preemption) queueSpares(q queues.ID) {
	if m := s.state.Queues().Conf(q).MinRuntime; !s.spared.any && (m.Default > 0 || m.Max > 0) || !s.spared.required && m.Required {
		s.renewSparing()
	}
}
