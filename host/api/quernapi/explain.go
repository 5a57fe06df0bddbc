package quernapi

import (
	"context"
	"errors"
	"slices"
	"strings"

	"google.golang.org/grpc/codes"

	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/api/grpcserver"
	"github.com/quern-project/quern/host/api/permission"
	"github.com/quern-project/quern/host/auth"
	"github.com/quern-project/quern/host/report/explanation"
	quernv1 "github.com/quern-project/quern/sdk/api/quern/v1"
)

// Explain implements the service.
func (s *Service) Explain(ctx context.Context, r *quernv1.ExplainRequest) (*quernv1.ExplainResponse, error) {
	q, err := questionOf(r)
	if err != nil {
		return nil, err
	}
	text, object, err := s.put(ctx, q)
	return &quernv1.ExplainResponse{Text: text, Json: object}, err
}

// questionOf reads what a request asks.
func questionOf(r *quernv1.ExplainRequest) (q explanation.Question, err error) {
	switch x := r.GetSubject().(type) {
	case *quernv1.ExplainRequest_Ask:
		q = explanation.Question{Kind: explanation.Ask, Name: x.Ask}
	case *quernv1.ExplainRequest_App:
		q = explanation.Question{Kind: explanation.App, Name: x.App}
	case *quernv1.ExplainRequest_Queue:
		q = explanation.Question{Kind: explanation.Queue, Name: x.Queue}
	case *quernv1.ExplainRequest_Max:
		q = explanation.Question{Kind: explanation.Max, Name: x.Max.GetQueue()}
		q.Max = amountsOf("max", x.Max.GetMax(), func(key, expected, found string) { err = grpcserver.BadParameter(key, expected, found) })
		if len(q.Max) == 0 && err == nil {
			err = grpcserver.BadParameter("max", "amounts", "none")
		}
	case *quernv1.ExplainRequest_Access:
		user := x.Access.GetUser()
		q = explanation.Question{Kind: explanation.Access, Name: x.Access.GetQueue(), User: &user, Groups: x.Access.GetGroups()}
	case *quernv1.ExplainRequest_Limits:
		q = explanation.Question{Kind: explanation.Limits, User: x.Limits.User, Groups: x.Limits.GetGroups()}
	case *quernv1.ExplainRequest_Placement:
		p := x.Placement
		q = explanation.Question{Kind: explanation.Place, User: p.User, Groups: p.GetGroups(),
			App: explanation.Application{Queue: p.GetQueue(), Partition: p.GetPartition(), Tags: p.GetTags()}}
	default:
		err = grpcserver.BadParameter("subject", "a question", "none")
	}
	if slices.Contains(q.Groups, "") {
		err = grpcserver.BadParameter("groups", "names that are not empty", `""`)
	}
	return q, err
}

// Victims implements the service.
func (s *Service) Victims(ctx context.Context, r *quernv1.VictimsRequest) (*quernv1.VictimsResponse, error) {
	text, object, err := s.put(ctx, explanation.Question{Kind: explanation.Preemption, Name: r.GetAsk()})
	return &quernv1.VictimsResponse{Text: text, Json: object}, err
}

// put has a question answered, for people and as JSON.
func (s *Service) put(ctx context.Context, q explanation.Question) (text, object string, err error) {
	if err := permission.Explain(ctx, s.server.View(), &q); err != nil {
		return "", "", err
	}
	q.Absolute, q.Endings = true, s.server.View().Endings()
	var given explanation.Answer
	s.server.Refresh(ctx)
	permission.Placement(ctx, s.server, &q)
	if err := s.server.View().Explain(auth.FromContext(ctx).Client(), func(present *scheduler.Scheduler) { given, err = q.Put(present) }); err != nil {
		return "", "", err
	}
	if err != nil {
		return "", "", unanswered(err)
	}
	return written(given)
}

// unanswered is why a question has no answer.
func unanswered(err error) error {
	var pending *explanation.NotPendingError
	if errors.As(err, &pending) {
		return &grpcserver.Problem{Status: codes.FailedPrecondition, Code: "not_pending", Detail: err.Error()}
	}
	return &grpcserver.Problem{Status: codes.NotFound, Code: "not_found", Detail: err.Error()}
}

// written is an answer for people and as JSON.
func written(a explanation.Answer) (text, object string, err error) {
	var people, machines strings.Builder
	err = errors.Join(a.Write(&people, false), a.Write(&machines, true))
	return people.String(), machines.String(), err
}
