package si

import (
	"context"
	"errors"
	"io"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/api/grpcserver"
	quernv1 "github.com/quern-project/quern/sdk/api/quern/v1"
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
		line, err := list.Next()
		switch {
		case err == io.EOF:
			select {
			case <-list.More():
			case <-ctx.Done():
				return nil
			}
		case err != nil:
			return err
		default:
			if err := s.line(line); err != nil {
				return err
			}
		}
	}
}

// line takes a decision's line. Most types are of no concern to resource managers.
func (s *Service) line(line []byte) error {
	switch core.DecisionType(grpcserver.TypeOf(line)) {
	case core.AppState, core.AskRejected, core.Allocation, core.Release, core.Preemption, core.Replaced, core.TimedOut:
	default:
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.applications) == 0 && len(s.asks) == 0 {
		return nil // no message: most hosts have other clients
	}
	d, err := grpcserver.Decision(line)
	if err != nil {
		return err
	}
	if d.GetType() == string(core.AppState) {
		if a := s.applications[d.GetId()]; a != nil {
			s.applicationState(a, d)
		}
		return nil
	}
	if k := s.asks[d.GetId()]; k != nil {
		s.askDecision(k, d)
	}
	return nil
}

// askDecision tells what was decided about an ask.
func (s *Service) askDecision(k *ask, d *quernv1.Decision) {
	if before := k.before; before != nil && d.GetType() == string(core.Release) {
		before.tellEnd(termination(d.GetReason()), d.GetReason())
		k.before = nil
		return
	}
	if k.holds(d) {
		return
	}
	switch core.DecisionType(d.GetType()) {
	case core.AskRejected:
		k.app.owner.tellRejected(k.key, k.app.id, d.GetReason()+": "+d.GetMessage())
		s.drop(k, d.GetSeq())
	case core.Allocation:
		k.node = d.GetNode()
		k.tell()
	case core.Release:
		s.released(k, d)
	case core.Preemption:
		k.leaves(siv1.TerminationType_PREEMPTED_BY_SCHEDULER, "preempted for "+d.GetForAsk()+d.GetQuota())
	case core.Replaced:
		k.leaves(siv1.TerminationType_PLACEHOLDER_REPLACED, "replaced by "+d.GetForAsk())
	case core.TimedOut:
		k.leaves(siv1.TerminationType_TIMEOUT, d.GetReason())
		if d.GetNode() == "" { // it was pending
			s.drop(k, d.GetSeq())
		}
	}
}

// leaves tells that an allocation has to leave.
func (k *ask) leaves(t siv1.TerminationType, why string) {
	k.leaving, k.why = t, why
	k.tellLeaving()
}

// released tells the end of an allocation, unless the resource manager was told to end it.
func (s *Service) released(k *ask, d *quernv1.Decision) {
	if k.node == "" {
		return // one of the same key, of before
	}
	if k.leaving == siv1.TerminationType_UNKNOWN_TERMINATION_TYPE {
		k.tellEnd(termination(d.GetReason()), d.GetReason())
	}
	s.drop(k, d.GetSeq())
}

// termination maps the reason of a release.
func termination(reason string) siv1.TerminationType {
	switch core.Reason(reason) {
	case core.ReasonPreempted:
		return siv1.TerminationType_PREEMPTED_BY_SCHEDULER
	case core.ReasonTimeout:
		return siv1.TerminationType_TIMEOUT
	case core.ReasonReplaced:
		return siv1.TerminationType_PLACEHOLDER_REPLACED
	}
	return siv1.TerminationType_STOPPED_BY_RM
}
