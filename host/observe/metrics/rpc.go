package metrics

import (
	"context"
	"strings"

	"github.com/prometheus/client_golang/prometheus"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/stats"
	"google.golang.org/grpc/status"
)

// rpcMetrics are those of gRPC calls. A stream lasts for as long as its client wants, so that its time tells nothing: it counts while it
// is open, and so do its messages.
type rpcMetrics struct {
	calls    *prometheus.CounterVec
	took     *prometheus.HistogramVec
	streams  *prometheus.GaugeVec
	messages *prometheus.CounterVec
}

func newRPCMetrics(r prometheus.Registerer) rpcMetrics {
	m := rpcMetrics{
		calls: counter(r, "quern_grpc_calls_total", "Ended gRPC calls, including streams, by method and code.", "method", "code"),
		took: prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "quern_grpc_call_seconds", Buckets: latencyBuckets,
			Help: "Time of a unary gRPC call, by method."}, []string{"method"}),
		streams:  prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "quern_grpc_streams", Help: "Open gRPC streams, by method."}, []string{"method"}),
		messages: counter(r, "quern_grpc_stream_messages_total", "Messages of gRPC streams, by method and direction.", "method", "direction"),
	}
	r.MustRegister(m.took, m.streams)
	return m
}

// RPC returns what a gRPC server tells of its calls. It is told of those alone whose methods the server has, so that clients cannot make series.
func (m *Metrics) RPC() stats.Handler { return &rpcWatch{m: &m.rpc} }

type rpcWatch struct{ m *rpcMetrics }

// rpcCall is a call that is under way. For a stream the counters of its messages are known once it has begun.
type rpcCall struct {
	method         string
	received, sent prometheus.Counter
}

type rpcCallKey struct{}

// TagRPC implements stats.Handler.
func (w *rpcWatch) TagRPC(ctx context.Context, i *stats.RPCTagInfo) context.Context {
	return context.WithValue(ctx, rpcCallKey{}, &rpcCall{method: strings.TrimPrefix(i.FullMethodName, "/")})
}

// HandleRPC implements stats.Handler.
func (w *rpcWatch) HandleRPC(ctx context.Context, s stats.RPCStats) {
	c, ok := ctx.Value(rpcCallKey{}).(*rpcCall)
	if !ok {
		return
	}
	switch s := s.(type) {
	case *stats.Begin:
		if s.IsClientStream || s.IsServerStream {
			c.received, c.sent = w.m.messages.WithLabelValues(c.method, "received"), w.m.messages.WithLabelValues(c.method, "sent")
			w.m.streams.WithLabelValues(c.method).Inc()
		}
	case *stats.InPayload:
		if c.received != nil {
			c.received.Inc()
		}
	case *stats.OutPayload:
		if c.sent != nil {
			c.sent.Inc()
		}
	case *stats.End:
		w.ended(c, s)
	}
}

func (w *rpcWatch) ended(c *rpcCall, s *stats.End) {
	w.m.calls.WithLabelValues(c.method, codeName(status.Code(s.Error))).Inc()
	if c.received != nil {
		w.m.streams.WithLabelValues(c.method).Dec()
		return
	}
	w.m.took.WithLabelValues(c.method).Observe(s.EndTime.Sub(s.BeginTime).Seconds())
}

// TagConn implements stats.Handler.
func (w *rpcWatch) TagConn(ctx context.Context, _ *stats.ConnTagInfo) context.Context { return ctx }

// HandleConn implements stats.Handler.
func (w *rpcWatch) HandleConn(context.Context, stats.ConnStats) {}

// codeNames are the names of codes on the wire, which documents and other languages use; those of Go are others.
var codeNames = map[codes.Code]string{
	codes.OK: "OK", codes.Canceled: "CANCELLED", codes.Unknown: "UNKNOWN", codes.InvalidArgument: "INVALID_ARGUMENT",
	codes.DeadlineExceeded: "DEADLINE_EXCEEDED", codes.NotFound: "NOT_FOUND", codes.AlreadyExists: "ALREADY_EXISTS",
	codes.PermissionDenied: "PERMISSION_DENIED", codes.ResourceExhausted: "RESOURCE_EXHAUSTED", codes.FailedPrecondition: "FAILED_PRECONDITION",
	codes.Aborted: "ABORTED", codes.OutOfRange: "OUT_OF_RANGE", codes.Unimplemented: "UNIMPLEMENTED", codes.Internal: "INTERNAL",
	codes.Unavailable: "UNAVAILABLE", codes.DataLoss: "DATA_LOSS", codes.Unauthenticated: "UNAUTHENTICATED",
}

// codeName is the label of a code.
func codeName(c codes.Code) string {
	if name := codeNames[c]; name != "" {
		return name
	}
	return codeNames[codes.Unknown]
}
