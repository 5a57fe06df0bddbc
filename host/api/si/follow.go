package si

import (
	"context"
	"errors"
	"io"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/server"
	siv1 "github.com/quern-project/quern/sdk/api/si/v1"
)

// Follow tells resource managers what the record of decisions says, until the context ends.
func (s *Service) Follow(ctx context.Context) (err error) {
	defer s.end()
	list, err := s.server.FollowDecisions(s.seq)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, list.Close()) }()
	for {
		d, err := list.Next()
		switch {
		case err == io.EOF:
			select {
			case <-list.More():
			case <-ctx.Done():
				return nil
			}
		case err != nil:
			return err
		case d == nil: // many were not wanted
		default:
			if err := s.decided(d); err != nil {
				return err
			}
		}
	}
}

// decided tells resource managers about a decision. Most types do not concern them.
func (s *Service) decided(of *server.Decision) error {
	d, err := of.Value()
	if err != nil {
		return err
	}
	switch d.Type {
	case core.AppState, core.AskRejected, core.Allocation, core.Release, core.Preemption, core.Replaced, core.TimedOut, core.Exceeded, core.GangEnded:
	default:
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.applications) == 0 && len(s.asks) == 0 {
		return nil // no message: most hosts have other clients
	}
	if d.Type == core.AppState {
		if a := s.applications[d.ID]; a != nil {
			s.applicationState(a, d)
		}
		return nil
	}
	if d.Type == core.GangEnded {
		s.gangEnded(d)
		return nil
	}
	if k := s.asks[d.ID]; k != nil {
		s.askDecision(k, d)
	}
	return nil
}

// askDecision tells what was decided about an ask.
func (s *Service) askDecision(k *ask, d *core.Decision) {
	if before := k.before; before != nil && d.Type == core.Release {
		before.tellEnd(termination(d.Reason), string(d.Reason))
		k.before = nil
		return
	}
	if k.holds(d) {
		return
	}
	switch d.Type {
	case core.AskRejected:
		k.app.owner.tellRejected(k.key, k.app.id, string(d.Reason)+": "+d.Message)
		s.drop(k, d.Seq)
	case core.Allocation:
		k.node = d.Node
		k.tell()
	case core.Release:
		s.released(k, d)
	case core.Preemption:
		k.leaves(siv1.TerminationType_PREEMPTED_BY_SCHEDULER, "preempted for "+d.For+d.Quota)
	case core.GangEnded:
		k.endsWithGang(d)
	case core.Replaced:
		k.leaves(siv1.TerminationType_PLACEHOLDER_REPLACED, "replaced by "+d.For)
	case core.Exceeded:
		k.leaves(siv1.TerminationType_TIMEOUT, "its walltime has passed")
	case core.TimedOut:
		k.leaves(siv1.TerminationType_TIMEOUT, string(d.Reason))
		if d.Node == "" { // it was pending
			s.drop(k, d.Seq)
		}
	}
}

// leaves tells that an allocation has to leave.
func (k *ask) leaves(t siv1.TerminationType, why string) {
	k.leaving, k.why = t, why
	k.tellLeaving()
}

// released tells the end of an allocation, unless the resource manager was told to end it.
func (s *Service) released(k *ask, d *core.Decision) {
	if k.node == "" {
		return // one of the same key, of before
	}
	if k.leaving == siv1.TerminationType_UNKNOWN_TERMINATION_TYPE {
		k.tellEnd(termination(d.Reason), string(d.Reason))
	}
	s.drop(k, d.Seq)
}

// termination maps the reason of a release.
func termination(reason core.Reason) siv1.TerminationType {
	switch reason {
	case core.ReasonPreempted, core.ReasonGangBroken:
		return siv1.TerminationType_PREEMPTED_BY_SCHEDULER
	case core.ReasonTimeout:
		return siv1.TerminationType_TIMEOUT
	case core.ReasonReplaced:
		return siv1.TerminationType_PLACEHOLDER_REPLACED
	}
	return siv1.TerminationType_STOPPED_BY_RM
}
