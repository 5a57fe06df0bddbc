package server

import (
	"context"
	"errors"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/forecast"
	"github.com/quern-project/quern/core/instant"
)

// MostForecastTime is how long a forecast may play at most.
const MostForecastTime = 4 * time.Second

// forecastsAtOnce is how many forecasts are made at a time. What-ifs have places of their own, since more callers may ask for forecasts.
const forecastsAtOnce = 2

// ErrNotPending says that there is no pending ask of that name.
var ErrNotPending = errors.New("the ask is not pending")

// forecastGrace is how long a victim takes to leave in a play: as long as Kubernetes gives a pod by default.
const forecastGrace = 30 * time.Second

// Forecast says when a pending ask will start, by playing what readers see forward on forks, for no longer than a time. The error is
// ErrNotPending, or ErrBusy where too many forecasts are made.
func (s *Server) Forecast(ctx context.Context, ask string, within time.Duration) (forecast.Result, error) {
	return apart(ctx, s, s.forecasts, func(ctx context.Context) (r forecast.Result, err error) {
		defer s.contain("a forecast", &err)
		frozen, err := s.view.freeze(func(*follower) {})
		if err != nil {
			return r, err
		}
		defer frozen.Release()
		late := instant.Add(s.o.Clock.Now(), within)
		f := s.view.runTimes.prepare(frozen.Fork(core.Options{}), ask, s.view.Version().Batch)
		if f == nil {
			return r, ErrNotPending
		}
		return f.Run(func() (core.Machine, func()) {
			policies := s.o.policiesOf(false)
			return frozen.Fork(optionsOf(policies)), policies.Close
		}, func() bool { return ctx.Err() != nil || s.o.Clock.Now() >= late }), nil
	})
}
