// Package web is the HTTP server of a live host: what every request goes through before a route answers it, and how errors are answered.
//
// In this order: the Host that the request means, pages of other origins, who sends it, what its client takes already, whether the role
// is enough for the route, and the bounds of its body and of the time that it takes.
package web

import (
	"net/http"
	"slices"

	"github.com/quern-project/quern/host/auth"
)

// Route is a handler and who may ask it.
type Route struct {
	Pattern string // of http.ServeMux
	Needs   auth.Role
	Open    func() bool // reports whether it is open without authentication now; nil: never
	Handler http.Handler
	Doc     *Doc // nil: the description of the API has no more than the above
}

// Handler returns the handler of guarded routes.
func (g *Guard) Handler(routes ...Route) http.Handler {
	mux := http.NewServeMux()
	routes = append(slices.Clip(routes), description(routes))
	for _, r := range routes {
		h := r.Handler
		if r.Doc != nil {
			h = described(r.Doc, h)
		}
		mux.Handle(r.Pattern, g.admit(r.Needs, r.Open, h))
	}
	// Who may read nothing is not told either which routes there are.
	mux.Handle("/", g.admit(auth.Viewer, nil, unknown(routes)))
	return g.guarded(g.shared(g.sameOrigin(compressed(g.survives(mux)))))
}
