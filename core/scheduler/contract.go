package scheduler

import (
	"fmt"
	"time"
)

// begin notes that a method runs. It panics where another one does, or did when a panic came: the state may be half
// changed then.
func (s *Scheduler) begin(method string) {
	if s.running != "" {
		s.broken(9, fmt.Sprintf("%s was called during %s, or after a panic in it", method, s.running))
	}
	s.running = method
	if method != "Apply" {
		s.keepUp()
	}
}

func (s *Scheduler) end() { s.running = "" }

// mayAdvance panics where the clock would go back, or pass over a deadline whose timers would then fire late.
func (s *Scheduler) mayAdvance(to time.Duration) {
	if !s.shared.Started {
		return
	}
	if to < s.shared.Now {
		s.broken(2, fmt.Sprintf("the clock was advanced from %s back to %s", s.shared.Now, to))
	}
	if at, ok := s.Deadline(); ok && to > at {
		s.broken(3, fmt.Sprintf("the clock was advanced from %s to %s, past the deadline at %s", s.shared.Now, to, at))
	}
}

// broken panics, naming the obligation of the host that was broken; the package's documentation numbers them.
func (s *Scheduler) broken(obligation int, how string) {
	panic(fmt.Sprintf("core: obligation %d of the host is broken: %s", obligation, how))
}
