package scheduler

import "github.com/quern-project/quern/core/internal/state"

// Copying takes a checkpoint in steps: between two of them the scheduler may go on.
type Copying struct {
	scheduler *Scheduler
	size      int
	copying   *state.Copying
}

// Copying begins to take a checkpoint in steps, of so many asks or nodes each. Another one that is under way restarts with its next step.
func (s *Scheduler) Copying(size int) *Copying {
	s.begin("Copying")
	c := &Copying{scheduler: s, size: size, copying: s.shared.Copying(size)}
	s.end()
	return c
}

// Step copies a little more, and reports whether that was all. It is called as a method of the scheduler would be.
func (c *Copying) Step() (done bool) {
	s := c.scheduler
	s.begin("Step")
	done, ok := c.copying.Step(s.unfinished())
	if !ok {
		c.copying = s.shared.Copying(c.size)
	}
	s.end()
	return done
}

// Abandon ends a copy that is not wanted any more. It is called as a method of the scheduler would be.
func (c *Copying) Abandon() { c.copying.Abandon() }

// Checkpoint is the state as it was at the last step. The scheduler may go on meanwhile, in another goroutine.
func (c *Copying) Checkpoint() *Checkpoint { return c.copying.Checkpoint() }

// Checkpoint is the whole state at a moment, in memory: for going back to within one program. It does not change.
type Checkpoint = state.Checkpoint
