package inspect

import (
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/state/queues"
)

// unplanned returns why a pending ask has no planned start, or "" if the next cycle may plan or place it.
func (s *View) unplanned(ask app.Ask, e *explain.AskExplanation) core.Reason {
	last, used := s.lastPlanned()
	switch {
	case e.Required != "":
		return explain.NoPlanRequired
	case !s.couldStartAlone(ask, e):
		return core.ReasonBarred
	case used && s.place(last) < e.Place:
		return core.ReasonUnplanned
	case !s.Conf().Backfill.All && e.Fits > 0 && s.lacksQueues(e):
		return explain.NoPlanHeadroom
	case e.Fits > 0 && len(e.Shortfalls) == 0 && !s.sharedByPlans(ask):
		return ""
	}
	reason := s.outOfReach(ask)
	if reason == "" && used {
		return core.ReasonUnplanned
	}
	return reason
}

// lastPlanned returns the ask that was planned last, and whether no more asks may get plans.
func (s *View) lastPlanned() (last app.Ask, used bool) {
	rank, later := int32(-1), 0
	for p := range s.Plans().All {
		if p.Lost || p.Head != p.Ask {
			continue
		}
		if p.Start > s.Now() {
			later++
		}
		if p.Rank > rank {
			rank, last = p.Rank, s.AskAt(p.Ask)
		}
	}
	return last, !last.IsNone() && !s.Conf().Backfill.Admits(later)
}

// couldStartAlone reports whether an ask would be placed if nothing else were allocated, apart from limits, which count present usage.
func (s *View) couldStartAlone(ask app.Ask, e *explain.AskExplanation) bool {
	if !ask.Turn().Eligible() || !s.MayStart(ask.App()) || ask.WaitsForGang() || len(e.Limits) > 0 || len(e.Never) > 0 || !s.walk.FitsMaxima(ask) {
		return false
	}
	for n := range s.Nodes().Sorted().All {
		if s.wouldTake(ask, n) {
			return true
		}
	}
	return false
}

// wouldTake reports whether a node would take an ask if it were empty, as far as its predicates have been asked.
func (s *View) wouldTake(ask app.Ask, n int32) bool {
	if !s.Nodes().Schedulable(n) {
		return false
	}
	reason, _ := s.failsEmpty(ask.Class(), n)
	return reason == "" && s.predicateOn(ask.Class(), n) == ""
}

// lacksQueues reports whether an ask lacks the headroom of queues below the root, and not of the cluster's total.
func (s *View) lacksQueues(e *explain.AskExplanation) bool {
	root := s.Queues().Shown(s.Queues().Root())
	for _, l := range e.Shortfalls {
		if l.Queue == root {
			return false
		}
	}
	return len(e.Shortfalls) > 0
}

// sharedByPlans reports whether an ask that starts now would take room in queues or at limits from planned asks.
func (s *View) sharedByPlans(ask app.Ask) bool {
	if s.Plans().Len() == 0 || !s.Conf().Backfill.Plans() {
		return false
	}
	until, _ := s.walk.SharedUntil(ask)
	return until < s.walk.PlannedEnd(ask, s.Now())
}

// outOfReach returns why an ask can be given no start, or "" if it can.
func (s *View) outOfReach(ask app.Ask) core.Reason {
	from, first := s.walk.NextShared(ask), instant.Never
	if from != instant.Never {
		for n := range s.Nodes().Sorted().All {
			if s.wouldTake(ask, n) {
				first = min(first, s.walk.NextStart(ask, n, from))
			}
		}
	}
	switch {
	case first == instant.Never:
		return explain.NoPlanUnbounded
	case first > s.Conf().Backfill.Horizon.After(s.Now()):
		return core.ReasonOutOfReach
	}
	return ""
}

// leastShorter is the shortest walltime that is suggested.
const leastShorter = time.Second

// shorter returns the longest walltime with which an ask would start now, if it would with a shorter one than it has.
func (s *View) shorter(ask app.Ask, e *explain.AskExplanation) *explain.Shorter {
	if e.Fits > 0 && !s.sharedByPlans(ask) || len(e.Shortfalls)+len(e.Limits)+len(e.Blocked) > 0 || !ask.WaitingGang().IsNone() || !ask.Turn().Eligible() || ask.WaitsForGang() {
		return nil
	}
	shared := instant.Never
	if s.Conf().Backfill.Plans() {
		shared, _ = s.walk.SharedUntil(ask)
	}
	var best *explain.Shorter
	for n := range s.Nodes().Sorted().All {
		until := min(shared, s.stays(ask, n))
		if until == instant.Never {
			continue
		}
		w := instant.Sub(until, s.Now()).Truncate(time.Second)
		if w >= leastShorter && (best == nil || w > best.Walltime) {
			best = &explain.Shorter{Walltime: w, Node: s.Nodes().ID(n)}
		}
	}
	return best
}

// stays returns until when an ask that starts now could stay on a node, beside planned asks and before windows. It is the present if it cannot
// start there, whatever its walltime.
func (s *View) stays(ask app.Ask, n int32) time.Duration {
	c := ask.Class()
	if !s.Nodes().Hold(n).IsContested() || !s.Nodes().Fits(n, c) || !s.wouldTake(ask, n) {
		return s.Now()
	}
	if r, reserved := s.Reservations().On(n); reserved && r.Ask != ask.Slot() {
		return s.Now()
	}
	if held, claimed := s.Claims().First(n); claimed && held.Ask != ask.Slot() {
		return s.Now()
	}
	until := s.beforeWindows(ask, n)
	if s.Conf().Backfill.Plans() {
		until = min(until, s.walk.RoomUntil(ask, n))
	}
	return until
}

// beforeWindows returns when the first window opens that does not name an ask and to which a node belongs, or instant.Never.
func (s *View) beforeWindows(ask app.Ask, n int32) time.Duration {
	first, a := instant.Never, ask.App()
	for i := range s.Windows().On(n).All {
		w := s.Windows().At(int(i))
		if !w.Names(s.Queues().Path(queues.ID(a.Leaf().ID())), a.User(), a.Groups()) {
			from, _ := w.Occurrence(s.Now())
			first = min(first, max(from, s.Now()))
		}
	}
	return first
}
