package grpcserver

import (
	"context"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	checks "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/status"

	"github.com/quern-project/quern/host/auth"
)

// health says whether inputs are taken, for the whole host: a service of its own has no health.
type health struct {
	checks.UnimplementedHealthServer
	failure func() error
}

// Register implements Part.
func (h *health) Register(s grpc.ServiceRegistrar) { checks.RegisterHealthServer(s, h) }

// Methods implements Part.
func (h *health) Methods() map[string]auth.Role {
	return map[string]auth.Role{checks.Health_Check_FullMethodName: auth.Anyone, checks.Health_Watch_FullMethodName: auth.Anyone, checks.Health_List_FullMethodName: auth.Anyone}
}

func (h *health) now() checks.HealthCheckResponse_ServingStatus {
	if h.failure() != nil {
		return checks.HealthCheckResponse_NOT_SERVING
	}
	return checks.HealthCheckResponse_SERVING
}

// Check implements the service.
func (h *health) Check(_ context.Context, r *checks.HealthCheckRequest) (*checks.HealthCheckResponse, error) {
	if r.GetService() != "" {
		return nil, status.Error(codes.NotFound, "only the host as a whole has a health status: use the empty name")
	}
	return &checks.HealthCheckResponse{Status: h.now()}, nil
}

// List implements the service.
func (h *health) List(context.Context, *checks.HealthListRequest) (*checks.HealthListResponse, error) {
	return &checks.HealthListResponse{Statuses: map[string]*checks.HealthCheckResponse{"": {Status: h.now()}}}, nil
}

// watchPause is how late a watcher may learn of a change.
const watchPause = time.Second

// Watch implements the service.
func (h *health) Watch(r *checks.HealthCheckRequest, s grpc.ServerStreamingServer[checks.HealthCheckResponse]) error {
	tick := time.NewTicker(watchPause)
	defer tick.Stop()
	for last := checks.HealthCheckResponse_UNKNOWN; ; {
		now := h.now()
		if r.GetService() != "" {
			now = checks.HealthCheckResponse_SERVICE_UNKNOWN
		}
		if now != last {
			if err := s.Send(&checks.HealthCheckResponse{Status: now}); err != nil {
				return err
			}
			last = now
		}
		select {
		case <-tick.C:
		case <-s.Context().Done():
			return s.Context().Err()
		case <-Stopping(s.Context()):
			return s.Send(&checks.HealthCheckResponse{Status: checks.HealthCheckResponse_NOT_SERVING})
		}
	}
}
