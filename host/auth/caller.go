package auth

import "context"

// Caller is who sends a request.
type Caller struct {
	User   string // empty: nobody is named, since the host does without authentication
	Groups []string
	Role   Role
	From   string // the address of the machine, without a port
}

type callerKey struct{}

// WithCaller returns a context of a request that a caller sends.
func WithCaller(ctx context.Context, c *Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

// FromContext returns who sends the request of a context. Where nobody looked, that is somebody who may do nothing.
func FromContext(ctx context.Context) *Caller {
	if c, ok := ctx.Value(callerKey{}).(*Caller); ok {
		return c
	}
	return &Caller{}
}
