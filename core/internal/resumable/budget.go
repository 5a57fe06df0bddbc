package resumable

// Budget is how many steps searches may still take, about 10 ns each. It may also have no limit. The zero Budget is exhausted.
type Budget struct {
	left      int // 0 or less: exhausted
	unlimited bool
}

// Steps is a budget of so many steps.
func Steps(n int) Budget { return Budget{left: n} }

// Unlimited is a budget that is never exhausted.
func Unlimited() Budget { return Budget{unlimited: true} }

// Spend counts steps that were taken. They may be more than there were: a step in progress is finished.
func (b *Budget) Spend(steps int) { b.left -= steps }

// Exhausted reports whether no step is left.
func (b Budget) Exhausted() bool { return !b.unlimited && b.left <= 0 }

// After is the budget after some steps.
func (b Budget) After(steps int) Budget {
	b.Spend(steps)
	return b
}
