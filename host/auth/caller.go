package auth

import (
	"context"

	"github.com/quern-project/quern/host/clients"
)

// Caller is who sends a request.
type Caller struct {
	User   string // empty: the host has no authentication
	Groups []string
	Role   Role
	From   string // the address of the machine, without a port
}

// Client names the client that a caller is, to clients.Table: the user or, without one, the network. Whoever needs no name on this
// machine has none there either.
func (c *Caller) Client() string {
	if c.User != "" {
		return "user " + c.User
	}
	return clients.Network(c.From)
}

type callerKey struct{}

// WithCaller returns a context of a request that a caller sends.
func WithCaller(ctx context.Context, c *Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

// FromContext returns the caller of the request of a context. A context without one yields a caller that may do nothing.
func FromContext(ctx context.Context) *Caller {
	if c, ok := ctx.Value(callerKey{}).(*Caller); ok {
		return c
	}
	return &Caller{}
}
