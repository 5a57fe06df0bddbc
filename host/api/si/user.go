package si

import (
	"context"

	"google.golang.org/grpc/codes"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/api/grpcserver"
	"github.com/quern-project/quern/host/api/permission"
	"github.com/quern-project/quern/host/auth"
	"github.com/quern-project/quern/host/objects"
	"github.com/quern-project/quern/host/server"
	siv1 "github.com/quern-project/quern/sdk/api/si/v1"
)

// A resource manager is bound to the user who registers it: no other user may register under its ID, open its streams or complete its resync
// while it lives, which is as long as it has registered since the host was started, or has a node or an application. The record says
// whose it is, so that this holds after a crash. Admins may act for all, and give one to another user.

// HandOver is the key of a registration's extraConfig with which an admin names the user whose the resource manager is from now on.
const HandOver = "quern.user"

// mostManagers is how many resource managers the record binds to users.
const mostManagers = 1_000

var errNotYours = permission.Refuse("the resource manager is another user's")

// bind returns the user whose a resource manager is, once that is durable. Callers take turns.
func (s *Service) bind(ctx context.Context, id string, r *siv1.RegisterResourceManagerRequest) (user string, err error) {
	caller, bound := auth.FromContext(ctx), s.server.View().ManagerUser(id)
	admin := caller.Role.May(auth.Admin)
	user = caller.User
	switch to, named := r.GetExtraConfig()[HandOver]; {
	case named && !admin:
		return "", permission.Refuse("only an admin gives a resource manager to another user")
	case named && to == "":
		return "", grpcserver.BadParameter("extraConfig."+HandOver, "the name of a user", `""`)
	case named:
		user = to
	case bound == "":
	case bound == user || admin:
		return bound, nil
	case s.lives(id):
		return "", errNotYours
	}
	if user == bound || user == "" { // without authentication there are no users
		return user, nil
	}
	list := []server.Registration{{Manager: id, User: user}}
	if bound == "" {
		if list, err = s.makeRoom(list); err != nil {
			return "", err
		}
	}
	source := s.server.Source()
	defer source.Close()
	given, err := source.Submit(ctx, &server.Request{By: permission.Actor(ctx), Inputs: []core.Input{{Event: &core.Tick{}}}, Registers: list})
	if err == nil {
		err = s.server.View().Await(ctx, given.Batch)
	}
	if err != nil {
		return "", err
	}
	if bound != "" {
		s.given(id)
	}
	return user, nil
}

// lives reports whether a resource manager has registered since the host was started, or has anything.
func (s *Service) lives(id string) bool {
	s.mu.Lock()
	registered := s.sessions[id] != nil
	s.mu.Unlock()
	return registered || s.owners()[id]
}

// owners are the resource managers that have a node or an application.
func (s *Service) owners() map[string]bool {
	all := map[string]bool{}
	for n := range objects.Each(s.server.View(), (*scheduler.Scheduler).Nodes, core.Where{}) {
		all[n.Attributes[Owner]] = true
	}
	for a := range objects.Each(s.server.View(), (*scheduler.Scheduler).Apps, core.Where{}) {
		if !terminal(a.State) {
			all[a.Tags[Owner]] = true
		}
	}
	return all
}

// makeRoom adds to a list what ends the bindings of resource managers that do not live, where there are too many.
func (s *Service) makeRoom(list []server.Registration) ([]server.Registration, error) {
	bound := s.server.View().Managers()
	if len(bound) < mostManagers {
		return list, nil
	}
	owners := s.owners()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, id := range bound {
		if !owners[id] && s.sessions[id] == nil {
			list = append(list, server.Registration{Manager: id})
		}
	}
	if len(list) == 1 {
		return nil, &grpcserver.Problem{Status: codes.ResourceExhausted, Code: "too_many", Detail: "too many resource managers are registered"}
	}
	return list, nil
}

// session returns a resource manager that has registered, if the caller may act for it.
func (s *Service) session(ctx context.Context, id string) (*session, error) {
	own, caller := s.sessions[id], auth.FromContext(ctx)
	switch {
	case own == nil:
		return nil, errRegisterFirst
	case caller.User != own.user && !caller.Role.May(auth.Admin):
		return nil, errNotYours
	}
	return own, nil
}
