package server

import (
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/scheduler"
)

// Watcher sees all that the view goes through, so that it can keep what the scheduler forgets: what has ended, when states changed. It is
// called while the server recovers and, from then on, under the view's lock: what it keeps can be read in View.Read. It must be quick,
// and may keep neither the slice of decisions nor the scheduler.
type Watcher interface {
	// Begin is called once, with the state from which the record is followed: that of the newest snapshot, or an empty one.
	Begin(s *scheduler.Scheduler)
	// Step shows an input, the reason for which it was refused, and the decisions that it brought at once. Those of deadlines and of the
	// cycle, which comes after all inputs of a time, come without an input.
	Step(at time.Duration, in *core.Input, refused core.Reason, decisions []core.Decision)
}

// step shows the watcher what happened since the last step.
func (f *follower) step(at time.Duration, in *core.Input, refused core.Reason) {
	if f.watcher == nil {
		return
	}
	list := f.scheduler.Take()
	f.watcher.Step(at, in, refused, list)
	f.watched = append(f.watched, list...)
}

// take returns the decisions of an instant, valid until the next one.
func (f *follower) take() []core.Decision {
	if f.watcher == nil {
		return f.scheduler.Take()
	}
	list := f.watched
	f.watched = f.watched[:0]
	return list
}
