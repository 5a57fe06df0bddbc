package rest

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/explain"
	"github.com/quern-project/quern/host/server"
)

// Handler serves the API of a live scheduler.
type Handler struct {
	routes http.Handler
	server *server.Server
	source *server.Source
}

// New returns the handler of a server.
func New(s *server.Server) *Handler {
	h := &Handler{server: s, source: s.Source()}
	mux := http.NewServeMux()
	for pattern, serve := range map[string]handler{
		"POST /v1/inputs":                   h.inputs,
		"POST /v1/what-if":                  h.whatIf,
		"GET /v1/decisions":                 h.decisions,
		"GET /v1/asks/{name}/explanation":   h.explain(explain.Ask),
		"GET /v1/asks/{name}/victims":       h.explain(explain.Preemption),
		"GET /v1/apps/{name}/explanation":   h.explain(explain.App),
		"GET /v1/queues/{name}/explanation": h.explain(explain.Queue),
		"GET /v1/queues":                    list(h, queues),
		"GET /v1/queues/{name}":             one(h, queues),
		"GET /v1/nodes":                     list(h, nodes),
		"GET /v1/nodes/{name}":              one(h, nodes),
		"GET /v1/apps":                      list(h, apps),
		"GET /v1/apps/{name}":               one(h, apps),
		"GET /v1/asks":                      list(h, asks),
		"GET /v1/asks/{name}":               one(h, asks),
		"GET /healthz":                      h.healthy,
		"GET /readyz":                       h.ready,
		"/":                                 unknown,
	} {
		mux.Handle(pattern, serve)
	}
	foreign := http.NewCrossOriginProtection()
	foreign.SetDenyHandler(handler(func(http.ResponseWriter, *http.Request) error {
		return newProblem(http.StatusForbidden, "cross_origin", "Pages of other sites may not send inputs", "the request comes from a page of another origin")
	}))
	h.routes = foreign.Handler(mux)
	return h
}

// ServeHTTP implements http.Handler.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Cache-Control", "no-store")
	if !local(r.Host) {
		handler(misdirected).ServeHTTP(w, r)
		return
	}
	h.routes.ServeHTTP(w, r)
}

// local reports whether a host is this machine by its own name. Another name that leads here is that of a page which wants to be taken
// for one of this origin.
func local(host string) bool {
	name, _, err := net.SplitHostPort(host)
	if err != nil {
		name = strings.Trim(host, "[]")
	}
	ip := net.ParseIP(name)
	return name == "localhost" || ip != nil && ip.IsLoopback()
}

func misdirected(_ http.ResponseWriter, r *http.Request) error {
	return newProblem(http.StatusMisdirectedRequest, "misdirected", "This host has another name", fmt.Sprintf("Host: expected localhost or an address of this machine, found %q", r.Host))
}

func unknown(_ http.ResponseWriter, r *http.Request) error {
	return newProblem(http.StatusNotFound, "not_found", "There is no such route", fmt.Sprintf("%s %s", r.Method, r.URL.Path))
}

// explain answers questions of a kind about what the path names.
func (h *Handler) explain(kind explain.Kind) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		name := r.PathValue("name")
		var given explain.Answer
		var err error
		h.server.View().Read(func(s *core.Scheduler) {
			given, err = explain.Question{Kind: kind, Name: name, Absolute: true}.Put(s)
		})
		var pending *explain.NoPreemptionError
		switch {
		case errors.As(err, &pending):
			return newProblem(http.StatusConflict, "not_pending", "The ask is not pending", err.Error())
		case err != nil:
			return newProblem(http.StatusNotFound, "not_found", "There is nothing of that name", err.Error())
		}
		w.Header().Set("Content-Type", "application/json")
		return given.Write(w, true)
	}
}

// healthy says that the process serves.
func (h *Handler) healthy(w http.ResponseWriter, _ *http.Request) error {
	return answer(w, map[string]string{"status": "ok"})
}

// ready says whether inputs are taken.
func (h *Handler) ready(w http.ResponseWriter, _ *http.Request) error {
	if err := h.server.View().Failure(); err != nil {
		return newProblem(http.StatusServiceUnavailable, "store_failed", "The store cannot write", err.Error())
	}
	return answer(w, map[string]string{"status": "ready"})
}
