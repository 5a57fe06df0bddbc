package rest

import (
	"fmt"
	"net/http"
	"time"

	"github.com/quern-project/quern/core/forecast"
	"github.com/quern-project/quern/host/api/permission"
	"github.com/quern-project/quern/host/api/web"
	"github.com/quern-project/quern/host/auth"
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
		limit, _ = time.ParseDuration(text) // 0, which is none, where it fails
		if expected := permission.ExpectedTimeLimit(limit); expected != "" {
			return unusable("time_limit", fmt.Errorf("expected %s, found %q", expected, text))
		}
	}
	told, err := permission.Forecast(r.Context(), h.server, r.PathValue("name"), limit)
	if permission.HasNoForecast(err) {
		return unanswered(err)
	}
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	return told.Write(w, true)
}
