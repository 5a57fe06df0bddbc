package web

import (
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/quern-project/quern/host/auth"
	"github.com/quern-project/quern/host/clients"
)

// Guard stands before the routes. The zero value guards a host that only this machine reaches: it asks for no authentication.
type Guard struct {
	// Auth knows callers; nil: all callers are admins without a name.
	Auth *auth.Authenticator
	// Hosts reports whether a name is one of this host's, beside localhost and the addresses of this machine. It is in lower case and without
	// the dot that may end it. Nil: none is.
	Hosts func(name string) bool
	// Origins are those whose pages may ask; nil: none are.
	Origins *Origins
	// Clients counts what clients take; nil: as much as they want.
	Clients *clients.Table
	// Refused is called with the caller, the request, such as PUT /v1/config, and the reason of a refusal. Nil disables it.
	Refused func(c *auth.Caller, what, why string)
	// Panicked is called when a handler panics. Nil disables it.
	Panicked func(r *http.Request, bug, stack string)

	bodies bodies
}

// pagePolicy lets a page load what this host serves, and nothing from anywhere else.
const pagePolicy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; style-src 'self'; " +
	"img-src 'self' data: blob:; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// guarded answers only requests that mean this host, and has browsers keep and guess nothing.
func (g *Guard) guarded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Cache-Control", "no-store")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Content-Security-Policy", pagePolicy)
		if !g.means(r.Host) {
			Handler(misdirected).ServeHTTP(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// means reports whether a Host is this one. Another name that leads here may be that of a page which wants to be taken for one of this
// origin.
func (g *Guard) means(host string) bool {
	name, _, err := net.SplitHostPort(host)
	if err != nil {
		name = strings.Trim(host, "[]")
	}
	name = strings.ToLower(strings.TrimSuffix(name, "."))
	ip := net.ParseIP(name)
	return name == "localhost" || ip != nil && ip.IsLoopback() || g.Hosts != nil && g.Hosts(name)
}

func misdirected(_ http.ResponseWriter, r *http.Request) error {
	return NewProblem(http.StatusMisdirectedRequest, "misdirected", "The host does not have this name", fmt.Sprintf("Host: expected a name of this host, found %q", r.Host))
}

// sameOrigin refuses what pages of other origins would change.
func (g *Guard) sameOrigin(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := g.Origins.now().foreign.Check(r); err != nil {
			Handler(crossOrigin).ServeHTTP(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func crossOrigin(http.ResponseWriter, *http.Request) error {
	return NewProblem(http.StatusForbidden, "cross_origin", "Pages of other sites may not send inputs", "the request comes from a page of another origin")
}

// preflightAge is how long a browser need not ask again whether it may ask, in seconds.
const preflightAge = "600"

// shared lets pages of the origins that are named read answers. They show who they are by a token: there are no cookies.
func (g *Guard) shared(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		origins := g.Origins.now().list
		if len(origins) == 0 {
			next.ServeHTTP(w, r)
			return
		}
		h := w.Header()
		h.Add("Vary", "Origin")
		origin := r.Header.Get("Origin")
		if !slices.Contains(origins, origin) {
			next.ServeHTTP(w, r)
			return
		}
		h.Set("Access-Control-Allow-Origin", origin)
		h.Set("Access-Control-Expose-Headers", "ETag, Retry-After")
		if r.Method != http.MethodOptions || r.Header.Get("Access-Control-Request-Method") == "" {
			next.ServeHTTP(w, r)
			return
		}
		h.Set("Access-Control-Allow-Methods", "GET, HEAD, POST, PUT, DELETE")
		h.Set("Access-Control-Allow-Headers", "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID")
		h.Set("Access-Control-Max-Age", preflightAge)
		w.WriteHeader(http.StatusNoContent)
	})
}

// Times bound how long clients may take. Zero means the usual ones.
type Times struct {
	Header time.Duration // to send the header
	Body   time.Duration // to send all of the request
	Write  time.Duration // to take the answer; of a stream: to take a piece of it
	Idle   time.Duration // between two requests of a connection
}

// usual are the times of a host.
var usual = Times{Header: 10 * time.Second, Body: time.Minute, Write: time.Minute, Idle: 2 * time.Minute}

// mostHead is the length of the header of a request, in bytes.
const mostHead = 64 << 10

// NewServer returns a server that slow clients cannot hold up.
func NewServer(h http.Handler, t Times) *http.Server {
	if t == (Times{}) {
		t = usual
	}
	return &http.Server{Handler: h, ReadHeaderTimeout: t.Header, ReadTimeout: t.Body, WriteTimeout: t.Write, IdleTimeout: t.Idle, MaxHeaderBytes: mostHead}
}
