package si

import (
	"fmt"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/scheduler"
	siv1 "github.com/quern-project/quern/sdk/api/si/v1"
)

// application is an application of a resource manager.
type application struct {
	id        string
	partition string // as the resource manager calls it
	owner     *session
	asks      map[string]*ask
	named     uint64 // the registration since which it was named last
	state     string
	changed   int64 // nanoseconds since the Unix epoch, when state was entered
	claim
}

// claim is what is not known of something until its input is answered.
type claim struct {
	pending bool  // it is not answered
	since   int64 // nanoseconds since the Unix epoch, from which on the record speaks of this one
	held    []*core.Decision
}

// holds reports whether a decision has to wait, or is about something of before.
func (c *claim) holds(d *core.Decision) bool {
	if c.pending {
		c.held = append(c.held, d)
		return true
	}
	return int64(d.At) < c.since
}

// settled notes that something was accepted, and returns what the record has said of it meanwhile.
func (c *claim) settled(o *outcome) []*core.Decision {
	held := c.held
	c.pending, c.held, c.since = false, nil, int64(o.at)
	return held
}

func (s *Service) takeApplications(b *batch, own *session, m *siv1.ApplicationRequest) {
	for _, r := range m.GetNew() {
		s.addApplication(b, own, r)
	}
	for _, r := range m.GetRemove() {
		s.removeApplication(b, own, r)
	}
}

const (
	notOwned   = "duplicate: another resource manager uses the ID"
	noID       = "bad-request: the ID is empty"
	unknownApp = string(core.ReasonUnknownApplication) + ": this resource manager has no such application"
)

func (s *Service) addApplication(b *batch, own *session, r *siv1.AddApplicationRequest) {
	id := r.GetApplicationID()
	known := s.application(own, id)
	switch {
	case id == "":
		own.tellApplication(id, noID)
	case known == nil:
		s.claimApplication(b, own, r)
	case known.owner != own:
		own.tellApplication(id, notOwned)
	default:
		known.named, known.partition = own.beginning, r.GetPartitionName()
		if !known.pending { // otherwise the answer is still to come
			own.tellApplication(id, "")
			known.tell("")
		}
	}
}

// claimApplication submits an application.
func (s *Service) claimApplication(b *batch, own *session, r *siv1.AddApplicationRequest) {
	in, err := own.applicationInput(r)
	if err != nil {
		own.tellApplication(in.ID(), refusalText(err))
		return
	}
	a := &application{id: in.ID(), partition: r.GetPartitionName(), owner: own, asks: map[string]*ask{}, named: own.beginning, state: core.StateNew, claim: claim{pending: true}}
	s.applications[a.id] = a
	b.add(in)
	b.then(func(o *outcome) {
		reason := o.rejected(core.AppRejected, a.id)
		if o.err != nil || reason != "" {
			s.forget(a, 0)
			if reason != "" {
				own.tellApplication(a.id, reason)
			}
			return
		}
		held := a.settled(o)
		own.tellApplication(a.id, "")
		for _, d := range held {
			s.applicationState(a, d)
		}
	})
}

// application returns an application that is known, or that the scheduler knows as this resource manager's.
func (s *Service) application(own *session, id string) *application {
	if a := s.applications[id]; a != nil {
		return a
	}
	if !s.trusts(kindApp, id) {
		return nil
	}
	var found core.AppItem
	var ok bool
	s.server.View().Read(func(present *scheduler.Scheduler) { found, ok = present.App(id) })
	if !ok || found.Tags[Owner] != own.id || terminal(found.State) {
		return nil
	}
	a := &application{id: id, owner: own, asks: map[string]*ask{}, state: found.State, changed: int64(found.Since)}
	s.applications[id] = a
	return a
}

func terminal(state string) bool {
	switch state {
	case core.StateCompleted, core.StateRejected, core.StateFailed, core.StateExpired:
		return true
	}
	return false
}

func (s *Service) removeApplication(b *batch, own *session, r *siv1.RemoveApplicationRequest) {
	id := r.GetApplicationID()
	if a := s.application(own, id); a == nil || a.owner != own {
		s.log.Warn("an unknown application was removed", "rm", own.id, "app", id)
		return
	}
	b.add(core.Input{Event: &core.RemoveApp{ID: id}}) // the record has the result
}

// applicationState tells a change of state. The ID of one that has ended is free.
func (s *Service) applicationState(a *application, d *core.Decision) {
	if a.holds(d) {
		return
	}
	a.state, a.changed = d.To, int64(d.At)
	a.tell(string(d.Reason))
	if terminal(a.state) {
		s.forget(a, d.Seq)
	}
}

// tell tells the state.
func (a *application) tell(reason string) {
	message := fmt.Sprintf("state %s", a.state)
	if reason != "" {
		message = reason
	}
	a.owner.tellState(&siv1.UpdatedApplication{ApplicationID: a.id, State: a.state, StateTransitionTimestamp: a.changed, Message: message})
}

// forget drops an application and its asks, because of a decision if it has a seq.
func (s *Service) forget(a *application, seq uint64) {
	if s.applications[a.id] == a {
		delete(s.applications, a.id)
		s.note(kindApp, a.id, gone{a.owner.batch, seq})
	}
	for _, k := range a.asks {
		s.drop(k, seq)
	}
}
