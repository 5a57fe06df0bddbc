package rest

import (
	"errors"
	"net/http"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/api/web"
	"github.com/quern-project/quern/host/auth"
	"github.com/quern-project/quern/host/explain"
	"github.com/quern-project/quern/host/server"
	"github.com/quern-project/quern/host/state"
)

// API answers the routes of a live scheduler.
type API struct {
	server     *server.Server
	source     *server.Source
	reader     *state.Reader
	presenting chan struct{} // holds one, while the present is written
}

// New returns the API of a server.
func New(s *server.Server) *API {
	return &API{server: s, source: s.Source(), reader: state.NewReader(s.View()), presenting: make(chan struct{}, 1)}
}

// Routes are those of the API.
func (h *API) Routes() []web.Route {
	return []web.Route{
		{Pattern: "GET /healthz", Handler: web.Handler(h.healthy)},
		{Pattern: "GET /readyz", Handler: web.Handler(h.ready)},
		{Pattern: "POST /v1/inputs", Needs: auth.Submitter, Handler: web.Handler(h.inputs)},
		{Pattern: "POST /v1/what-if", Needs: auth.Viewer, Handler: web.Handler(h.whatIf)},
		{Pattern: "GET /v1/present", Needs: auth.Viewer, Handler: web.Handler(h.present)},
		{Pattern: "GET /v1/decisions", Needs: auth.Viewer, Handler: web.Handler(h.decisions)},
		{Pattern: "GET /v1/asks/{name}/explanation", Needs: auth.Viewer, Handler: h.explain(explain.Ask)},
		{Pattern: "GET /v1/asks/{name}/victims", Needs: auth.Viewer, Handler: h.explain(explain.Preemption)},
		{Pattern: "GET /v1/apps/{name}/explanation", Needs: auth.Viewer, Handler: h.explain(explain.App)},
		{Pattern: "GET /v1/queues/{name}/explanation", Needs: auth.Viewer, Handler: h.explain(explain.Queue)},
		{Pattern: "GET /v1/queues", Needs: auth.Viewer, Handler: list(h, queues)},
		{Pattern: "GET /v1/queues/{name}", Needs: auth.Viewer, Handler: one(h, queues)},
		{Pattern: "GET /v1/nodes", Needs: auth.Viewer, Handler: list(h, nodes)},
		{Pattern: "GET /v1/nodes/{name}", Needs: auth.Viewer, Handler: one(h, nodes)},
		{Pattern: "GET /v1/apps", Needs: auth.Viewer, Handler: list(h, apps)},
		{Pattern: "GET /v1/apps/{name}", Needs: auth.Viewer, Handler: one(h, apps)},
		{Pattern: "GET /v1/asks", Needs: auth.Viewer, Handler: list(h, asks)},
		{Pattern: "GET /v1/asks/{name}", Needs: auth.Viewer, Handler: one(h, asks)},
	}
}

// explain answers questions of a kind about what the path names.
func (h *API) explain(kind explain.Kind) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		name := r.PathValue("name")
		var given explain.Answer
		var err error
		h.server.Present(r.Context())
		h.server.View().Read(func(s *core.Scheduler) {
			given, err = explain.Question{Kind: kind, Name: name, Absolute: true}.Put(s)
		})
		var pending *explain.NoPreemptionError
		switch {
		case errors.As(err, &pending):
			return web.NewProblem(http.StatusConflict, "not_pending", "The ask is not pending", err.Error())
		case err != nil:
			return web.NewProblem(http.StatusNotFound, "not_found", "There is nothing of that name", err.Error())
		}
		w.Header().Set("Content-Type", "application/json")
		return given.Write(w, true)
	}
}

// healthy says that the process serves.
func (h *API) healthy(w http.ResponseWriter, _ *http.Request) error {
	return web.Answer(w, map[string]string{"status": "ok"})
}

// ready says whether inputs are taken.
func (h *API) ready(w http.ResponseWriter, _ *http.Request) error {
	if err := h.server.View().Failure(); err != nil {
		return web.NewProblem(http.StatusServiceUnavailable, "store_failed", "The store cannot write", err.Error())
	}
	return web.Answer(w, map[string]string{"status": "ready"})
}
