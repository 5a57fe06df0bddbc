package server

import (
	"errors"

	"github.com/quern-project/quern/core/scheduler"
)

// freeze returns a version of the view's scheduler, which readers fork in their own goroutines. It holds the view for a moment, in which also
// reads from the follower what belongs to the same state.
func (v *View) freeze(also func(f *follower)) (frozen *scheduler.Frozen, err error) {
	bug := v.show(func(s *scheduler.Scheduler) {
		if frozen, err = s.Freeze(); err == nil {
			also(v.replica.follower)
		}
	})
	return frozen, errors.Join(bug, err)
}
