package grpcserver

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"maps"
	"net"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/reflection"
	"google.golang.org/grpc/stats"

	"github.com/quern-project/quern/host/auth"
	"github.com/quern-project/quern/host/clients"
)

// Limits of the server.
const (
	mostMessage  = 16 << 20 // bytes
	mostHeaders  = 64 << 10 // bytes
	mostOpen     = 1_000    // calls of one connection at a time
	mostStreams  = 10_000   // of all connections
	unaryTime    = time.Minute
	shutdownTime = 5 * time.Second
	patience     = 30 * time.Second // with a client that does not read what it has asked to be told
)

// Part is a service.
type Part interface {
	Register(s grpc.ServiceRegistrar)
	// Methods are the full names of its methods, and who may call each.
	Methods() map[string]auth.Role
}

// Options of a server.
type Options struct {
	Log *slog.Logger
	// Failure is why the host takes no inputs, nil while it does.
	Failure func() error
	// TLS is what connections need to be encrypted; nil: they are not.
	TLS *tls.Config
	// Auth knows callers; nil: all callers may do everything.
	Auth *auth.Authenticator
	// Clients counts what clients take; nil: as much as they want.
	Clients *clients.Table
	// Refused is called with the caller, the method and the reason of a refusal. Nil disables it.
	Refused func(c *auth.Caller, what, why string)
	// Patience is how long a client that only listens may leave a message unread for which there is no room; 0: 30 seconds.
	Patience time.Duration
	// Watch are told of all calls, also of those that are refused before a service sees them.
	Watch []stats.Handler
}

// Server serves parts.
type Server struct {
	server *grpc.Server
	calls  *calls
	end    context.CancelFunc
}

// New returns a server of parts.
func New(o *Options, parts ...Part) *Server {
	stopping, end := context.WithCancel(context.Background())
	c := &calls{log: o.Log, stopping: stopping, streams: make(chan struct{}, mostStreams), patience: cmp.Or(o.Patience, patience), codec: newCodec()}
	guard := &Guard{Auth: o.Auth, Clients: o.Clients, Refused: o.Refused, Needs: Needs(parts...)}
	options := []grpc.ServerOption{
		grpc.ChainStreamInterceptor(c.stream, guard.Stream), grpc.ForceServerCodecV2(c.codec),
		grpc.MaxRecvMsgSize(mostMessage), grpc.MaxHeaderListSize(mostHeaders), grpc.MaxConcurrentStreams(mostOpen),
		grpc.ConnectionTimeout(10 * time.Second),
		grpc.KeepaliveParams(keepalive.ServerParameters{Time: 30 * time.Second, Timeout: 20 * time.Second}),
		grpc.KeepaliveEnforcementPolicy(keepalive.EnforcementPolicy{MinTime: 10 * time.Second, PermitWithoutStream: true}),
	}
	if o.TLS != nil {
		options = append(options, grpc.Creds(credentials.NewTLS(o.TLS)))
	}
	for _, w := range o.Watch {
		options = append(options, grpc.StatsHandler(w))
	}
	s := grpc.NewServer(options...)
	services := &registrar{ServiceRegistrar: s, codec: c.codec, intercept: []grpc.UnaryServerInterceptor{c.unary, guard.Unary}}
	for _, p := range append([]Part{&health{failure: o.Failure}}, parts...) {
		p.Register(services)
	}
	reflection.Register(s)
	return &Server{server: s, calls: c, end: end}
}

// Needs returns who may call each method of parts, and of those that every server has.
func Needs(parts ...Part) map[string]auth.Role {
	all := map[string]auth.Role{
		"/grpc.reflection.v1.ServerReflection/ServerReflectionInfo":      auth.Viewer,
		"/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo": auth.Viewer,
	}
	for _, p := range append([]Part{&health{}}, parts...) {
		maps.Copy(all, p.Methods())
	}
	return all
}

// Serve answers calls until Stop, which may have come before.
func (s *Server) Serve(l net.Listener) error {
	if err := s.server.Serve(l); !errors.Is(err, grpc.ErrServerStopped) {
		return err
	}
	return nil
}

// Stop ends streams with a reason, and lets other calls finish for a while.
func (s *Server) Stop() {
	s.end()
	hard := time.AfterFunc(shutdownTime, s.server.Stop)
	defer hard.Stop()
	s.server.GracefulStop()
}
