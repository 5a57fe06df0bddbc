package native

import (
	"context"
	"errors"
	"strings"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/api/access"
	"github.com/quern-project/quern/host/api/grpcserver"
	"github.com/quern-project/quern/host/auth"
	"github.com/quern-project/quern/host/explain"
	"github.com/quern-project/quern/host/predicates"
	"github.com/quern-project/quern/host/server"
	"github.com/quern-project/quern/host/state"
	quernv1 "github.com/quern-project/quern/sdk/api/quern/v1"
)

// Service implements quern.v1.Scheduler.
type Service struct {
	quernv1.UnimplementedSchedulerServer
	server *server.Server
	source *server.Source
	reader *state.Reader

	predicates *predicates.Hub
}

// New returns the service of a server, whose predicates a hub has answered.
func New(s *server.Server, hub *predicates.Hub) *Service {
	return &Service{predicates: hub, server: s, source: s.Source(), reader: state.NewReader(s.View())}
}

// Register implements grpcserver.Part.
func (s *Service) Register(r grpc.ServiceRegistrar) { quernv1.RegisterSchedulerServer(r, s) }

// Methods implements grpcserver.Part.
func (s *Service) Methods() map[string]auth.Role {
	return map[string]auth.Role{
		quernv1.Scheduler_Submit_FullMethodName:       auth.Submitter,
		quernv1.Scheduler_SubmitStream_FullMethodName: auth.Submitter,
		quernv1.Scheduler_Watch_FullMethodName:        auth.Viewer,
		quernv1.Scheduler_Explain_FullMethodName:      auth.Viewer,
		quernv1.Scheduler_Victims_FullMethodName:      auth.Viewer,
		quernv1.Scheduler_WhatIf_FullMethodName:       auth.Operator,
		quernv1.Scheduler_GetConfig_FullMethodName:    auth.Viewer,
		quernv1.Scheduler_ApplyConfig_FullMethodName:  auth.Admin,
		quernv1.Scheduler_Predicates_FullMethodName:   auth.RM,
		quernv1.Scheduler_GetQueue_FullMethodName:     auth.Viewer,
		quernv1.Scheduler_ListQueues_FullMethodName:   auth.Viewer,
		quernv1.Scheduler_GetNode_FullMethodName:      auth.Viewer,
		quernv1.Scheduler_ListNodes_FullMethodName:    auth.Viewer,
		quernv1.Scheduler_GetApp_FullMethodName:       auth.Viewer,
		quernv1.Scheduler_ListApps_FullMethodName:     auth.Viewer,
		quernv1.Scheduler_GetAsk_FullMethodName:       auth.Viewer,
		quernv1.Scheduler_ListAsks_FullMethodName:     auth.Viewer,
	}
}

// WhatIf implements the service.
func (s *Service) WhatIf(ctx context.Context, r *quernv1.WhatIfRequest) (*quernv1.WhatIfResponse, error) {
	inputs, err := inputsOf(r.GetInputs())
	if err != nil {
		return nil, err
	}
	lines, err := s.server.WhatIf(ctx, inputs)
	if err != nil {
		return nil, err
	}
	list, err := grpcserver.Decisions(lines)
	return &quernv1.WhatIfResponse{Decisions: list}, err
}

// Explain implements the service.
func (s *Service) Explain(ctx context.Context, r *quernv1.ExplainRequest) (*quernv1.ExplainResponse, error) {
	var q explain.Question
	switch x := r.GetSubject().(type) {
	case *quernv1.ExplainRequest_Ask:
		q = explain.Question{Kind: explain.Ask, Name: x.Ask}
	case *quernv1.ExplainRequest_App:
		q = explain.Question{Kind: explain.App, Name: x.App}
	case *quernv1.ExplainRequest_Queue:
		q = explain.Question{Kind: explain.Queue, Name: x.Queue}
	default:
		return nil, grpcserver.BadParameter("subject", "an ask, app or queue", "none")
	}
	text, object, err := s.put(ctx, q)
	return &quernv1.ExplainResponse{Text: text, Json: object}, err
}

// Victims implements the service.
func (s *Service) Victims(ctx context.Context, r *quernv1.VictimsRequest) (*quernv1.VictimsResponse, error) {
	text, object, err := s.put(ctx, explain.Question{Kind: explain.Preemption, Name: r.GetAsk()})
	return &quernv1.VictimsResponse{Text: text, Json: object}, err
}

// put has a question answered, for people and as JSON.
func (s *Service) put(ctx context.Context, q explain.Question) (text, object string, err error) {
	if err := access.Explain(ctx, s.server.View(), &q); err != nil {
		return "", "", err
	}
	q.Absolute = true
	var given explain.Answer
	s.server.Refresh(ctx)
	if err := s.server.View().Explain(func(present *core.Scheduler) { given, err = q.Put(present) }); err != nil {
		return "", "", err
	}
	var pending *explain.NoPreemptionError
	switch {
	case errors.As(err, &pending):
		return "", "", &grpcserver.Problem{Status: codes.FailedPrecondition, Code: "not_pending", Detail: err.Error()}
	case err != nil:
		return "", "", &grpcserver.Problem{Status: codes.NotFound, Code: "not_found", Detail: err.Error()}
	}
	var people, machines strings.Builder
	err = errors.Join(given.Write(&people, false), given.Write(&machines, true))
	return people.String(), machines.String(), err
}
