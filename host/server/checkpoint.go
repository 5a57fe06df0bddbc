package server

import (
	"context"

	"github.com/quern-project/quern/core/scheduler"
)

// copyStep is how many asks or nodes are copied at once, so that the view is held for less than a millisecond.
const copyStep = 500

// checkpoint copies the state of the scheduler step by step, so that readers and the loop wait for it only briefly. At the moment that the copy is of,
// also reads what else is wanted.
func (v *View) checkpoint(ctx context.Context, also func(f *follower)) (*scheduler.Checkpoint, error) {
	v.copying.Lock() // one at a time
	defer v.copying.Unlock()
	var c *scheduler.CheckpointBuilder
	err := v.show(func(s *scheduler.Scheduler) { c = s.BuildCheckpoint(copyStep) })
	for done := false; !done && err == nil; {
		err = v.show(func(*scheduler.Scheduler) {
			if ctx.Err() != nil {
				c.Cancel()
			} else if done = c.Step(); done {
				also(v.follower)
			}
		})
		if err == nil {
			err = ctx.Err()
		}
	}
	if err != nil {
		return nil, err
	}
	return c.Checkpoint(), nil
}
