package scheduler

import (
	"fmt"
	"time"
)

// begin records that a method is running. It panics if another method is running or has panicked, since the state may then be half
// changed.
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

// mayAdvance panics if the clock would go back, or skip a deadline, whose timers would then fire late.
func (s *Scheduler) mayAdvance(to time.Duration) {
	if !s.shared.Started() {
		return
	}
	if to < s.shared.Now() {
		s.broken(2, fmt.Sprintf("the clock was advanced from %s back to %s", s.shared.Now(), to))
	}
	if at, ok := s.Deadline(); ok && to > at {
		s.broken(3, fmt.Sprintf("the clock was advanced from %s to %s, past the deadline at %s", s.shared.Now(), to, at))
	}
}

// broken panics with the obligation that the host has broken. The package documentation numbers the obligations.
func (s *Scheduler) broken(obligation int, how string) {
	panic(fmt.Sprintf("core: obligation %d of the host is broken: %s", obligation, how))
}
