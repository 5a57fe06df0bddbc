package tracing

import (
	"context"
	"strings"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"
	rpc "google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/stats"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	"github.com/quern-project/quern/host/server"
)

// RPC returns what has each gRPC call be a span, below the one that its sender names. A stream may last for days, and has no span: each
// of its messages that submits something is a trace of its own, as the Observer makes it.
func (t *Tracing) RPC() stats.Handler { return &calls{t} }

type calls struct{ *Tracing }

// stream is what the traces of a stream's messages have in common.
type stream struct {
	method string
	about  []attribute.KeyValue
	sender []trace.Link // the span that the sender names; empty: none
}

type streamKey struct{}

// TagRPC implements stats.Handler.
func (c *calls) TagRPC(ctx context.Context, i *stats.RPCTagInfo) context.Context {
	name := strings.TrimPrefix(i.FullMethodName, "/")
	service, method, _ := strings.Cut(name, "/")
	found, err := protoregistry.GlobalFiles.FindDescriptorByName(protoreflect.FullName(service + "." + method))
	described, ok := found.(protoreflect.MethodDescriptor)
	if err != nil || !ok {
		return ctx // there is no such method: gRPC says so
	}
	about := []attribute.KeyValue{attribute.String("rpc.system", "grpc"), attribute.String("rpc.service", service), attribute.String("rpc.method", method)}
	sender := c.remote.Extract(ctx, incoming{ctx})
	if described.IsStreamingClient() || described.IsStreamingServer() {
		s := &stream{method: name, about: about}
		if trace.SpanContextFromContext(sender).IsValid() {
			s.sender = []trace.Link{trace.LinkFromContext(sender)}
		}
		return context.WithValue(ctx, streamKey{}, s)
	}
	now := c.now.Load()
	if now == nil {
		return ctx
	}
	ctx, _ = now.tracer.Start(sender, name, trace.WithSpanKind(trace.SpanKindServer), trace.WithAttributes(about...))
	return ctx
}

// HandleRPC implements stats.Handler.
func (c *calls) HandleRPC(ctx context.Context, s stats.RPCStats) {
	end, ok := s.(*stats.End)
	if !ok {
		return
	}
	span := trace.SpanFromContext(ctx)
	code := status.Code(end.Error)
	span.SetAttributes(attribute.Int("rpc.grpc.status_code", int(code)))
	if failures[code] {
		span.SetStatus(codes.Error, "")
	}
	span.End(trace.WithTimestamp(end.EndTime))
}

// failures are the codes with which the host fails; others say that the client does, or that it has to wait.
var failures = map[rpc.Code]bool{rpc.Unknown: true, rpc.DeadlineExceeded: true, rpc.Internal: true, rpc.DataLoss: true}

// TagConn implements stats.Handler.
func (c *calls) TagConn(ctx context.Context, _ *stats.ConnTagInfo) context.Context { return ctx }

// HandleConn implements stats.Handler.
func (c *calls) HandleConn(context.Context, stats.ConnStats) {}

// incoming reads the metadata of a call.
type incoming struct{ ctx context.Context }

// Get implements propagation.TextMapCarrier.
func (i incoming) Get(key string) string {
	if values := metadata.ValueFromIncomingContext(i.ctx, key); len(values) > 0 {
		return values[0]
	}
	return ""
}

// Set implements propagation.TextMapCarrier: nothing is sent on.
func (i incoming) Set(string, string) {}

// Keys implements propagation.TextMapCarrier.
func (i incoming) Keys() []string { return nil }

// message begins the trace of a message of a stream, where a request came with one.
func (o *observer) message(ctx context.Context, p *server.Passage) (context.Context, trace.Span) {
	s, ok := ctx.Value(streamKey{}).(*stream)
	now := o.tracing.now.Load()
	if !ok || now == nil {
		return ctx, nil
	}
	return now.tracer.Start(ctx, s.method, trace.WithNewRoot(), trace.WithSpanKind(trace.SpanKindServer), trace.WithTimestamp(p.Arrived),
		trace.WithAttributes(s.about...), trace.WithLinks(s.sender...))
}
