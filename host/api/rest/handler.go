package rest

import (
	"net/http"

	"github.com/quern-project/quern/host/objects"
	"github.com/quern-project/quern/host/server"
)

// API answers the routes of a live scheduler.
type API struct {
	server     *server.Server
	sources    *server.Sources
	reader     *objects.Reader
	presenting chan struct{} // holds one, while the present is written
}

// New returns the API of a server.
func New(s *server.Server) *API {
	return &API{server: s, sources: s.Sources(), reader: objects.NewReader(s.View()), presenting: make(chan struct{}, 1)}
}

// ready says whether inputs are taken and decided.
func (h *API) ready(w http.ResponseWriter, _ *http.Request) error { return readiness(w, h.server) }

// status answers how the host is.
type status struct {
	Status string `json:"status"`
}
