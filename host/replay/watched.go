package replay

import (
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/journal"
	"github.com/quern-project/quern/core/ledger"
)

// watched is a scheduler whose every step is measured and entered in the books, so that each input stands beside the
// decisions it caused. It keeps them for the Take that follows.
type watched struct {
	Scheduler
	books *ledger.Ledger
	clock func(time.Duration)
	// answers takes what policies answered that are not pure; nil: nobody keeps it.
	answers func(time.Duration, []core.Answers)
	spent   time.Duration
	taken   []core.Decision
}

var _ journal.Idler = (*watched)(nil)

// IdleDeadline is that of the scheduler, where it has one.
func (w *watched) IdleDeadline() (time.Duration, bool) {
	if idler, ok := w.Scheduler.(journal.Idler); ok {
		return idler.IdleDeadline()
	}
	return w.Deadline()
}

// Advance sets the clock and fires timers.
func (w *watched) Advance(to time.Duration) {
	w.clock(to)
	start := time.Now()
	w.Scheduler.Advance(to)
	made := w.take(start)
	w.books.Advance(to)
	w.books.Decided(made)
}

// Apply applies an input.
func (w *watched) Apply(in *core.Input) core.Reason {
	start := time.Now()
	refused := w.Scheduler.Apply(in)
	w.books.Applied(in, refused, w.take(start))
	return refused
}

// Cycle places what can be placed.
func (w *watched) Cycle(limit int) int {
	start := time.Now()
	n := w.Scheduler.Cycle(limit)
	w.books.Decided(w.take(start))
	if s, ok := w.Scheduler.(answering); ok {
		if list := s.Answered(); len(list) > 0 && w.answers != nil {
			w.answers(w.Now(), list)
		}
	}
	return n
}

// take keeps what was decided since start, which is when the scheduler was entered.
func (w *watched) take(start time.Time) []core.Decision {
	made := w.Scheduler.Take()
	w.spent += time.Since(start)
	before := len(w.taken)
	w.taken = append(w.taken, made...)
	return w.taken[before:]
}

// Take returns what was kept.
func (w *watched) Take() []core.Decision {
	made := w.taken
	w.taken = w.taken[:0]
	return made
}
