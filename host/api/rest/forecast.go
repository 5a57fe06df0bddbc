package rest

import (
	"errors"
	"net/http"
	"time"

	"github.com/quern-project/quern/core/forecast"
	"github.com/quern-project/quern/host/api/permission"
	"github.com/quern-project/quern/host/api/web"
	"github.com/quern-project/quern/host/auth"
	"github.com/quern-project/quern/host/report/explanation"
)

// forecasts is the route of forecasts.
func (h *API) forecasts() web.Route {
	return web.Route{Pattern: "GET /v1/asks/{name}/forecast", Needs: auth.Viewer, Handler: web.Handler(h.forecast), Doc: &web.Doc{
		Summary:    "When a pending ask will start",
		Parameters: []web.Parameter{{Name: "time_limit", Text: "how long the present may be played forward, such as 500ms; 2s unless given, 4s at most"}},
		Answers:    web.JSON(map[string]any{}), Problems: []int{http.StatusNotFound, http.StatusConflict},
	}}
}

// forecast answers when an ask will start.
func (h *API) forecast(w http.ResponseWriter, r *http.Request) error {
	limit := forecast.UsualTime
	if text := r.URL.Query().Get("time_limit"); text != "" {
		var err error
		if limit, err = time.ParseDuration(text); err == nil {
			err = permission.TimeLimit(limit)
		}
		if err != nil {
			return unusable("time_limit", err)
		}
	}
	told, err := permission.Forecast(r.Context(), h.server, r.PathValue("name"), limit)
	var started *explanation.NotPendingError
	var unknown *explanation.UnknownError
	switch {
	case errors.As(err, &started):
		return web.NewProblem(http.StatusConflict, "not_pending", "The ask is not pending", err.Error())
	case errors.As(err, &unknown):
		return web.NewProblem(http.StatusNotFound, "not_found", "Not found", err.Error())
	case err != nil:
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	return told.Write(w, true)
}
