package grpcserver_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"github.com/quern-project/quern/host/api/grpcserver"
	"github.com/quern-project/quern/host/auth"
	"github.com/quern-project/quern/host/auth/authtest"
)

// said answers a call with who calls.
type said struct {
	grpc_health_v1.UnimplementedHealthServer
	caller auth.Caller
}

func (s *said) Check(ctx context.Context, _ *grpc_health_v1.HealthCheckRequest) (*grpc_health_v1.HealthCheckResponse, error) {
	s.caller = *auth.FromContext(ctx)
	return &grpc_health_v1.HealthCheckResponse{}, nil
}

func (s *said) Watch(_ *grpc_health_v1.HealthCheckRequest, stream grpc.ServerStreamingServer[grpc_health_v1.HealthCheckResponse]) error {
	s.caller = *auth.FromContext(stream.Context())
	return stream.Send(&grpc_health_v1.HealthCheckResponse{})
}

const check, watch = "/grpc.health.v1.Health/Check", "/grpc.health.v1.Health/Watch"

// serve serves a guarded server, and returns a client of it.
func behindGuard(t *testing.T, g *grpcserver.Guard) (*said, grpc_health_v1.HealthClient) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server, s := grpc.NewServer(grpc.UnaryInterceptor(g.Unary), grpc.StreamInterceptor(g.Stream)), &said{}
	grpc_health_v1.RegisterHealthServer(server, s)
	go func() { _ = server.Serve(listener) }() // until Stop
	t.Cleanup(server.Stop)
	c, err := grpc.NewClient(listener.Addr().String(), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return s, grpc_health_v1.NewHealthClient(c)
}

func tokens(t *testing.T) *auth.Authenticator {
	t.Helper()
	text := ""
	for token, role := range map[string]string{"reads": "viewer", "manages": "rm", "rules": "admin"} {
		digest := sha256.Sum256([]byte(token))
		text += fmt.Sprintf("[[token]]\nsha256 = %q\nuser = %q\nrole = %q\n", hex.EncodeToString(digest[:]), token, role)
	}
	file := filepath.Join(t.TempDir(), "tokens.toml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	a, err := auth.New(auth.Options{Tokens: file, Log: slog.New(slog.DiscardHandler), Now: authtest.NewClock().Now})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestAMethodNeedsARole(t *testing.T) {
	a := tokens(t)
	for name, c := range map[string]struct {
		needs map[string]auth.Role
		token string
		want  codes.Code
		user  string
	}{
		"no token":              {map[string]auth.Role{check: auth.Viewer, watch: auth.Viewer}, "", codes.Unauthenticated, ""},
		"a wrong token":         {map[string]auth.Role{check: auth.Viewer, watch: auth.Viewer}, "read", codes.Unauthenticated, ""},
		"a role that is enough": {map[string]auth.Role{check: auth.Viewer, watch: auth.Viewer}, "reads", codes.OK, "reads"},
		"a role too small":      {map[string]auth.Role{check: auth.Submitter, watch: auth.RM}, "reads", codes.PermissionDenied, ""},
		"a resource manager":    {map[string]auth.Role{check: auth.RM, watch: auth.Viewer}, "manages", codes.OK, "manages"},
		"no submitter":          {map[string]auth.Role{check: auth.Submitter, watch: auth.Operator}, "manages", codes.PermissionDenied, ""},
		"an admin":              {map[string]auth.Role{check: auth.RM, watch: auth.Admin}, "rules", codes.OK, "rules"},
		"open to anyone":        {map[string]auth.Role{check: auth.Anyone, watch: auth.Anyone}, "", codes.OK, ""},
		"not listed":            {nil, "manages", codes.PermissionDenied, ""},
		"not listed, an admin":  {nil, "rules", codes.OK, "rules"},
	} {
		s, client := behindGuard(t, &grpcserver.Guard{Auth: a, Needs: c.needs})
		ctx := context.Background()
		if c.token != "" {
			ctx = metadata.AppendToOutgoingContext(ctx, "authorization", "Bearer "+c.token)
		}
		_, err := client.Check(ctx, &grpc_health_v1.HealthCheckRequest{})
		if status.Code(err) != c.want || s.caller.User != c.user {
			t.Errorf("%s: found %v, %+v", name, err, s.caller)
		}
		stream, err := client.Watch(ctx, &grpc_health_v1.HealthCheckRequest{})
		if err == nil {
			_, err = stream.Recv()
		}
		if status.Code(err) != c.want || s.caller.User != c.user {
			t.Errorf("%s, a stream: found %v, %+v", name, err, s.caller)
		}
	}
}

func TestWithoutAuthenticationEverybodyIsAnAdmin(t *testing.T) {
	s, client := behindGuard(t, &grpcserver.Guard{})
	if _, err := client.Check(context.Background(), &grpc_health_v1.HealthCheckRequest{}); err != nil || s.caller.Role != auth.Admin || s.caller.From != "127.0.0.1" {
		t.Errorf("found %v, %+v", err, s.caller)
	}
}
