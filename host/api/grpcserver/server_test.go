package grpcserver_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net"
	"strings"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	reflection "google.golang.org/grpc/reflection/grpc_reflection_v1"
	"google.golang.org/grpc/status"
	"google.golang.org/grpc/test/bufconn"

	"github.com/quern-project/quern/host/api/grpcserver"
	"github.com/quern-project/quern/host/auth"
	"github.com/quern-project/quern/host/server"
	quernv1 "github.com/quern-project/quern/sdk/api/quern/v1"
)

// part answers as a test wants.
type part struct {
	quernv1.UnimplementedSchedulerServer
	submit func(context.Context) error
	watch  func(context.Context) error
}

func (p *part) Register(s grpc.ServiceRegistrar) { quernv1.RegisterSchedulerServer(s, p) }
func (p *part) Methods() map[string]auth.Role    { return nil }

func (p *part) Submit(ctx context.Context, _ *quernv1.SubmitRequest) (*quernv1.SubmitResponse, error) {
	return &quernv1.SubmitResponse{}, p.submit(ctx)
}

func (p *part) Watch(_ *quernv1.WatchRequest, s grpc.ServerStreamingServer[quernv1.WatchResponse]) error {
	return p.watch(s.Context())
}

func (p *part) SubmitStream(s grpc.BidiStreamingServer[quernv1.SubmitStreamRequest, quernv1.SubmitStreamResponse]) error {
	_, err := s.Recv()
	return err
}

func serve(t *testing.T, p *part, log *slog.Logger) (*grpcserver.Server, *grpc.ClientConn) {
	t.Helper()
	return serveWith(t, p, &grpcserver.Options{Log: log})
}

func serveWith(t *testing.T, p *part, o *grpcserver.Options) (*grpcserver.Server, *grpc.ClientConn) {
	t.Helper()
	listener := bufconn.Listen(1 << 20)
	o.Failure = func() error { return nil }
	s := grpcserver.New(o, p)
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(listener) }()
	c, err := grpc.NewClient("passthrough:///host", grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) { return listener.DialContext(ctx) }))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		s.Stop()
		if err := errors.Join(c.Close(), <-ended); err != nil {
			t.Error(err)
		}
	})
	return s, c
}

func TestErrorsSayWhatAClientMayKnow(t *testing.T) {
	var log bytes.Buffer
	p := &part{}
	_, c := serve(t, p, slog.New(slog.NewTextHandler(&log, nil)))
	for name, k := range map[string]struct {
		err    error
		status codes.Code
		code   string
	}{
		"busy":            {server.ErrBusy, codes.ResourceExhausted, "busy"},
		"a failed store":  {errors.Join(server.ErrStoreFailed, errors.New("no space")), codes.Unavailable, "store_failed"},
		"undecided":       {server.ErrUndecided, codes.Unavailable, "undecided"},
		"stopping":        {server.ErrStopping, codes.Unavailable, "stopping"},
		"a change":        {server.ErrConfigChanged, codes.Aborted, "config_changed"},
		"a reused key":    {server.ErrKeyReused, codes.FailedPrecondition, "key_reused"},
		"too large":       {server.ErrTooLarge, codes.InvalidArgument, "too_large"},
		"compacted":       {&server.CompactedError{First: 7}, codes.OutOfRange, "compacted"},
		"a bad input":     {grpcserver.BadInput(3, "id", "a name", "none"), codes.InvalidArgument, "bad_input"},
		"an internal one": {errors.New("secret"), codes.Internal, ""},
		"one of its own":  {status.Error(codes.Aborted, "again"), codes.Aborted, ""},
		"a deadline":      {context.DeadlineExceeded, codes.DeadlineExceeded, "deadline"},
		"nothing there":   {grpcserver.NotFound("node", "n"), codes.NotFound, "not_found"},
		"a panic":         {nil, codes.Internal, ""},
	} {
		p.submit = func(context.Context) error {
			if k.err == nil {
				panic("secret")
			}
			return k.err
		}
		_, err := quernv1.NewSchedulerClient(c).Submit(t.Context(), &quernv1.SubmitRequest{})
		found := status.Convert(err)
		code := ""
		for _, detail := range found.Details() {
			code = detail.(*quernv1.Problem).GetCode()
		}
		if found.Code() != k.status || code != k.code || strings.Contains(found.Message(), "secret") {
			t.Errorf("%s: found %v with the code %q", name, err, code)
		}
	}
	if n := strings.Count(log.String(), "secret"); n < 2 {
		t.Errorf("expected the causes in the log, found %s", &log)
	}
}

func TestACallThatPanicsInAStreamEndsNothingElse(t *testing.T) {
	p := &part{watch: func(context.Context) error { panic("a bug") }}
	_, c := serve(t, p, slog.New(slog.DiscardHandler))
	for range 2 {
		w, err := quernv1.NewSchedulerClient(c).Watch(t.Context(), &quernv1.WatchRequest{})
		if err == nil {
			_, err = w.Recv()
		}
		if status.Code(err) != codes.Internal {
			t.Errorf("found %v", err)
		}
	}
}

func TestAMessageIsBounded(t *testing.T) {
	_, c := serve(t, &part{submit: func(context.Context) error { return nil }}, slog.New(slog.DiscardHandler))
	for size, want := range map[int]codes.Code{15 << 20: codes.OK, 17 << 20: codes.ResourceExhausted} {
		_, err := quernv1.NewSchedulerClient(c).Submit(t.Context(), &quernv1.SubmitRequest{IdempotencyKey: strings.Repeat("k", size)})
		if status.Code(err) != want {
			t.Errorf("%d bytes: expected %v, found %v", size, want, err)
		}
	}
}

func TestACallHasADeadline(t *testing.T) {
	_, c := serve(t, &part{submit: func(ctx context.Context) error {
		if _, ok := ctx.Deadline(); !ok {
			return errors.New("there is none")
		}
		return nil
	}}, slog.New(slog.DiscardHandler))
	if _, err := quernv1.NewSchedulerClient(c).Submit(t.Context(), &quernv1.SubmitRequest{}); err != nil {
		t.Error(err)
	}
}

func TestStreamsEndWithAReasonWhenTheServerStops(t *testing.T) {
	open := make(chan struct{})
	p := &part{watch: func(ctx context.Context) error {
		close(open)
		<-grpcserver.Stopping(ctx)
		return server.ErrStopping
	}}
	s, c := serve(t, p, slog.New(slog.DiscardHandler))
	w, err := quernv1.NewSchedulerClient(c).Watch(t.Context(), &quernv1.WatchRequest{})
	if err != nil {
		t.Fatal(err)
	}
	<-open
	go s.Stop()
	if _, err := w.Recv(); status.Code(err) != codes.Unavailable {
		t.Errorf("found %v", err)
	}
}

func TestToolsFindTheSchema(t *testing.T) {
	_, c := serve(t, &part{}, slog.New(slog.DiscardHandler))
	r, err := reflection.NewServerReflectionClient(c).ServerReflectionInfo(t.Context())
	if err == nil {
		err = r.Send(&reflection.ServerReflectionRequest{MessageRequest: &reflection.ServerReflectionRequest_ListServices{}})
	}
	if err != nil {
		t.Fatal(err)
	}
	found, err := r.Recv()
	var names []string
	for _, s := range found.GetListServicesResponse().GetService() {
		names = append(names, s.GetName())
	}
	if want := "grpc.health.v1.Health grpc.reflection.v1.ServerReflection grpc.reflection.v1alpha.ServerReflection quern.v1.Scheduler"; err != nil || strings.Join(names, " ") != want {
		t.Errorf("found %q (%v)", names, err)
	}
}
