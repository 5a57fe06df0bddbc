package scheduler

import (
	"fmt"
	"slices"

	"github.com/quern-project/quern/core"
)

// collect stores a part of a snapshot that follows inputs which describe the same cluster. With the last part, the scheduler continues
// from the snapshot.
func (s *Scheduler) collect(in *core.SetState) core.Reason {
	next, unfinished, refused := s.shared.Collect(in)
	if next == nil {
		return refused
	}
	as := restored(next, unfinished)
	if err := as.overdue(); err != nil {
		return s.shared.RefuseState(in, err)
	}
	inForce := s.shared.Source()
	as.running, as.next.ran = s.running, !slices.Contains(unfinished, true)
	*s = *as
	s.reconfigure(inForce)
	return core.Accepted
}

// reconfigure restores the configuration that the inputs had set, if the snapshot has another one. So a journal can be replayed with
// another configuration from the same state.
func (s *Scheduler) reconfigure(inForce core.ConfigSource) {
	if inForce.Text == s.shared.Source().Text {
		return
	}
	s.next.reset()
	s.shared.Apply(&core.Input{At: s.shared.Now(), Event: &core.SetConfig{Config: inForce.Text, Format: inForce.Format, File: inForce.File}})
	s.follow()
}

// overdue returns an error if a deadline has already passed.
func (s *Scheduler) overdue() error {
	now := s.shared.Now()
	if at, ok := s.Deadline(); ok && at < now {
		return fmt.Errorf("snapshot: expected no deadline before its time, %s, found one at %s", now, at)
	}
	return nil
}
