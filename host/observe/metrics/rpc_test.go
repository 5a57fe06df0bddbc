package metrics

import (
	"context"
	"errors"
	"net"
	"strings"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/health"
	checks "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/status"
	"google.golang.org/grpc/test/bufconn"
)

// called serves gRPC's health, which has a call and a stream, and counts the calls.
func (c *cluster) called() (client *grpc.ClientConn, end func()) {
	c.t.Helper()
	listener := bufconn.Listen(1 << 16)
	s := grpc.NewServer(grpc.StatsHandler(c.RPC()), grpc.MaxRecvMsgSize(100))
	checks.RegisterHealthServer(s, health.NewServer())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(listener) }()
	client, err := grpc.NewClient("passthrough:///host", grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) { return listener.DialContext(ctx) }))
	if err != nil {
		c.t.Fatal(err)
	}
	return client, func() {
		c.t.Helper()
		err := client.Close()
		s.GracefulStop() // every call has ended
		if err := errors.Join(err, <-ended); err != nil {
			c.t.Error(err)
		}
	}
}

// checked asks for the health of services.
func checked(t *testing.T, client *grpc.ClientConn, want codes.Code, service string) {
	t.Helper()
	if _, err := checks.NewHealthClient(client).Check(t.Context(), &checks.HealthCheckRequest{Service: service}); status.Code(err) != want {
		t.Errorf("expected %v, found %v", want, err)
	}
}

func TestCallsOverGRPCAreCounted(t *testing.T) {
	c := start(t, Options{})
	client, end := c.called()
	checked(t, client, codes.OK, "")
	checked(t, client, codes.NotFound, "another")
	checked(t, client, codes.ResourceExhausted, strings.Repeat("too large ", 20))
	if err := client.Invoke(t.Context(), "/made.up/Name", &checks.HealthCheckRequest{}, &checks.HealthCheckResponse{}); status.Code(err) != codes.Unimplemented {
		t.Errorf("found %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	watch, err := checks.NewHealthClient(client).Watch(ctx, &checks.HealthCheckRequest{})
	if err == nil {
		_, err = watch.Recv()
	}
	if err != nil {
		t.Fatal(err)
	}
	const method = `method="grpc.health.v1.Health/`
	c.want("quern_grpc_streams{"+method+`Watch"} 1`, `!quern_grpc_calls_total{code="CANCELLED"`)
	cancel()
	end()
	c.want(`quern_grpc_calls_total{code="OK",`+method+`Check"} 1`, `quern_grpc_calls_total{code="NOT_FOUND",`+method+`Check"} 1`,
		`quern_grpc_calls_total{code="RESOURCE_EXHAUSTED",`+method+`Check"} 1`, "quern_grpc_call_seconds_count{"+method+`Check"} 3`,
		`quern_grpc_calls_total{code="CANCELLED",`+method+`Watch"} 1`, "quern_grpc_streams{"+method+`Watch"} 0`,
		`quern_grpc_stream_messages_total{direction="received",`+method+`Watch"} 1`, `quern_grpc_stream_messages_total{direction="sent",`+method+`Watch"} 1`,
		"!quern_grpc_call_seconds_count{"+method+`Watch"}`, "!quern_grpc_stream_messages_total{direction=\"sent\","+method+`Check"}`)
	if found := c.scrape("text/plain"); strings.Contains(found, "made.up") {
		t.Error("a client has made series of a name of its own")
	}
}

func TestEveryCodeHasItsNameOnTheWire(t *testing.T) {
	for c := codes.OK; c <= codes.Unauthenticated; c++ {
		var back codes.Code
		if err := back.UnmarshalJSON([]byte(`"` + codeName(c) + `"`)); err != nil || back != c {
			t.Errorf("%v is called %s", c, codeName(c))
		}
	}
	if found := codeName(99); found != "UNKNOWN" {
		t.Errorf("found %s", found)
	}
}
