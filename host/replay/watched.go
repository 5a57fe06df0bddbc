package replay

import (
	"slices"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/drive"
	"github.com/quern-project/quern/core/journal"
	"github.com/quern-project/quern/core/ledger"
)

// watched is a scheduler whose every step is measured and entered in the books, so that each input stands beside the
// decisions it caused. It keeps them for the Take that follows.
type watched struct {
	Scheduler
	books *ledger.Ledger
	clock func(time.Duration)
	// answers takes what policies answered that are not pure; nil: they are not kept.
	answers func(time.Duration, []core.Answers)
	began   time.Time
	spent   time.Duration
	taken   []core.Decision
	story   *Story // nil: none is followed
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
	start := w.enter()
	w.Scheduler.Advance(to)
	made := w.leave(start)
	w.books.Advance(to)
	w.books.Decided(made)
}

// Apply applies an input.
func (w *watched) Apply(in *core.Input) core.Reason {
	start := w.enter()
	refused := w.Scheduler.Apply(in)
	w.books.Applied(in, refused, w.leave(start))
	if part, ok := in.Event.(*core.SetState); ok && refused == core.Accepted && part.Last() {
		w.resumed()
	}
	if w.story != nil && refused == core.Accepted {
		w.story.came(in)
	}
	return refused
}

// resumed has waits count from before a journal that begins with a state.
func (w *watched) resumed() {
	apps := w.Read(core.OfApplications).Applications
	w.books.Resumed(apps)
	if w.story != nil {
		w.story.resumed(apps)
	}
}

// Cycle places what can be placed.
func (w *watched) Cycle(limit int) int {
	if w.story == nil {
		return w.cycle(limit)
	}
	w.story.cycles++
	n := 0
	if stop, ok := w.story.stops(); ok {
		if stop > 0 {
			n = w.cycle(stop)
		}
		w.story.look(w.Scheduler)
		if limit > 0 {
			limit = max(0, limit-n) // a gang is not split
		}
	}
	if limit != 0 {
		n += w.cycle(limit)
	}
	w.story.sample(w.Scheduler)
	return n
}

func (w *watched) cycle(limit int) int {
	start := w.enter()
	n := w.Scheduler.Cycle(limit)
	made := w.leave(start)
	w.books.Decided(made)
	if w.story != nil {
		w.story.decided(made)
	}
	if list := drive.Answered(w.Scheduler); len(list) > 0 && w.answers != nil {
		w.answers(w.Now(), list)
	}
	return n
}

// enter begins to measure a call of the scheduler. What was not taken yet is copied, since the call ends its validity.
func (w *watched) enter() time.Duration {
	w.taken = slices.Clone(w.taken)
	return time.Since(w.began) // twice as fast as time.Now
}

// leave ends what enter began, and keeps what was decided.
func (w *watched) leave(start time.Duration) []core.Decision {
	made := w.Scheduler.Take()
	w.spent += time.Since(w.began) - start
	if len(w.taken) == 0 {
		w.taken = made
	} else {
		w.taken = append(w.taken, made...)
	}
	return made
}

// Take returns what was kept.
func (w *watched) Take() []core.Decision {
	made := w.taken
	w.taken = nil
	return made
}
