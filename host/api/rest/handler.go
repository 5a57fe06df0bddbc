package rest

import (
	"errors"
	"net/http"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/api/access"
	"github.com/quern-project/quern/host/api/web"
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

// explain answers questions of a kind about what the path names.
func (h *API) explain(kind explain.Kind) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		name := r.PathValue("name")
		if err := access.Explain(r.Context(), h.server.View(), kind, name); err != nil {
			return err
		}
		var given explain.Answer
		var err error
		h.server.Refresh(r.Context())
		if err := h.server.View().Explain(func(s *core.Scheduler) {
			given, err = explain.Question{Kind: kind, Name: name, Absolute: true}.Put(s)
		}); err != nil {
			return err
		}
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
	return web.Answer(w, status{"ok"})
}

// ready says whether inputs are taken.
func (h *API) ready(w http.ResponseWriter, _ *http.Request) error {
	if err := h.server.View().Failure(); err != nil {
		return web.NewProblem(http.StatusServiceUnavailable, "store_failed", "The store cannot write", err.Error())
	}
	return web.Answer(w, status{"ready"})
}

// status answers how the host is.
type status struct {
	Status string `json:"status"`
}
