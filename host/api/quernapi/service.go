package quernapi

import (
	"context"

	"google.golang.org/grpc"

	"github.com/quern-project/quern/host/api/grpcserver"
	"github.com/quern-project/quern/host/auth"
	"github.com/quern-project/quern/host/objects"
	"github.com/quern-project/quern/host/predicates"
	"github.com/quern-project/quern/host/server"
	quernv1 "github.com/quern-project/quern/sdk/api/quern/v1"
)

// Service implements quern.v1.Scheduler.
type Service struct {
	quernv1.UnimplementedSchedulerServer
	server  *server.Server
	sources *server.Sources
	reader  *objects.Reader

	predicates *predicates.Hub
}

// New returns the service of a server, whose predicates a hub has answered.
func New(s *server.Server, hub *predicates.Hub) *Service {
	return &Service{predicates: hub, server: s, sources: s.Sources(), reader: objects.NewReader(s.View())}
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
		quernv1.Scheduler_Forecast_FullMethodName:     auth.Viewer,
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
		quernv1.Scheduler_GetGang_FullMethodName:      auth.Viewer,
		quernv1.Scheduler_ListGangs_FullMethodName:    auth.Viewer,
		quernv1.Scheduler_ListDomains_FullMethodName:  auth.Viewer,
		quernv1.Scheduler_GetWindow_FullMethodName:    auth.Viewer,
		quernv1.Scheduler_ListWindows_FullMethodName:  auth.Viewer,
	}
}

// WhatIf implements the service.
func (s *Service) WhatIf(ctx context.Context, r *quernv1.WhatIfRequest) (*quernv1.WhatIfResponse, error) {
	inputs, err := inputsOf(r.GetInputs())
	if err != nil {
		return nil, err
	}
	made, err := s.server.WhatIf(ctx, inputs)
	if err != nil {
		return nil, err
	}
	list, err := grpcserver.Decisions(made)
	return &quernv1.WhatIfResponse{Decisions: list}, err
}
