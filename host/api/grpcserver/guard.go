package grpcserver

import (
	"context"
	"crypto/tls"
	"errors"
	"net"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/peer"
	"google.golang.org/grpc/status"

	"github.com/quern-project/quern/host/api/permission"
	"github.com/quern-project/quern/host/auth"
	"github.com/quern-project/quern/host/clients"
)

// Guard stands before the methods of a server: its interceptors authenticate each call, check the role that the method needs, and put the
// caller into the context, where auth.FromContext finds it.
type Guard struct {
	// Auth knows callers; nil: all callers may do everything.
	Auth *auth.Authenticator
	// Needs is the role that a method needs, by its full name, such as /si.v1.Scheduler/UpdateNode. A method without a row needs Admin.
	Needs map[string]auth.Role
	// Clients counts what clients take; nil: as much as they want. A stream is a request that may last.
	Clients *clients.Table
	// Refused is called with the caller, the method and the reason of a refusal. Nil disables it.
	Refused func(c *auth.Caller, what, why string)
}

// Unary is the interceptor of calls. It does not look at the request, so it can come before the request is received.
func (g *Guard) Unary(ctx context.Context, request any, info *grpc.UnaryServerInfo, next grpc.UnaryHandler) (any, error) {
	ctx, granted, err := g.admit(ctx, info.FullMethod)
	if err != nil {
		return nil, err
	}
	defer granted.End()
	answer, err := next(ctx, request)
	return answer, g.told(ctx, info.FullMethod, err)
}

// Stream is the interceptor of streams.
func (g *Guard) Stream(server any, stream grpc.ServerStream, info *grpc.StreamServerInfo, next grpc.StreamHandler) error {
	ctx, granted, err := g.admit(stream.Context(), info.FullMethod)
	if err != nil {
		return err
	}
	defer granted.End()
	if !granted.Stream() {
		return status.Error(codes.ResourceExhausted, "this client has too many streams")
	}
	return g.told(ctx, info.FullMethod, next(server, &callerStream{stream, ctx}))
}

// callerStream is a stream whose context has the caller.
type callerStream struct {
	grpc.ServerStream
	ctx context.Context
}

// Context implements grpc.ServerStream.
func (k *callerStream) Context() context.Context { return k.ctx }

// admit returns a context with the caller, if that one may call a method, and what the caller's client was granted.
func (g *Guard) admit(ctx context.Context, method string) (context.Context, *clients.Request, error) {
	needs, listed := g.Needs[method]
	if !listed {
		needs = auth.Admin
	}
	from, state := connection(ctx)
	caller, err := g.Auth.Caller(ctx, metadata.ValueFromIncomingContext(ctx, "authorization"), state, from)
	switch {
	case errors.Is(err, auth.ErrTooMany):
		return nil, nil, status.Error(codes.ResourceExhausted, "this client sends too many wrong tokens")
	case errors.Is(err, auth.ErrUnauthenticated):
		caller = &auth.Caller{From: from}
	case err != nil:
		return nil, nil, status.FromContextError(err).Err()
	}
	granted, ok := g.Clients.Begin(caller.Client())
	switch {
	case !ok:
		return nil, nil, status.Error(codes.ResourceExhausted, "this client sends too many requests")
	case caller.Role.May(needs):
		return auth.WithCaller(ctx, caller), granted, nil
	}
	granted.End()
	if caller.User == "" {
		g.refused(caller, method, "unauthenticated")
		return nil, nil, status.Error(codes.Unauthenticated, "this method needs a valid token or certificate")
	}
	g.refused(caller, method, "permission_denied")
	return nil, nil, status.Error(codes.PermissionDenied, "this method needs another role")
}

// told tells of an error of a method, if it refuses what the caller may not.
func (g *Guard) told(ctx context.Context, method string, err error) error {
	var denied *permission.Error
	if errors.As(err, &denied) {
		g.refused(auth.FromContext(ctx), method, denied.Error())
	}
	return err
}

func (g *Guard) refused(c *auth.Caller, what, why string) {
	if g.Refused != nil {
		g.Refused(c, what, why)
	}
}

// connection is where a call comes from, and the state of its TLS connection.
func connection(ctx context.Context) (from string, state *tls.ConnectionState) {
	p, ok := peer.FromContext(ctx)
	if !ok {
		return "", nil
	}
	if from, _, _ = net.SplitHostPort(p.Addr.String()); from == "" {
		from = p.Addr.String()
	}
	if info, ok := p.AuthInfo.(credentials.TLSInfo); ok {
		state = &info.State
	}
	return from, state
}
