// Package resumable holds what searches share that may take longer than one call of Cycle: those for the nodes of gangs, and for
// victims. Such a search stops when its budget is exhausted, and the next cycle resumes it.
//
// A partition has one Search. It owns where the partition's cycle stopped, the budget, and the reasons for which a search must start
// over instead: a policy has failed in it, or something has changed. However often a search stops, decisions are equal, and so
// are the questions that policies are asked.
package resumable

// Phase is a part of a partition's cycle.
type Phase uint8

// The phases, in their order.
const (
	Start     Phase = iota // queues release what they use beyond their max
	Placement              // asks are placed; only the search for the nodes of a gang stops here
	Victims                // asks search for victims
	phases
)

// Observed is what may change while a search is unfinished. Both numbers only grow.
type Observed struct {
	Changes  func() uint64 // of the partition's state
	Failures func() uint64 // of policies
}

// Search is how far the cycle of a partition has come.
type Search struct {
	Budget
	observed   Observed
	unfinished bool           // a phase has stopped
	phase      Phase          // the last one; of an unfinished search, where the next cycle begins
	resuming   Phase          // the one that this cycle has yet to resume; Start: none
	stopped    uint64         // the changes when the last cycle ended
	entered    [phases]uint64 // the failures when each phase was last entered
}

// New is the search of a partition. unfinished says that one is to be finished, from the start.
func New(o Observed, unfinished bool) *Search { return &Search{observed: o, unfinished: unfinished} }

// Begin begins a cycle with a budget. If the search is resumable, the cycle resumes it, and otherwise starts over.
func (s *Search) Begin(b Budget) {
	s.resuming = Start
	if s.Resumable() {
		s.resuming = s.phase
	}
	s.Budget, s.unfinished = b, false
	s.Enter(Placement)
}

// FromStart reports whether the cycle begins with its first phase.
func (s *Search) FromStart() bool { return s.resuming == Start }

// Resume reports whether the cycle resumes a phase now, which it does once.
func (s *Search) Resume(p Phase) bool {
	if s.resuming != p {
		return false
	}
	s.resuming = Start
	return true
}

// Enter begins a phase: failures of policies count from now on.
func (s *Search) Enter(p Phase) { s.phase, s.entered[p] = p, s.observed.Failures() }

// PolicyFailed reports whether a policy has failed since a phase was entered, so that asks may fare differently now.
func (s *Search) PolicyFailed(p Phase) bool { return s.observed.Failures() != s.entered[p] }

// MustStop reports whether a search is to stop in a phase. If a policy has failed, all searches stop: those whose budget is
// exhausted start over then, and decisions must not depend on that.
func (s *Search) MustStop(p Phase) bool { return s.Exhausted() || s.PolicyFailed(p) }

// Stop leaves a phase unfinished.
func (s *Search) Stop(p Phase) { s.unfinished, s.phase = true, p }

// Unfinished reports whether a search has stopped that another cycle has to finish.
func (s *Search) Unfinished() bool { return s.unfinished }

// Restart starts over within a cycle, if a policy has failed in the last phase and the budget of what has stopped is not exhausted. It
// reports whether it does.
func (s *Search) Restart() bool {
	if !s.PolicyFailed(s.phase) || s.unfinished && s.Exhausted() {
		return false
	}
	s.unfinished = false
	s.Enter(Placement)
	return true
}

// End ends a cycle. If a policy has failed, an unfinished search will start over.
func (s *Search) End() {
	s.stopped = s.observed.Changes()
	if s.unfinished && s.PolicyFailed(s.phase) {
		s.phase = Start
	}
}

// Abandon has an unfinished search start over.
func (s *Search) Abandon() { s.phase = Start }

// Resumable reports whether the next cycle can resume the search where it stopped.
func (s *Search) Resumable() bool {
	return s.unfinished && s.phase != Start && s.stopped == s.observed.Changes()
}
