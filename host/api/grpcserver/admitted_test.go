package grpcserver_test

import (
	"context"
	"log/slog"
	"strings"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/mem"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/stats"
	"google.golang.org/grpc/status"

	"github.com/quern-project/quern/host/api/grpcserver"
	"github.com/quern-project/quern/host/auth"
	"github.com/quern-project/quern/host/auth/authtest"
	quernv1 "github.com/quern-project/quern/sdk/api/quern/v1"
)

// rpcEvents records how calls ended, and how many messages were received before.
type rpcEvents struct {
	received int
	ended    chan codes.Code
}

func (e *rpcEvents) HandleRPC(_ context.Context, s stats.RPCStats) {
	switch s := s.(type) {
	case *stats.InPayload:
		e.received++
	case *stats.End:
		e.ended <- status.Code(s.Error)
	}
}

func (e *rpcEvents) TagRPC(ctx context.Context, _ *stats.RPCTagInfo) context.Context   { return ctx }
func (e *rpcEvents) TagConn(ctx context.Context, _ *stats.ConnTagInfo) context.Context { return ctx }
func (e *rpcEvents) HandleConn(context.Context, stats.ConnStats)                       {}

// bytesCodec sends bytes as the message, whatever they are.
type bytesCodec struct{}

func (bytesCodec) Name() string { return "proto" }

func (bytesCodec) Marshal(v any) (mem.BufferSlice, error) {
	return mem.BufferSlice{mem.SliceBuffer(*v.(*[]byte))}, nil
}

func (bytesCodec) Unmarshal(mem.BufferSlice, any) error { return nil }

// callRaw sends a body to a method, and returns the code on the wire, the code that was counted, and the messages received.
func (e *rpcEvents) callRaw(ctx context.Context, t *testing.T, c *grpc.ClientConn, method, body string, streams bool) (answered, counted codes.Code, received int) {
	t.Helper()
	e.received = 0
	s, err := c.NewStream(ctx, &grpc.StreamDesc{ClientStreams: streams, ServerStreams: streams}, method, grpc.ForceCodecV2(bytesCodec{}))
	if err != nil {
		t.Fatal(err)
	}
	message := []byte(body)
	_ = s.SendMsg(&message) // the server may have ended the call already
	_ = s.CloseSend()
	var answer []byte
	err = s.RecvMsg(&answer)
	return status.Code(err), <-e.ended, e.received
}

// guarded serves to callers with a token: ann is an admin, vic a viewer.
func guarded(t *testing.T, p *part) (*rpcEvents, *grpc.ClientConn) {
	t.Helper()
	a, err := auth.New(auth.Options{Tokens: authtest.Tokens(t, "ann=admin", "vic=viewer"), Log: slog.New(slog.DiscardHandler), Now: authtest.NewClock().Now})
	if err != nil {
		t.Fatal(err)
	}
	e := &rpcEvents{ended: make(chan codes.Code, 1)}
	_, c := serveWith(t, p, &grpcserver.Options{Log: slog.New(slog.DiscardHandler), Auth: a, Watch: []stats.Handler{e}})
	return e, c
}

// Methods of each kind, and of each service of a host.
var someMethods = map[string]bool{ // whether they are streams
	quernv1.Scheduler_Submit_FullMethodName:                     false,
	quernv1.Scheduler_Watch_FullMethodName:                      true,
	quernv1.Scheduler_SubmitStream_FullMethodName:               true,
	"/grpc.reflection.v1.ServerReflection/ServerReflectionInfo": true,
}

func TestCall_RefusedBeforeItsMessage(t *testing.T) {
	e, c := guarded(t, &part{submit: func(context.Context) error { return nil }})
	for method, streams := range someMethods {
		for name, body := range map[string]string{"garbage": "\xff\xff\xff", "valid": "", "large": strings.Repeat("\xff", 15<<20), "too large": strings.Repeat("\xff", 17<<20)} {
			answered, counted, received := e.callRaw(t.Context(), t, c, method, body, streams)
			if answered != codes.Unauthenticated || counted != codes.Unauthenticated || received > 0 {
				t.Errorf("%s, %s: answered %v, counted as %v, received %d messages", method, name, answered, counted, received)
			}
		}
	}
	vic := metadata.AppendToOutgoingContext(t.Context(), "authorization", "Bearer vic")
	if answered, _, received := e.callRaw(vic, t, c, quernv1.Scheduler_Submit_FullMethodName, "\xff", false); answered != codes.PermissionDenied || received > 0 {
		t.Errorf("another role: answered %v, received %d messages", answered, received)
	}
}

func TestCall_GarbageIsTheClientsFault(t *testing.T) {
	e, c := guarded(t, &part{submit: func(context.Context) error { return nil }})
	ann := metadata.AppendToOutgoingContext(t.Context(), "authorization", "Bearer ann")
	methods := map[string]bool{"/grpc.health.v1.Health/Check": false}
	for method, streams := range someMethods {
		methods[method] = streams
	}
	for method, streams := range methods {
		answered, counted, _ := e.callRaw(ann, t, c, method, "\xff\xff\xff", streams)
		if answered != codes.InvalidArgument || counted != codes.InvalidArgument {
			t.Errorf("%s: answered %v, counted as %v", method, answered, counted)
		}
	}
	if answered, counted, _ := e.callRaw(ann, t, c, quernv1.Scheduler_Submit_FullMethodName, "", false); answered != codes.OK || counted != codes.OK {
		t.Errorf("an empty message: answered %v, counted as %v", answered, counted)
	}
}
