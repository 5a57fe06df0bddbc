package servecmd

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"math"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"

	"github.com/spf13/pflag"
	"google.golang.org/grpc/stats"

	"github.com/quern-project/quern/cmd/quern/cli"
	"github.com/quern-project/quern/host/api/rest"
	"github.com/quern-project/quern/host/api/web"
	"github.com/quern-project/quern/host/format"
	"github.com/quern-project/quern/host/observe/logging"
	"github.com/quern-project/quern/host/observe/metrics"
	"github.com/quern-project/quern/host/observe/tracing"
	"github.com/quern-project/quern/host/server"
	"github.com/quern-project/quern/host/store"
)

// observeFlags are the flags of what a live scheduler tells of itself.
type observeFlags struct {
	logFormat, logLevel string
	metricsOpen         bool
	metricsQueues       int
	endpoint            string
	sample              float64
}

func (f *observeFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&f.logFormat, "log-format", logging.Text, "the `FORMAT` of the log: text or json")
	flags.StringVar(&f.logLevel, "log-level", "info", "the lowest `LEVEL` to log: debug, info, warn or error; warn,store=debug gives a subsystem its own level")
	flags.BoolVar(&f.metricsOpen, "metrics-open", false, "serve /metrics without authentication")
	flags.IntVar(&f.metricsQueues, "metrics-queues", 100, "the number (`N`) of queues with their own metrics, those nearest to root first")
	flags.StringVar(&f.endpoint, "otlp-endpoint", "", "send traces to a collector at this `URL`, by OTLP over HTTP")
	flags.Float64Var(&f.sample, "otlp-sample", 0.01, "the `SHARE` of requests to trace, from 0 to 1")
}

// observation is what a live scheduler tells of itself.
type observation struct {
	logs    *logging.Logs
	metrics *metrics.Metrics
	tracing *tracing.Tracing
	open    atomic.Bool // metrics need no authentication
}

// check refuses what cannot be.
func (f *observeFlags) check(flags *pflag.FlagSet) error {
	var all []error
	if _, err := logging.ParseLevels(f.logLevel); err != nil {
		all = append(all, cli.Wrong(flags, "log-level", "%w", err))
	}
	if err := logging.CheckFormat(f.logFormat); err != nil {
		all = append(all, cli.Wrong(flags, "log-format", "%w", err))
	}
	if f.metricsQueues < 0 {
		all = append(all, cli.Wrong(flags, "metrics-queues", "expected a number of 0 or more, found %d", f.metricsQueues))
	}
	if u, err := url.Parse(f.endpoint); f.endpoint != "" && (err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https") {
		all = append(all, cli.Wrong(flags, "otlp-endpoint", "expected a URL such as http://127.0.0.1:4318, found %q", f.endpoint))
	}
	if !(f.sample >= 0 && f.sample <= 1) || math.IsNaN(f.sample) {
		all = append(all, cli.Wrong(flags, "otlp-sample", "expected a number from 0 to 1, found %v", f.sample))
	}
	return errors.Join(all...)
}

// begin makes what observes, before there is anything to observe.
func (f *observeFlags) begin(ctx context.Context, log io.Writer) (*observation, error) {
	levels, err := logging.ParseLevels(f.logLevel)
	if err != nil {
		return nil, err
	}
	o := &observation{}
	o.open.Store(f.metricsOpen)
	asJSON := format.NewJSONWriter(cli.Below(log)) // what makes text printable would break JSON
	if o.logs, err = logging.New(log, asJSON, f.logFormat, levels); err != nil {
		return nil, err
	}
	if o.tracing, err = tracing.New(ctx, f.traces(o)); err != nil {
		return nil, err
	}
	o.metrics = metrics.New(metrics.Options{Version: cli.BuildVersion(), Queues: f.metricsQueues, Trace: tracing.TraceOf})
	return o, nil
}

// traces say where traces are sent, and which.
func (f *observeFlags) traces(o *observation) tracing.Options {
	return tracing.Options{Endpoint: f.endpoint, Sample: f.sample, Version: cli.BuildVersion(), Log: o.logs.For(logging.HTTP)}
}

// observer is what the server tells.
func (o *observation) observer() server.Observer { return o.tracing.Observer(o.metrics) }

// join has a service observed, and offers what is known of it.
func (o *observation) join(v *service, usage func() (store.Usage, error)) {
	v.seen = o
	o.metrics.Attach(v.live, usage)
	v.offer(o.metrics.Routes(o.open.Load)...)
	var lapse rest.Lapse
	if v.lapse != nil {
		lapse = v.lapse
	}
	v.offer(rest.NewOperation(o.metrics, o.logs, cli.BuildVersion(), lapse, v.security.changed()).Routes()...)
	v.offer(rest.Profiles()...)
	stop := make(chan struct{})
	end := sync.OnceFunc(func() { close(stop) })
	v.beside(task{
		serve: func() error { o.metrics.Run(stop); return nil },
		stop:  func() error { end(); return o.close() },
	})
}

// close sends what is left of traces. That a collector takes nothing is no failure of the host.
func (o *observation) close() error {
	o.lost(o.tracing.Close())
	return nil
}

// lost logs that what was left of traces could not be sent; nil: it could.
func (o *observation) lost(err error) {
	if err != nil {
		o.logs.For(logging.HTTP).Warn("traces were lost", "error", err)
	}
}

// routes are those of a service, observed.
func (o *observation) routes(list []web.Route) []web.Route {
	log := o.logs.For(logging.HTTP)
	watched := make([]web.Route, 0, len(list))
	for _, r := range list {
		count := o.metrics.Route(r.Pattern)
		r.Handler = web.Watch(r.Handler, func(request *http.Request, s web.Seen) {
			count(s)
			logRequest(log, request, &s)
		})
		r.Handler = o.tracing.Handler(r.Pattern, r.Handler)
		watched = append(watched, r)
	}
	return watched
}

// calls are told of what is called over gRPC.
func (o *observation) calls() []stats.Handler {
	return []stats.Handler{o.tracing.RPC(), o.metrics.RPC()}
}

// logRequest logs a request: one that the host failed to answer as an error.
func logRequest(log *slog.Logger, r *http.Request, s *web.Seen) {
	level := slog.LevelDebug
	if s.Status >= http.StatusInternalServerError && s.Status != http.StatusServiceUnavailable {
		level = slog.LevelError
	}
	if log.Enabled(r.Context(), level) { // what follows costs something
		log.Log(r.Context(), level, "request", "method", r.Method, "path", r.URL.Path, "status", s.Status, "begun", s.Begun, "whole", s.Whole)
	}
}
