package auth

import (
	"context"
	"crypto/tls"
	"errors"
	"strings"
	"sync/atomic"

	"github.com/quern-project/quern/host/clients"
)

// ErrUnauthenticated says that a request does not show who sends it. The caller is not told more.
var ErrUnauthenticated = errors.New("the request has no valid credentials")

// ErrTooMany says that too many wrong tokens came from an address to try another one that is slow to check.
var ErrTooMany = errors.New("too many wrong tokens came from this address")

// Authenticator knows callers by what their requests show. One that is nil asks for nothing: all callers are admins without a name.
type Authenticator struct {
	// Each is nil where there are none.
	tokens *reloading[*tokenSet]
	issuer *issuer

	roles atomic.Pointer[Roles]

	certificates bool // the subject of a verified client certificate is a user

	guesses *clients.Table // tokens that are tried with argon2id, by address
}

// mostHeader is the length of an Authorization header, in bytes.
const mostHeader = 16 << 10

// Caller returns who sends a request with these Authorization headers, over a connection from an address. A header counts for more
// than a certificate, and a wrong one is not made good by it. The error is ErrUnauthenticated, ErrTooMany, or the context's.
func (a *Authenticator) Caller(ctx context.Context, headers []string, state *tls.ConnectionState, from string) (*Caller, error) {
	if a == nil {
		return &Caller{Role: Admin, From: from}, nil
	}
	c, err := a.known(ctx, headers, state, from)
	if err != nil {
		return nil, err
	}
	c.From = from
	return c, nil
}

func (a *Authenticator) known(ctx context.Context, headers []string, state *tls.ConnectionState, from string) (*Caller, error) {
	switch {
	case len(headers) > 0:
		token, ok := bearer(headers)
		if !ok {
			return nil, ErrUnauthenticated
		}
		return a.byToken(ctx, token, from)
	case a.certificates && state != nil && len(state.VerifiedChains) > 0:
		user, groups, ok := subject(state.VerifiedChains[0][0])
		if ok {
			return a.mapped(user, groups), nil
		}
	}
	return nil, ErrUnauthenticated
}

// byToken returns whose a token is.
func (a *Authenticator) byToken(ctx context.Context, token, from string) (*Caller, error) {
	if a.tokens != nil {
		if c := a.tokens.get().quick(token); c != nil {
			return c, nil
		}
	}
	if a.issuer != nil && strings.Count(token, ".") == 2 {
		user, groups, err := a.issuer.verify(ctx, token)
		if err != nil {
			return nil, err
		}
		return a.mapped(user, groups), nil
	}
	if a.tokens != nil {
		tried, ok := a.guesses.Begin("address " + from)
		if !ok {
			return nil, ErrTooMany
		}
		defer tried.End()
		return a.tokens.get().slow(ctx, token)
	}
	return nil, ErrUnauthenticated
}

// mapped is a caller whose role the settings say.
func (a *Authenticator) mapped(user string, groups []string) *Caller {
	return &Caller{User: user, Groups: groups, Role: a.roles.Load().role(user, groups)}
}

// SetRoles has other roles hold from the next request on, for users and groups that have none by a token file. A nil authenticator asks
// for none.
func (a *Authenticator) SetRoles(r *Roles) {
	if a != nil {
		a.roles.Store(r)
	}
}

// bearer returns the token of Authorization headers, of which there must be one.
func bearer(headers []string) (token string, ok bool) {
	if len(headers) != 1 || len(headers[0]) > mostHeader {
		return "", false
	}
	scheme, token, ok := strings.Cut(headers[0], " ")
	token = strings.TrimLeft(token, " ")
	if !ok || !strings.EqualFold(scheme, "bearer") || token == "" {
		return "", false
	}
	for _, c := range []byte(token) {
		if c <= ' ' || c >= 0x7f || c == ',' {
			return "", false
		}
	}
	return token, true
}

// mostName is the length of the name of a user or a group, in bytes.
const mostName = 256

// validName reports whether a text can be the name of a user or a group.
func validName(name string) bool {
	if name == "" || len(name) > mostName || strings.TrimSpace(name) != name || strings.ToValidUTF8(name, "") != name {
		return false
	}
	return !strings.ContainsFunc(name, func(c rune) bool { return c < ' ' || c == 0x7f || c == ',' || c == '\u2028' || c == '\u2029' })
}
