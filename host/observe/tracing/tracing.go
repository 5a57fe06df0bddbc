// Package tracing sends traces of requests over OTLP: the stages of a request of inputs below the HTTP request or gRPC call that it came
// with. Where they are sent may change while requests are traced; while no collector is named, nothing is traced.
package tracing

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"github.com/quern-project/quern/host/api/web"
	"github.com/quern-project/quern/host/server"
)

// Options of tracing.
type Options struct {
	// Endpoint is the URL of a collector that takes OTLP over HTTP. Empty: the one that the variables OTEL_EXPORTER_OTLP_ENDPOINT or
	// OTEL_EXPORTER_OTLP_TRACES_ENDPOINT name.
	Endpoint string
	// Sample is the share of requests that are traced, from 0 to 1, of those whose sender has not decided. The variable
	// OTEL_TRACES_SAMPLER says otherwise.
	Sample  float64
	Version string
	Log     *slog.Logger // is told what could not be sent
}

// wanted reports whether a collector is named.
func (o *Options) wanted() bool {
	if strings.EqualFold(os.Getenv("OTEL_SDK_DISABLED"), "true") || os.Getenv("OTEL_TRACES_EXPORTER") == "none" {
		return false
	}
	return o.Endpoint != "" || os.Getenv("OTEL_EXPORTER_OTLP_ENDPOINT") != "" || os.Getenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") != ""
}

// Tracing makes traces and sends them.
type Tracing struct {
	remote propagation.TextMapPropagator
	now    atomic.Pointer[pipeline] // nil: nothing is traced
}

// pipeline sends traces to one collector.
type pipeline struct {
	provider *sdk.TracerProvider
	tracer   trace.Tracer
}

// New begins to send traces, if a collector is named. Nothing is sent before the first trace is, so that a collector may come later.
func New(ctx context.Context, o Options) (*Tracing, error) {
	t := &Tracing{remote: propagation.TraceContext{}}
	change, err := t.Prepare(ctx, o)
	if err != nil {
		return nil, err
	}
	return t, change()
}

// Prepare makes what is needed to trace with other options, and returns what has them hold from the next request on. That sends what
// is left of the traces of before; of requests under way only what they have done until then.
func (t *Tracing) Prepare(ctx context.Context, o Options) (change func() error, err error) {
	var next *pipeline
	if o.wanted() {
		if next, err = newPipeline(ctx, o); err != nil {
			return nil, err
		}
	}
	return func() error { return t.now.Swap(next).close() }, nil
}

func newPipeline(ctx context.Context, o Options) (*pipeline, error) {
	var to []otlptracehttp.Option
	if o.Endpoint != "" {
		to = append(to, otlptracehttp.WithEndpointURL(withPath(o.Endpoint)))
	}
	exporter, err := otlptracehttp.New(ctx, to...)
	if err != nil {
		return nil, fmt.Errorf("sending traces: %w", err)
	}
	about, err := resource.Merge(resource.NewSchemaless(attribute.String("service.name", "quern"), attribute.String("service.version", o.Version)), resource.Environment())
	if err != nil {
		return nil, fmt.Errorf("sending traces: %w", err)
	}
	options := []sdk.TracerProviderOption{sdk.WithBatcher(exporter), sdk.WithResource(about)}
	if os.Getenv("OTEL_TRACES_SAMPLER") == "" {
		options = append(options, sdk.WithSampler(sdk.ParentBased(sdk.TraceIDRatioBased(o.Sample))))
	}
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { o.Log.Warn("traces are not sent", "error", err) }))
	p := sdk.NewTracerProvider(options...)
	return &pipeline{provider: p, tracer: p.Tracer("github.com/quern-project/quern")}, nil
}

// withPath is where traces go at a URL: below it, where it has no path of its own.
func withPath(endpoint string) string {
	if u, err := url.Parse(endpoint); err == nil && strings.Trim(u.Path, "/") == "" {
		return u.JoinPath("v1", "traces").String()
	}
	return endpoint
}

// lastSend is how long the traces that are left may take at the end.
const lastSend = 2 * time.Second

// Close sends what is left.
func (t *Tracing) Close() error { return t.now.Swap(nil).close() }

func (p *pipeline) close() error {
	if p == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), lastSend)
	defer cancel()
	return p.provider.Shutdown(ctx)
}

// Handler has each request to a route be a span, below the one that its sender names.
func (t *Tracing) Handler(route string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		now := t.now.Load()
		if now == nil {
			next.ServeHTTP(w, r)
			return
		}
		ctx := t.remote.Extract(r.Context(), propagation.HeaderCarrier(r.Header))
		ctx, span := now.tracer.Start(ctx, route, trace.WithSpanKind(trace.SpanKindServer), trace.WithAttributes(
			attribute.String("http.request.method", r.Method), attribute.String("http.route", pathOf(route)), attribute.String("url.path", r.URL.Path)))
		defer span.End()
		web.Watch(next, func(_ *http.Request, s web.Seen) {
			span.SetAttributes(attribute.Int("http.response.status_code", s.Status))
			if s.Status >= http.StatusInternalServerError {
				span.SetStatus(codes.Error, "")
			}
		}).ServeHTTP(w, r.WithContext(ctx))
	})
}

// pathOf is the path of a route's pattern.
func pathOf(route string) string {
	_, path, found := strings.Cut(route, " ")
	if !found {
		return route
	}
	return path
}

// TraceOf is the trace that a context belongs to; empty: it is not recorded.
func TraceOf(ctx context.Context) string {
	if s := trace.SpanContextFromContext(ctx); s.IsSampled() {
		return s.TraceID().String()
	}
	return ""
}

// Observer adds the stages of requests to their traces. Everything is told to another observer, too.
func (t *Tracing) Observer(next server.Observer) server.Observer { return &observer{next, t} }

type observer struct {
	server.Observer
	tracing *Tracing
}

// Answered implements server.Observer.
func (o *observer) Answered(ctx context.Context, p server.Passage, err error) {
	ctx, message := o.message(ctx, &p)
	if message != nil {
		defer message.End(trace.WithTimestamp(p.Answered))
	}
	o.Observer.Answered(ctx, p, err)
	now := o.tracing.now.Load()
	if now == nil || !trace.SpanFromContext(ctx).IsRecording() {
		return
	}
	ctx, span := now.tracer.Start(ctx, "submit", trace.WithTimestamp(p.Arrived), trace.WithAttributes(attribute.Int("quern.inputs", p.Inputs)))
	if err != nil {
		span.SetStatus(codes.Error, err.Error())
	}
	from := p.Arrived
	for _, stage := range []struct {
		name string
		to   time.Time
	}{{"wait for a round", p.Taken}, {"make durable", p.Durable}, {"decide", p.Decided}, {"publish", p.Published}, {"answer", p.Answered}} {
		if stage.to.IsZero() {
			continue
		}
		_, s := now.tracer.Start(ctx, stage.name, trace.WithTimestamp(from))
		s.End(trace.WithTimestamp(stage.to))
		from = stage.to
	}
	span.End(trace.WithTimestamp(p.Answered))
}
