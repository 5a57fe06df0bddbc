package quernapi

import (
	"context"

	"github.com/quern-project/quern/core/forecast"
	"github.com/quern-project/quern/host/api/grpcserver"
	"github.com/quern-project/quern/host/api/permission"
	quernv1 "github.com/quern-project/quern/sdk/api/quern/v1"
)

// Forecast implements the service.
func (s *Service) Forecast(ctx context.Context, r *quernv1.ForecastRequest) (*quernv1.ForecastResponse, error) {
	limit := forecast.UsualTime
	if r.GetTimeLimit() != nil {
		limit = r.GetTimeLimit().AsDuration()
		if expected := permission.ExpectedTimeLimit(limit); expected != "" {
			return nil, grpcserver.BadParameter("time_limit", expected, limit.String())
		}
	}
	told, err := permission.Forecast(ctx, s.server, r.GetAsk(), limit)
	if permission.HasNoForecast(err) {
		return nil, unanswered(err)
	}
	if err != nil {
		return nil, err
	}
	text, object, err := written(told)
	return &quernv1.ForecastResponse{Text: text, Json: object}, err
}
