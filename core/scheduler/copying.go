package scheduler

import "github.com/quern-project/quern/core/internal/state"

// Copying takes a checkpoint in steps. Between steps, the scheduler may be used.
type Copying struct {
	scheduler *Scheduler
	size      int
	copying   *state.Copying
}

// Copying begins a checkpoint in steps, each of which copies size asks or nodes. If another checkpoint is in progress, it restarts with
// its next step.
func (s *Scheduler) Copying(size int) *Copying {
	s.begin("Copying")
	c := &Copying{scheduler: s, size: size, copying: s.shared.Copying(size)}
	s.end()
	return c
}

// Step copies the next objects, and reports whether the checkpoint is complete. Like a method of the scheduler, it must not run
// concurrently with one.
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

// Abandon cancels the checkpoint. Like a method of the scheduler, it must not run concurrently with one.
func (c *Copying) Abandon() { c.copying.Abandon() }

// Checkpoint returns the state at the time of the last step. It may be used in another goroutine while the scheduler continues.
func (c *Copying) Checkpoint() *Checkpoint { return c.copying.Checkpoint() }

// Checkpoint is a copy of the whole state in memory, from which Recall makes a scheduler. It is immutable.
type Checkpoint = state.Checkpoint
