package scheduler

import "github.com/quern-project/quern/core/internal/state"

// CheckpointBuilder takes a checkpoint in steps. Between steps, the scheduler may be used.
type CheckpointBuilder struct {
	scheduler *Scheduler
	size      int
	builder   *state.CheckpointBuilder
}

// BuildCheckpoint begins a checkpoint in steps, each of which copies size asks or nodes. If another checkpoint is in progress, it restarts with
// its next step.
func (s *Scheduler) BuildCheckpoint(size int) *CheckpointBuilder {
	s.begin("BuildCheckpoint")
	c := &CheckpointBuilder{scheduler: s, size: size, builder: s.shared.BuildCheckpoint(size)}
	s.end()
	return c
}

// Step copies the next objects, and reports whether the checkpoint is complete. Like a method of the scheduler, it must not run
// concurrently with one.
func (c *CheckpointBuilder) Step() (done bool) {
	s := c.scheduler
	s.begin("Step")
	done, ok := c.builder.Step(s.unfinished())
	if !ok {
		c.builder = s.shared.BuildCheckpoint(c.size)
	}
	s.end()
	return done
}

// Cancel cancels the checkpoint. Like a method of the scheduler, it must not run concurrently with one.
func (c *CheckpointBuilder) Cancel() { c.builder.Cancel() }

// Checkpoint returns the state at the time of the last step. It may be used in another goroutine while the scheduler continues.
func (c *CheckpointBuilder) Checkpoint() *Checkpoint { return c.builder.Checkpoint() }

// Checkpoint is a copy of the whole state in memory, from which FromCheckpoint makes a scheduler. It is immutable.
type Checkpoint = state.Checkpoint
