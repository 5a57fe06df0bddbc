package quernapi

import (
	"context"
	"io"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/quern-project/quern/host/api/grpcserver"
	"github.com/quern-project/quern/host/api/permission"
	"github.com/quern-project/quern/host/auth"
	"github.com/quern-project/quern/host/predicates"
	"github.com/quern-project/quern/host/server"
	quernv1 "github.com/quern-project/quern/sdk/api/quern/v1"
)

var errTakenOver = &grpcserver.Problem{Status: codes.Aborted, Code: "taken_over", Detail: "another client answers for these predicates"}

type predicateStream = grpc.BidiStreamingServer[quernv1.PredicatesRequest, quernv1.PredicatesResponse]

// Predicates implements the service.
func (s *Service) Predicates(stream predicateStream) error {
	first, err := stream.Recv()
	if err == io.EOF {
		return nil
	}
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(stream.Context())
	defer cancel(nil)
	owner := first.GetOpen().GetOwner()
	if err := s.answersFor(ctx, owner); err != nil {
		return err
	}
	c := &conversation{Service: s, stream: stream, owner: owner, client: s.predicates.Attach(owner), changed: make(chan []string, mostChanges), ready: make(chan struct{})}
	defer c.client.Detach()
	go func() { cancel(c.read(ctx)) }()
	go func() {
		if err := c.askAnew(ctx); err != nil {
			cancel(err)
		}
	}()
	return c.ask(ctx)
}

// answersFor returns why a caller may not answer for the predicates of an owner; nil: it may.
func (s *Service) answersFor(ctx context.Context, owner string) error {
	caller := auth.FromContext(ctx)
	switch user := s.server.View().ManagerUser(owner); {
	case owner == "":
		return grpcserver.BadParameter("open.owner", "the ID of a resource manager in the first message", "none")
	case caller.Role.May(auth.Admin), user != "" && user == caller.User:
		return nil
	case user == "":
		return &grpcserver.Problem{Status: codes.FailedPrecondition, Code: "not_registered", Detail: "expected a resource manager that has registered"}
	}
	return permission.Refuse("the resource manager is another user's")
}

// mostChanges is how many messages that say that predicates have changed may wait. The client is not read from while there are more.
const mostChanges = 100

// conversation is a stream of a client that answers for predicates.
type conversation struct {
	*Service
	stream  predicateStream
	owner   string
	client  *predicates.Client
	changed chan []string // names; none: all
	ready   chan struct{} // closed once all predicates have been asked again
}

// ask sends questions until the stream ends. The header goes out before the first, and once all predicates have been asked again, so that a client
// that waits for it knows that it answers from now on.
func (c *conversation) ask(ctx context.Context) error {
	for ready := c.ready; ; {
		select {
		case <-ready:
			ready = nil
			if err := c.stream.SendHeader(nil); err != nil {
				return err
			}
		case q := <-c.client.Questions():
			ready = nil // the header goes with the first question
			if err := c.stream.Send(&quernv1.PredicatesResponse{Question: q.Number, Predicate: q.Name(), Nodes: q.Nodes, Timeout: durationpb.New(q.Timeout)}); err != nil {
				return err
			}
		case <-c.client.Gone():
			return errTakenOver
		case <-ctx.Done():
			if err := context.Cause(ctx); err != io.EOF {
				return err
			}
			return nil
		case <-grpcserver.Stopping(ctx):
			return server.ErrStopping
		}
	}
}

// read takes answers until the client sends no more.
func (c *conversation) read(ctx context.Context) error {
	for {
		r, err := c.stream.Recv()
		if err != nil {
			return err
		}
		switch {
		case r.GetAnswer() != nil:
			a := r.GetAnswer()
			c.client.Answer(&predicates.Answer{Number: a.GetQuestion(), Codes: a.GetCodes(), Fault: a.GetFault()})
		case r.GetChanged() != nil:
			select {
			case c.changed <- r.GetChanged().GetPredicates():
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		default:
			return grpcserver.BadParameter("request", "an answer or changed", "something else")
		}
	}
}
