package server

import (
	"fmt"
	"runtime/debug"

	"github.com/quern-project/quern/core/scheduler"
)

// BugError says that a reader panicked inside the scheduler of the view, which may be half changed since.
type BugError struct {
	Method string // of the scheduler
	Panic  string
}

func (e *BugError) Error() string {
	return fmt.Sprintf("the view for readers can no longer be trusted, since %s panicked, which is a bug: %s. "+
		"All acknowledged inputs are in the record, and a restart continues from there", e.Method, e.Panic)
}

// show is Read with the error that ends the view: after a reader has panicked inside the scheduler, no reader sees it again.
func (v *View) show(show func(s *scheduler.Scheduler)) error {
	return v.present(func(f *follower) { show(f.scheduler) })
}

// present is show with the follower that owns the scheduler.
func (v *View) present(show func(f *follower)) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.awaitReturn()
	if v.bug != nil {
		return v.bug
	}
	defer func() { v.suspect(recover(), v.replica.Interrupted) }()
	f, err := v.replica.Present(v.quiet)
	if err != nil {
		v.bug = err
		notify(v.wake) // the view ends with its next step
		return err
	}
	show(f)
	return nil
}

// suspect ends the view where a reader panics inside the scheduler, which readers change as well: they bring orders up to date, and try what
// would be placed. A panic elsewhere has changed nothing, and is the reader's own.
func (v *View) suspect(bug any, interrupted func() string) {
	if bug == nil {
		return
	}
	if method := interrupted(); method != "" && v.bug == nil {
		v.bug = &BugError{method, fmt.Sprint(bug)}
		v.log.Error("a reader panicked inside the scheduler", "method", method, "panic", fmt.Sprint(bug), "stack", string(debug.Stack()))
		notify(v.wake) // the view ends with its next step
	}
	panic(bug)
}
