package rest

import (
	"net/http"
	"net/http/pprof"

	"github.com/quern-project/quern/host/api/web"
	"github.com/quern-project/quern/host/auth"
)

// Profiles are the routes that `go tool pprof` reads. Their parameters are Go's, so nothing describes them.
func Profiles() []web.Route {
	route := func(path string, h http.HandlerFunc) web.Route {
		return web.Route{Pattern: "GET /debug/pprof/" + path, Needs: auth.Admin, Handler: h}
	}
	return []web.Route{
		route("", pprof.Index), route("cmdline", pprof.Cmdline), route("profile", pprof.Profile), route("symbol", pprof.Symbol), route("trace", pprof.Trace),
	}
}
