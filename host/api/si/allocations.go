package si

import (
	"slices"
	"strings"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/core/scheduler"
	siv1 "github.com/quern-project/quern/sdk/api/si/v1"
)

// ask is an ask or allocation of a resource manager.
type ask struct {
	key       string
	app       *application
	message   *siv1.Allocation // as it came last, to be told back
	resources resource.Set
	priority  int32
	named     uint64 // the registration since which it was named last
	node      string // where it is allocated; empty: it is not known to be
	leaving   siv1.TerminationType
	why       string // of leaving
	releasing bool   // the resource manager has released it
	before    *ask   // of the same key: it was released, and that is not confirmed yet
	claim
}

func (s *Service) takeAllocations(b *batch, own *session, m *siv1.AllocationRequest) {
	for _, r := range m.GetReleases().GetAllocationsToRelease() {
		s.release(b, own, r)
	}
	for _, a := range m.GetAllocations() {
		s.addAllocation(b, own, a)
	}
}

func (s *Service) addAllocation(b *batch, own *session, a *siv1.Allocation) {
	key := a.GetAllocationKey()
	if key == "" {
		own.tellRejected(key, a.GetApplicationID(), noID)
		return
	}
	if a.Tag(siv1.TagForeign) != "" {
		s.addForeign(b, own, a)
		return
	}
	app := s.application(own, a.GetApplicationID())
	if app == nil || app.owner != own {
		own.tellRejected(key, a.GetApplicationID(), unknownApp)
		return
	}
	known := s.ask(app, key)
	switch {
	case known == nil:
		s.claimAsk(b, app, a, nil)
	case known.app != app:
		own.tellRejected(key, app.id, "duplicate: another application has an ask of this key")
	case known.releasing:
		s.claimAsk(b, app, a, known)
	default:
		s.again(b, known, a)
	}
}

// claimAsk submits an ask, or an allocation that exists already.
func (s *Service) claimAsk(b *batch, app *application, a *siv1.Allocation, before *ask) {
	in, err := app.owner.allocationInput(a)
	if err != nil {
		app.owner.tellRejected(in.ID(), app.id, refusalText(err))
		return
	}
	k := &ask{key: in.ID(), app: app, message: a, resources: in.Ask().Resources, priority: in.Ask().Priority, named: app.owner.beginning, before: before, claim: claim{pending: true}}
	s.asks[k.key], app.asks[k.key] = k, k
	b.add(in)
	b.then(func(o *outcome) {
		reason := o.rejected(core.AskRejected, k.key)
		if o.err != nil || reason != "" {
			s.drop(k, 0)
			if reason != "" {
				app.owner.tellRejected(k.key, app.id, reason)
			}
			return
		}
		held := k.settled(o)
		k.node = a.GetNodeID()
		for _, d := range held {
			s.askDecision(k, d)
		}
	})
}

// ask returns an ask that is known, or that the scheduler has in an application.
func (s *Service) ask(app *application, key string) *ask {
	if k := s.asks[key]; k != nil {
		return k
	}
	if !s.trusts(kindAsk, key) {
		return nil
	}
	var found core.AskItem
	var ok bool
	var now time.Duration
	s.server.View().Read(func(present *scheduler.Scheduler) {
		found, ok = present.Ask(key)
		now = present.Now()
	})
	if !ok || found.App != app.id {
		return nil
	}
	k := &ask{key: key, app: app, resources: found.Resources, priority: found.Priority, node: found.Node}
	k.message = &siv1.Allocation{AllocationKey: key, ApplicationID: app.id, PartitionName: app.partition, Priority: found.Priority,
		ResourcePerAlloc: resourceOf(found.Resources), TaskGroupName: found.TaskGroup, Placeholder: found.Placeholder, Originator: found.Originator}
	if found.Leaves {
		k.leaving, k.why = leavingOf(&found, now)
	}
	s.asks[key], app.asks[key] = k, k
	return k
}

// leavingOf says why an allocation was told to leave.
func leavingOf(k *core.AskItem, now time.Duration) (siv1.TerminationType, string) {
	switch {
	case !k.Placeholder && k.Leaving == "" && k.Ends != nil && *k.Ends <= now:
		return siv1.TerminationType_TIMEOUT, "its walltime has passed"
	case k.Placeholder && k.Leaving == "":
		return siv1.TerminationType_TIMEOUT, "the placeholder's time is over"
	case k.Placeholder:
		return siv1.TerminationType_PLACEHOLDER_REPLACED, "replaced by " + k.Leaving
	case k.Leaving == "":
		return siv1.TerminationType_PREEMPTED_BY_SCHEDULER, "preempted by quota, or with its gang"
	}
	return siv1.TerminationType_PREEMPTED_BY_SCHEDULER, "preempted for " + k.Leaving
}

// again takes what came before: in a resync, or to change it.
func (s *Service) again(b *batch, k *ask, a *siv1.Allocation) {
	own := k.app.owner
	k.named = own.beginning
	in, err := own.allocationInput(a)
	switch {
	case err != nil:
		own.tellRejected(k.key, k.app.id, refusalText(err))
		return
	case a.GetNodeID() != "" && k.node != "" && a.GetNodeID() != k.node:
		own.tellRejected(k.key, k.app.id, "duplicate: it is allocated on "+k.node)
		return
	case a.GetNodeID() != "" && k.node == "" && !k.pending:
		b.add(core.Input{Event: &core.RemoveAsk{ID: k.key}}) // it waits here, and runs there
		s.claimAsk(b, k.app, a, nil)
		return
	}
	k.message = a
	if k.node != "" {
		if a.GetNodeID() == "" {
			k.tell() // the answer was missed
		}
		k.tellLeaving()
		return
	}
	if submitted, ok := in.Event.(*core.AddAsk); ok {
		s.change(b, k, submitted)
	}
}

// change submits what has changed of a pending ask.
func (s *Service) change(b *batch, k *ask, in *core.AddAsk) {
	if slices.Equal(k.resources, in.Resources) && k.priority == in.Priority {
		return
	}
	resources, priority := k.resources, k.priority
	k.resources, k.priority = in.Resources, in.Priority
	b.add(core.Input{Event: &core.UpdateAsk{ID: k.key, Resources: in.Resources, Priority: new(in.Priority)}})
	b.then(func(o *outcome) {
		if reason := o.ignored(core.AskUpdate, k.key); strings.HasPrefix(reason, tooManyNames) {
			k.resources, k.priority = resources, priority // it waits as it was
			k.app.owner.tellRejected(k.key, k.app.id, reason)
		}
	})
}

// tell tells that it is allocated.
func (k *ask) tell() {
	a := proto.CloneOf(k.message)
	a.NodeID = k.node
	k.app.owner.tellAllocation(a)
}

// tellLeaving tells that it has to leave, if it has.
func (k *ask) tellLeaving() {
	if k.leaving != siv1.TerminationType_UNKNOWN_TERMINATION_TYPE {
		k.tellEnd(k.leaving, k.why)
	}
}

func (k *ask) tellEnd(t siv1.TerminationType, message string) {
	k.app.owner.tellRelease(&siv1.AllocationRelease{PartitionName: k.app.partition, ApplicationID: k.app.id, AllocationKey: k.key, TerminationType: t, Message: message})
}

// drop forgets an ask, because of a decision if it has a seq.
func (s *Service) drop(k *ask, seq uint64) {
	if s.asks[k.key] == k {
		delete(s.asks, k.key)
		s.note(kindAsk, k.key, gone{k.app.owner.batch, seq})
	}
	if k.app.asks[k.key] == k {
		delete(k.app.asks, k.key)
	}
}
