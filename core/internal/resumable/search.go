// Package resumable holds the common parts of searches that may take longer than one call of Cycle: those for the nodes of gangs, and those
// for victims. Such a search stops when its budget is exhausted, and the next cycle resumes it.
//
// A partition has one Search. It owns the place where the partition's cycle stopped, the budget,
// and the reasons for starting over instead of resuming: a policy has failed during the search, or
// something has changed. Decisions and calls of policies do not depend on how often a search stops.
package resumable

// Phase is a part of a partition's cycle.
type Phase uint8

// The phases, in the order in which a cycle runs them.
const (
	Start     Phase = iota // queues release usage beyond their max
	Placement              // asks are allocated; only the search for the nodes of a gang stops in this phase
	Victims                // asks search for victims
	phases
)

// Observed returns counters of what may change while a search is unfinished. Both only grow.
type Observed struct {
	Changes  func() uint64 // log position of the partition's state
	Failures func() uint64 // failures of policies
}

// Search is the progress of a partition's cycle.
type Search struct {
	Budget
	observed   Observed
	unfinished bool           // a phase has stopped
	phase      Phase          // the last phase entered; if unfinished, the phase in which the next cycle starts
	resuming   Phase          // the phase that this cycle has yet to resume; Start if none
	stopped    uint64         // Observed.Changes when the last cycle ended
	entered    [phases]uint64 // Observed.Failures when each phase was last entered
}

// New returns the search of a partition. If unfinished is true, the next cycle must finish a search, and starts it over.
func New(o Observed, unfinished bool) *Search { return &Search{observed: o, unfinished: unfinished} }

// Begin starts a cycle with a budget. The cycle resumes the search if that is possible, and otherwise starts over.
func (s *Search) Begin(b Budget) {
	s.resuming = Start
	if s.Resumable() {
		s.resuming = s.phase
	}
	s.Budget, s.unfinished = b, false
	s.Enter(Placement)
}

// FromStart reports whether the cycle starts with its first phase.
func (s *Search) FromStart() bool { return s.resuming == Start }

// Resume reports whether the cycle resumes in a phase. It returns true at most once in a cycle.
func (s *Search) Resume(p Phase) bool {
	if s.resuming != p {
		return false
	}
	s.resuming = Start
	return true
}

// Enter starts a phase. PolicyFailed counts failures from now on.
func (s *Search) Enter(p Phase) { s.phase, s.entered[p] = p, s.observed.Failures() }

// PolicyFailed reports whether a policy has failed since a phase was entered, so that results in the phase may differ now.
func (s *Search) PolicyFailed(p Phase) bool { return s.observed.Failures() != s.entered[p] }

// MustStop reports whether a search in a phase must stop. After a policy has failed, all searches stop: those that exhaust their budget
// will start over, and decisions must not depend on the budget.
func (s *Search) MustStop(p Phase) bool { return s.Exhausted() || s.PolicyFailed(p) }

// Stop ends a phase unfinished. The next cycle starts there.
func (s *Search) Stop(p Phase) { s.unfinished, s.phase = true, p }

// Unfinished reports whether a search has stopped and needs another cycle.
func (s *Search) Unfinished() bool { return s.unfinished }

// Restart starts over within a cycle if a policy has failed in the last phase, unless a search has stopped because its budget is exhausted.
// It reports whether it does.
func (s *Search) Restart() bool {
	if !s.PolicyFailed(s.phase) || s.unfinished && s.Exhausted() {
		return false
	}
	s.unfinished = false
	s.Enter(Placement)
	return true
}

// End ends a cycle. If a policy has failed in the last phase, an unfinished search will start over.
func (s *Search) End() {
	s.stopped = s.observed.Changes()
	if s.unfinished && s.PolicyFailed(s.phase) {
		s.phase = Start
	}
}

// Abandon makes an unfinished search start over.
func (s *Search) Abandon() { s.phase = Start }

// Resumable reports whether the next cycle can resume the search where it stopped.
func (s *Search) Resumable() bool {
	return s.unfinished && s.phase != Start && s.stopped == s.observed.Changes()
}
