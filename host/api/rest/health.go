package rest

import (
	"errors"
	"net/http"

	"github.com/quern-project/quern/host/api/web"
	"github.com/quern-project/quern/host/server"
)

// Health are the routes of a process that may not be the one that schedules: live returns nil until it is. A process that waits for its
// turn is as ready as it can be. alive says in what the process is stuck, so that it has to be restarted.
func Health(live func() *server.Server, alive func() error) []web.Route {
	return []web.Route{
		{Pattern: "GET /healthz", Handler: web.Handler(func(w http.ResponseWriter, r *http.Request) error {
			if err := alive(); err != nil {
				return web.NewProblem(http.StatusServiceUnavailable, "stuck", "The process is stuck", err.Error())
			}
			return healthy(w, r)
		})},
		{Pattern: "GET /readyz", Handler: web.Handler(func(w http.ResponseWriter, _ *http.Request) error {
			s := live()
			if s == nil {
				return web.Answer(w, status{"standby"})
			}
			return readiness(w, s)
		})},
	}
}

func healthy(w http.ResponseWriter, _ *http.Request) error {
	return web.Answer(w, status{"ok"})
}

// readiness says whether inputs are taken and decided, and readers see that.
func readiness(w http.ResponseWriter, live *server.Server) error {
	switch err := live.Ready(); {
	case err == nil:
		return web.Answer(w, status{"ready"})
	case errors.Is(err, server.ErrStalled):
		return web.NewProblem(http.StatusServiceUnavailable, "stalled", "The loop does not finish a round", err.Error())
	case errors.Is(err, server.ErrLagging):
		return web.NewProblem(http.StatusServiceUnavailable, "view_lags", "Readers see an old state", err.Error())
	default:
		return web.NewProblem(http.StatusServiceUnavailable, "store_failed", "The store cannot write", err.Error())
	}
}
