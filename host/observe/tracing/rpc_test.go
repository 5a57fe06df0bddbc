package tracing

import (
	"context"
	"encoding/hex"
	"errors"
	"log/slog"
	"net"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	otlp "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/stats"
	"google.golang.org/grpc/status"
	"google.golang.org/grpc/test/bufconn"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/host/server"
	"github.com/quern-project/quern/host/server/livetest"
	quernv1 "github.com/quern-project/quern/sdk/api/quern/v1"
)

// service submits a node for each request.
type service struct {
	quernv1.UnimplementedSchedulerServer
	source *server.Source
}

func (s *service) Submit(ctx context.Context, _ *quernv1.SubmitRequest) (*quernv1.SubmitResponse, error) {
	in := core.Input{Event: &core.AddNode{ID: "n1", Capacity: resource.NewSet(resource.Quantity{Type: "vcore", Value: 1})}}
	_, err := s.source.Submit(ctx, &server.Request{Inputs: []core.Input{in}})
	return &quernv1.SubmitResponse{}, err
}

func (s *service) SubmitStream(stream grpc.BidiStreamingServer[quernv1.SubmitStreamRequest, quernv1.SubmitStreamResponse]) error {
	for {
		if _, err := stream.Recv(); err != nil {
			return nil
		}
		if _, err := s.Submit(stream.Context(), nil); err != nil {
			return err
		}
		if err := stream.Send(&quernv1.SubmitStreamResponse{}); err != nil {
			return err
		}
	}
}

func (s *service) GetNode(context.Context, *quernv1.GetNodeRequest) (*quernv1.GetNodeResponse, error) {
	return nil, status.Error(codes.Internal, "a defect")
}

// exemplars are the traces that requests were answered in.
type exemplars struct {
	server.Unobserved
	mu  sync.Mutex
	all []string
}

func (e *exemplars) Answered(ctx context.Context, _ server.Passage, _ error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.all = append(e.all, TraceOf(ctx))
}

// called returns the spans that calls leave. Each trace of a request must be known to who observes it, too.
func called(t *testing.T, sample float64, call func(quernv1.SchedulerClient)) []*otlp.Span {
	t.Helper()
	seen := &exemplars{}
	to := &collected{}
	sink := httptest.NewServer(to)
	defer sink.Close()
	tracing, err := New(t.Context(), Options{Endpoint: sink.URL, Sample: sample, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	live := livetest.Start(t, func(options *server.Options) { options.Observer = tracing.Observer(seen) })
	listener := bufconn.Listen(1 << 16)
	s := grpc.NewServer(grpc.StatsHandler(tracing.RPC()))
	quernv1.RegisterSchedulerServer(s, &service{source: live.Source()})
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(listener) }()
	c, err := grpc.NewClient("passthrough:///host", grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) { return listener.DialContext(ctx) }))
	if err != nil {
		t.Fatal(err)
	}
	call(quernv1.NewSchedulerClient(c))
	err = c.Close()
	s.GracefulStop()
	if err := errors.Join(err, <-ended, tracing.Close()); err != nil {
		t.Fatal(err)
	}
	for _, s := range to.spans {
		if s.Name == "submit" && !slices.Contains(seen.all, hex.EncodeToString(s.TraceId)) {
			t.Errorf("the observer has seen the traces %q, but not that of %v", seen.all, s)
		}
	}
	return to.spans
}

const (
	sender  = "4bf92f3577b34da6a3ce929d0e0e4736"
	sampled = "00-" + sender + "-00f067aa0ba902b7-01"
)

func names(spans []*otlp.Span) string {
	var list []string
	for _, s := range spans {
		list = append(list, s.Name)
	}
	slices.Sort(list)
	return strings.Join(list, ", ")
}

const stages = "answer, decide, make durable, publish, "

func TestACallIsTracedInStagesBelowItsSendersSpan(t *testing.T) {
	spans := called(t, 0, func(c quernv1.SchedulerClient) {
		for _, ctx := range []context.Context{t.Context(), metadata.AppendToOutgoingContext(t.Context(), "traceparent", sampled)} {
			if _, err := c.Submit(ctx, &quernv1.SubmitRequest{}); err != nil {
				t.Error(err)
			}
		}
	})
	if found := names(spans); found != stages+"quern.v1.Scheduler/Submit, submit, wait for a round" {
		t.Errorf("found the spans %s", found)
	}
	for _, s := range spans {
		if hex.EncodeToString(s.TraceId) != sender {
			t.Errorf("found %v", s)
		}
	}
}

func TestEachMessageOfAStreamIsATraceThatNamesItsSender(t *testing.T) {
	spans := called(t, 1, func(c quernv1.SchedulerClient) {
		stream, err := c.SubmitStream(metadata.AppendToOutgoingContext(t.Context(), "traceparent", sampled))
		for range 2 {
			if err == nil {
				err = stream.Send(&quernv1.SubmitStreamRequest{})
			}
			if err == nil {
				_, err = stream.Recv()
			}
		}
		if err != nil {
			t.Error(err)
		}
	})
	traces := map[string]int{}
	for _, s := range spans {
		id := hex.EncodeToString(s.TraceId)
		traces[id]++
		if s.Name == "quern.v1.Scheduler/SubmitStream" && (len(s.Links) != 1 || hex.EncodeToString(s.Links[0].TraceId) != sender || len(s.ParentSpanId) > 0) {
			t.Errorf("found %v", s)
		}
	}
	if len(spans) != 14 || len(traces) != 2 || traces[sender] > 0 {
		t.Errorf("found %s in the traces %v", names(spans), traces)
	}
}

func TestACallSaysHowItEnded(t *testing.T) {
	spans := called(t, 1, func(c quernv1.SchedulerClient) {
		_, _ = c.GetNode(t.Context(), &quernv1.GetNodeRequest{})
		_, _ = c.GetApp(t.Context(), &quernv1.GetAppRequest{}) // there is none
	})
	for _, s := range spans {
		code := int64(-1)
		for _, a := range s.Attributes {
			if a.Key == "rpc.grpc.status_code" {
				code = a.Value.GetIntValue()
			}
		}
		failed := s.Status.GetCode() == otlp.Status_STATUS_CODE_ERROR
		switch s.Name {
		case "quern.v1.Scheduler/GetNode":
			if code != int64(codes.Internal) || !failed {
				t.Errorf("found %v", s)
			}
		case "quern.v1.Scheduler/GetApp":
			if code != int64(codes.Unimplemented) || failed {
				t.Errorf("found %v", s)
			}
		}
	}
	if len(spans) != 2 {
		t.Errorf("found %s", names(spans))
	}
}

func TestAMethodThatThereIsNotIsNotTraced(t *testing.T) {
	tracing, err := New(t.Context(), Options{Endpoint: "http://127.0.0.1:1", Sample: 1, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"/quern.v1.Scheduler/Nothing", "/quern.v1.SubmitRequest/inputs", "/", "", "//", "/quern.v1.Scheduler"} {
		if ctx := tracing.RPC().TagRPC(t.Context(), &stats.RPCTagInfo{FullMethodName: name}); ctx != t.Context() {
			t.Errorf("%q is taken for a method", name)
		}
	}
	if err := tracing.Close(); err != nil {
		t.Error(err)
	}
}
