package web

import (
	"context"
	"errors"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/quern-project/quern/host/api/permission"
	"github.com/quern-project/quern/host/auth"
	"github.com/quern-project/quern/host/clients"
)

// MostBody is the length of the body of a request, in bytes.
const MostBody = 16 << 20

// admit lets those ask a handler who have the role for it, within the bounds of a client. All may while it is open.
func (g *Guard) admit(needs auth.Role, open func() bool, next http.Handler) http.Handler {
	return Handler(func(w http.ResponseWriter, r *http.Request) error {
		caller, err := g.caller(r)
		if err != nil {
			return err
		}
		granted, ok := g.Clients.Begin(caller.Client())
		if !ok {
			return NewProblem(http.StatusTooManyRequests, "rate_limited", "This client sends too many requests", "the limit on requests per second, or on concurrent requests, is reached")
		}
		defer granted.End()
		need := needs
		if open != nil && open() {
			need = auth.Anyone
		}
		if err := g.allows(caller, need, r); err != nil {
			return err
		}
		read := g.bodies.count(http.MaxBytesReader(w, r.Body, MostBody))
		defer read.end()
		r.Body = read
		ctx := context.WithValue(auth.WithCaller(r.Context(), caller), admittedKey{}, &admitted{granted, g.Refused})
		next.ServeHTTP(w, r.WithContext(ctx))
		return nil
	})
}

// caller is the sender of a request, without a name and a role if the request does not show it.
func (g *Guard) caller(r *http.Request) (*auth.Caller, error) {
	from, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		from = r.RemoteAddr
	}
	c, err := g.Auth.Caller(r.Context(), r.Header.Values("Authorization"), r.TLS, from)
	switch {
	case err == nil:
		return c, nil
	case errors.Is(err, auth.ErrUnauthenticated):
		return &auth.Caller{From: from}, nil
	case errors.Is(err, auth.ErrTooMany):
		return nil, NewProblem(http.StatusTooManyRequests, "rate_limited", "This client sends too many wrong tokens", "")
	}
	return nil, err
}

// allows reports why a caller may not send a request to what needs a role.
func (g *Guard) allows(c *auth.Caller, needs auth.Role, r *http.Request) error {
	switch {
	case c.Role.May(needs):
	case c.User == "":
		return g.refuse(c, r, NewProblem(http.StatusUnauthorized, "unauthenticated", "The request needs a valid token or certificate", ""))
	default:
		return g.refuse(c, r, NewProblem(http.StatusForbidden, "permission_denied", "This needs another role", ""))
	}
	// A browser shows a certificate by itself, whatever page asks for it; it does not do so with a token.
	browser := r.Header.Get("Origin") != "" || r.Header.Get("Sec-Fetch-Site") != ""
	if g.Auth != nil && needs > auth.Anyone && browser && writes(r.Method) && r.Header.Get("Authorization") == "" {
		return g.refuse(c, r, NewProblem(http.StatusForbidden, "token_needed", "A page needs a token",
			"Authorization: expected a bearer token, since a browser sends its certificate for any page"))
	}
	return nil
}

// refuse tells that a request is refused.
func (g *Guard) refuse(c *auth.Caller, r *http.Request, p *Problem) *Problem {
	if g.Refused != nil {
		g.Refused(c, r.Method+" "+r.URL.Path, strings.TrimPrefix(p.Type, problemType))
	}
	return p
}

func writes(method string) bool {
	return method != http.MethodGet && method != http.MethodHead && method != http.MethodOptions
}

// admitted is what an admitted request has.
type admitted struct {
	granted *clients.Request
	refused func(c *auth.Caller, what, why string)
}

type admittedKey struct{}

// refusedLater tells that a handler refuses a request that was admitted.
func refusedLater(r *http.Request, err *permission.Error) {
	if a, ok := r.Context().Value(admittedKey{}).(*admitted); ok && a.refused != nil {
		a.refused(auth.FromContext(r.Context()), r.Method+" "+r.URL.Path, err.Error())
	}
}

// streamPiece is how long a reader may take for a piece of a stream, unless the server has less patience with any answer.
const streamPiece = 30 * time.Second

// Stream is the answer to a request that goes on until its reader goes away.
type Stream struct {
	http.ResponseWriter
	control *http.ResponseController
	piece   time.Duration
}

// NewStream begins one, unless its client has as many as it may have.
func NewStream(w http.ResponseWriter, r *http.Request) (*Stream, error) {
	if a, ok := r.Context().Value(admittedKey{}).(*admitted); ok && !a.granted.Stream() {
		return nil, NewProblem(http.StatusTooManyRequests, "rate_limited", "This client has too many streams", "the limit on concurrent streams is reached")
	}
	s := &Stream{w, http.NewResponseController(w), streamPiece}
	if of, ok := r.Context().Value(http.ServerContextKey).(*http.Server); ok && of.WriteTimeout > 0 {
		s.piece = min(s.piece, of.WriteTimeout)
	}
	_ = s.control.SetReadDeadline(time.Time{}) // not of all writers; the request has been read
	return s, nil
}

// Write writes a piece.
func (s *Stream) Write(piece []byte) (int, error) {
	s.extend()
	return s.ResponseWriter.Write(piece)
}

// Flush sends what was written.
func (s *Stream) Flush() error {
	s.extend()
	return s.control.Flush()
}

// extend gives the reader time for another piece.
func (s *Stream) extend() {
	_ = s.control.SetWriteDeadline(time.Now().Add(s.piece)) // not of all writers
}
