package quernapi

import (
	"context"
	"errors"
	"strings"

	"google.golang.org/grpc/codes"

	"github.com/quern-project/quern/core/forecast"
	"github.com/quern-project/quern/host/api/grpcserver"
	"github.com/quern-project/quern/host/api/permission"
	"github.com/quern-project/quern/host/report/explanation"
	quernv1 "github.com/quern-project/quern/sdk/api/quern/v1"
)

// Forecast implements the service.
func (s *Service) Forecast(ctx context.Context, r *quernv1.ForecastRequest) (*quernv1.ForecastResponse, error) {
	limit := forecast.UsualTime
	if r.GetTimeLimit() != nil {
		limit = r.GetTimeLimit().AsDuration()
		if err := permission.TimeLimit(limit); err != nil {
			return nil, grpcserver.BadParameter("time_limit", "a duration above 0s and of at most 4s", limit.String())
		}
	}
	told, err := permission.Forecast(ctx, s.server, r.GetAsk(), limit)
	var started *explanation.NotPendingError
	var unknown *explanation.UnknownError
	switch {
	case errors.As(err, &started):
		return nil, &grpcserver.Problem{Status: codes.FailedPrecondition, Code: "not_pending", Detail: err.Error()}
	case errors.As(err, &unknown):
		return nil, &grpcserver.Problem{Status: codes.NotFound, Code: "not_found", Detail: err.Error()}
	case err != nil:
		return nil, err
	}
	var people, machines strings.Builder
	err = errors.Join(told.Write(&people, false), told.Write(&machines, true))
	return &quernv1.ForecastResponse{Text: people.String(), Json: machines.String()}, err
}
