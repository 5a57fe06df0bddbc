package resumable

// Attempt is one search for a gang, through all the cycles that it takes. It can be resumed only while nothing changes. One that
// replaces an earlier attempt runs to its end in one cycle: otherwise steady changes could keep it from ever getting there.
type Attempt struct {
	began uint64 // the changes then
	whole bool
}

// Attempt begins one. again says that it replaces an earlier one for the same gang.
func (s *Search) Attempt(again bool) Attempt { return Attempt{s.observed.Changes(), again} }

// Holds reports whether an attempt can be resumed.
func (s *Search) Holds(a Attempt) bool { return a.began == s.observed.Changes() }

// BudgetOf is how many steps an attempt may take in this cycle.
func (s *Search) BudgetOf(a Attempt) Budget {
	if a.whole {
		return Unlimited()
	}
	return s.Budget
}

// MustStopIn is MustStop for an attempt.
func (s *Search) MustStopIn(p Phase, a Attempt) bool {
	return s.BudgetOf(a).Exhausted() || s.PolicyFailed(p)
}
