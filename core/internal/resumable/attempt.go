package resumable

// Attempt is one search for the nodes of a gang, over all its cycles. It can be resumed only if nothing has changed. An attempt that
// replaces an earlier one runs to its end in one cycle; otherwise steady changes could keep it from ever finishing.
type Attempt struct {
	began uint64 // Observed.Changes at its start
	whole bool
}

// Attempt starts an attempt. again reports whether it replaces an earlier one for the same gang.
func (s *Search) Attempt(again bool) Attempt { return Attempt{s.observed.Changes(), again} }

// Holds reports whether an attempt can be resumed.
func (s *Search) Holds(a Attempt) bool { return a.began == s.observed.Changes() }

// BudgetOf returns the budget of an attempt in this cycle.
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
