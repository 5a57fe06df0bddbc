package scheduler

import (
	"fmt"
	"slices"

	"github.com/quern-project/quern/core"
)

// collect takes in a part of a state that is told after the inputs which show it, and goes on from that state once it is whole.
func (s *Scheduler) collect(in *core.SetState) core.Reason {
	next, unfinished, refused := s.shared.Collect(in)
	if next == nil {
		return refused
	}
	as := restored(next, unfinished)
	if err := as.overdue(); err != nil {
		return s.shared.RefuseState(in, err)
	}
	inForce := s.shared.Source
	as.running, as.next.ran = s.running, !slices.Contains(unfinished, true)
	*s = *as
	s.reconfigure(inForce)
	return core.Accepted
}

// reconfigure puts the configuration of the inputs in force where that is another one than that of the state: a journal that is replayed
// with another configuration goes on from the same state.
func (s *Scheduler) reconfigure(inForce core.ConfigSource) {
	if inForce.Text == s.shared.Source.Text {
		return
	}
	s.next.reset()
	s.shared.Apply(&core.Input{At: s.shared.Now, Event: &core.SetConfig{Config: inForce.Text, Format: inForce.Format, File: inForce.File}})
	s.follow()
}

// overdue refuses a state with a deadline that has passed.
func (s *Scheduler) overdue() error {
	now := s.shared.Now
	if at, ok := s.Deadline(); ok && at < now {
		return fmt.Errorf("snapshot: expected no deadline before its time, %s, found one at %s", now, at)
	}
	return nil
}
