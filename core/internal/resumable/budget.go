package resumable

// Budget is the number of steps, of about 10 ns each, that searches may still take. It may be unlimited. The zero Budget is exhausted.
type Budget struct {
	left      int // exhausted if 0 or less
	unlimited bool
}

// Steps returns a budget of n steps.
func Steps(n int) Budget { return Budget{left: n} }

// Unlimited returns a budget that is never exhausted.
func Unlimited() Budget { return Budget{unlimited: true} }

// Spend subtracts steps that were taken. They may exceed the budget, since a step in progress is completed.
func (b *Budget) Spend(steps int) { b.left -= steps }

// Exhausted reports whether no step is left.
func (b Budget) Exhausted() bool { return !b.unlimited && b.left <= 0 }

// After returns the budget that is left after some steps.
func (b Budget) After(steps int) Budget {
	b.Spend(steps)
	return b
}
