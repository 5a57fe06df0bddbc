// Package web is the HTTP server of a live host: what every request goes through before a route answers it, and how errors are answered.
package web

import (
	"fmt"
	"net"
	"net/http"
	"strings"

	"github.com/quern-project/quern/host/auth"
)

// Route is a handler and who may ask it.
type Route struct {
	Pattern string // of http.ServeMux
	Needs   auth.Role
	Handler http.Handler
}

// New returns the handler of routes.
func New(routes ...Route) http.Handler {
	mux := http.NewServeMux()
	for _, r := range routes {
		mux.Handle(r.Pattern, r.Handler)
	}
	mux.Handle("/", Handler(unknown))
	foreign := http.NewCrossOriginProtection()
	foreign.SetDenyHandler(Handler(func(http.ResponseWriter, *http.Request) error {
		return NewProblem(http.StatusForbidden, "cross_origin", "Pages of other sites may not send inputs", "the request comes from a page of another origin")
	}))
	return guarded(foreign.Handler(mux))
}

// guarded answers only requests that mean this machine, and has browsers keep and guess nothing.
func guarded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Cache-Control", "no-store")
		if !local(r.Host) {
			Handler(misdirected).ServeHTTP(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
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
	return NewProblem(http.StatusMisdirectedRequest, "misdirected", "This host has another name", fmt.Sprintf("Host: expected localhost or an address of this machine, found %q", r.Host))
}

func unknown(_ http.ResponseWriter, r *http.Request) error {
	return NewProblem(http.StatusNotFound, "not_found", "There is no such route", fmt.Sprintf("%s %s", r.Method, r.URL.Path))
}
