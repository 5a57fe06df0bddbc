// Package permission says which inputs a caller may submit and which answers it may read, beyond the role that a route or a method needs.
//
// A submitter sends applications as itself, and asks, releases and removals of its own applications or of those in queues whose adminacl
// names it. An operator sends what concerns the cluster as well, and an admin everything. Windows are added and removed by those whom the adminacl of
// root names, and by admins. What others run is explained to operators.
//
// The state is that of the view, a moment behind the loop. So an application whose name is taken over by another user in that very
// moment may still get what its previous owner sends.
package permission

import (
	"context"
	"fmt"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/auth"
	"github.com/quern-project/quern/host/server"
)

// Error says what a caller may not.
type Error struct{ what string }

func (e *Error) Error() string { return e.what }

// Refuse is what a caller is told who may not do something.
func Refuse(what string) *Error { return &Error{what} }

// Reader shows the state, as server.View does.
type Reader interface {
	Read(show func(*scheduler.Scheduler))
}

// Actor is who sends the request of a context, as the record names them.
func Actor(ctx context.Context) server.Actor {
	c := auth.FromContext(ctx)
	return server.Actor{User: c.User, Groups: c.Groups, From: c.From}
}

// needs is the role that an input needs.
func needs(t core.InputType) auth.Role {
	switch t {
	case core.AppAdd, core.AppRemove, core.AskAdd, core.AskUpdate, core.AskRemove, core.AllocationRelease,
		core.WindowAdd, core.WindowRemove: // and to administer root
		return auth.Submitter
	case core.ConfigSet, core.PolicySet, core.PolicyRemove, core.PolicyAnswers:
		return auth.Admin
	}
	return auth.Operator
}

// Sender is who sends requests, one after the other.
type Sender struct {
	state  Reader
	caller *auth.Caller

	// What was sent, and the view may not have yet: applications, and the applications of asks.
	apps map[string]bool
	asks map[string]string
}

// mostSent is how much a sender remembers of what it sent.
const mostSent = 20_000

// NewSender returns the sender of a context.
func NewSender(ctx context.Context, state Reader) *Sender {
	return &Sender{state: state, caller: auth.FromContext(ctx)}
}

// Sign makes a request that of its sender, and fills in the user of applications. The error is an *Error where the sender may not send it.
func (s *Sender) Sign(r *server.Request) error {
	c := s.caller
	r.By = server.Actor{User: c.User, Groups: c.Groups, From: c.From}
	own, windows := c.Role == auth.Submitter, false
	for i := range r.Inputs {
		in := &r.Inputs[i]
		if !c.Role.May(needs(in.Type())) {
			return refused(i, in, "this needs another role")
		}
		if own {
			if err := s.own(i, in); err != nil {
				return err
			}
		}
		windows = windows || reserves(in)
	}
	var err error
	if own || windows {
		s.state.Read(func(present *scheduler.Scheduler) {
			if err = s.windows(present, r.Inputs); err == nil && own {
				err = s.check(present, r.Inputs)
			}
		})
	}
	return err
}

func refused(i int, in *core.Input, what string) *Error {
	return &Error{fmt.Sprintf("input %d: %s: %s", i+1, in.Type(), what)}
}

// check holds inputs against the state: what they name must belong to the sender.
func (s *Sender) check(present *scheduler.Scheduler, inputs []core.Input) error {
	if s.apps == nil || len(s.apps)+len(s.asks) > mostSent {
		s.apps, s.asks = map[string]bool{}, map[string]string{}
	}
	mine := map[string]bool{} // what was found out about applications
	for i := range inputs {
		in := &inputs[i]
		var app string
		switch e := in.Event.(type) {
		case *core.AddWindow, *core.RemoveWindow:
			continue
		case *core.AddApp:
			s.apps[e.ID] = true
			continue
		case *core.RemoveApp:
			app = e.ID
		case *core.AddAsk:
			app = e.App
			s.asks[e.ID] = e.App
		default:
			app = s.appOf(present, in.ID())
		}
		found, known := mine[app]
		if !known {
			found = s.owns(present, app)
			mine[app] = found
		}
		if !found {
			return refused(i, in, "this belongs to another user's application")
		}
		if err := s.lengthens(present, i, in); err != nil {
			return err
		}
	}
	return nil
}

// appOf is the application of an ask; empty: there is no such ask.
func (s *Sender) appOf(present *scheduler.Scheduler, ask string) string {
	if a, ok := present.Ask(ask); ok {
		return a.App
	}
	return s.asks[ask]
}

// owns reports whether an application is the sender's, or that of a queue that the sender administers.
func (s *Sender) owns(present *scheduler.Scheduler, app string) bool {
	a, ok := present.App(app)
	if !ok {
		return s.apps[app]
	}
	return owns(present, s.caller, &a)
}

func owns(present *scheduler.Scheduler, c *auth.Caller, a *core.AppItem) bool {
	if c.User != "" && a.User == c.User {
		return true
	}
	e, ok := present.Access(core.ShownPath(a.Partition, a.Queue), c.User, c.Groups)
	return ok && !e.Open && e.Admin
}
