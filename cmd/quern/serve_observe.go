package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net/http"
	"net/url"
	"os"
	"os/signal"
	"sync"
	"syscall"

	"github.com/spf13/pflag"
	"golang.org/x/term"
	"google.golang.org/grpc/stats"

	"github.com/quern-project/quern/host/api/rest"
	"github.com/quern-project/quern/host/api/web"
	"github.com/quern-project/quern/host/format"
	"github.com/quern-project/quern/host/logging"
	"github.com/quern-project/quern/host/metrics"
	"github.com/quern-project/quern/host/server"
	"github.com/quern-project/quern/host/store"
	"github.com/quern-project/quern/host/tracing"
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
	flags.StringVar(&f.logFormat, "log-format", logging.Text, "write the log as `text` or json")
	flags.StringVar(&f.logLevel, "log-level", "info", "log from this `LEVEL` on: debug, info, warn or error; warn,store=debug gives a subsystem its own")
	flags.BoolVar(&f.metricsOpen, "metrics-open", false, "serve /metrics to everybody")
	flags.IntVar(&f.metricsQueues, "metrics-queues", 100, "how `MANY` queues have metrics of their own, those nearest to root first")
	flags.StringVar(&f.endpoint, "otlp-endpoint", "", "send traces to a collector at this `URL`, by OTLP over HTTP")
	flags.Float64Var(&f.sample, "otlp-sample", 0.01, "the `SHARE` of requests that are traced, from 0 to 1")
}

// observation is what a live scheduler tells of itself.
type observation struct {
	logs    *logging.Logs
	metrics *metrics.Metrics
	tracing *tracing.Tracing // nil: off
	open    bool             // metrics are for everybody
}

// begin makes what observes, before there is anything to observe.
func (f *observeFlags) begin(ctx context.Context, log io.Writer) (*observation, error) {
	levels, err := logging.ParseLevels(f.logLevel)
	if err != nil {
		return nil, usage(fmt.Errorf("--log-level: %w", err))
	}
	if f.logFormat == logging.JSON {
		log = format.NewJSONWriter(below(log)) // what makes text printable would break it
	}
	o := &observation{open: f.metricsOpen}
	if o.logs, err = logging.New(log, f.logFormat, levels); err != nil {
		return nil, usage(fmt.Errorf("--log-format: %w", err))
	}
	if f.metricsQueues < 0 {
		return nil, usage(fmt.Errorf("--metrics-queues: expected a number of 0 or more, found %d", f.metricsQueues))
	}
	if err := f.trace(ctx, o); err != nil {
		return nil, err
	}
	options := metrics.Options{Version: buildVersion(), Queues: f.metricsQueues}
	if o.tracing != nil {
		options.Trace = tracing.TraceOf
	}
	o.metrics = metrics.New(options)
	return o, nil
}

// trace has traces sent, if that is wanted.
func (f *observeFlags) trace(ctx context.Context, o *observation) (err error) {
	if u, err := url.Parse(f.endpoint); f.endpoint != "" && (err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https") {
		return usage(fmt.Errorf("--otlp-endpoint: expected a URL such as http://127.0.0.1:4318, found %q", f.endpoint))
	}
	if !(f.sample >= 0 && f.sample <= 1) || math.IsNaN(f.sample) {
		return usage(fmt.Errorf("--otlp-sample: expected a number from 0 to 1, found %v", f.sample))
	}
	to := tracing.Options{Endpoint: f.endpoint, Sample: f.sample, Version: buildVersion(), Log: o.logs.For(logging.HTTP)}
	if to.Wanted() {
		o.tracing, err = tracing.New(ctx, to)
	}
	return err
}

// observer is what the server tells.
func (o *observation) observer() server.Observer {
	if o.tracing != nil {
		return o.tracing.Observer(o.metrics)
	}
	return o.metrics
}

// join has a service observed, and offers what is known of it.
func (o *observation) join(v *service, usage func() (store.Usage, error), in io.Reader) {
	v.seen = o
	o.metrics.Attach(v.live, usage)
	v.offer(o.metrics.Routes(o.open)...)
	v.offer(rest.NewOperation(o.metrics, o.logs, buildVersion(), v.lapse).Routes()...)
	v.offer(rest.Profiles()...)
	stop := make(chan struct{})
	end := sync.OnceFunc(func() { close(stop) })
	v.beside(task{
		serve: func() error { o.metrics.Run(stop); return nil },
		stop:  func() error { end(); return o.close() },
	})
	v.beside(hangUp(o.logs.For(logging.Config), interactive(in)))
}

// close sends what is left of traces. That a collector takes nothing is no failure of the host.
func (o *observation) close() error {
	if o.tracing == nil {
		return nil
	}
	if err := o.tracing.Close(); err != nil {
		o.logs.For(logging.HTTP).Warn("traces were lost at the end", "error", err)
	}
	return nil
}

// hangUp handles SIGHUP. Nothing has to be read anew, as files are watched, so it only ends a host whose terminal is gone.
func hangUp(log *slog.Logger, terminal bool) task {
	told := make(chan os.Signal, 1)
	signal.Notify(told, syscall.SIGHUP) // before anybody is told that the host serves
	stop := make(chan struct{})
	end := sync.OnceFunc(func() { close(stop) })
	return task{
		serve: func() error {
			defer signal.Stop(told)
			for {
				select {
				case <-told:
					if terminal {
						return nil
					}
					log.Info("SIGHUP changes nothing")
				case <-stop:
					return nil
				}
			}
		},
		stop: func() error { end(); return nil },
	}
}

// interactive reports whether a terminal is read.
func interactive(in io.Reader) bool {
	f, ok := in.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
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
		if o.tracing != nil {
			r.Handler = o.tracing.Handler(r.Pattern, r.Handler)
		}
		watched = append(watched, r)
	}
	return watched
}

// calls are told of what is called over gRPC.
func (o *observation) calls() []stats.Handler {
	if o.tracing != nil {
		return []stats.Handler{o.tracing.RPC(), o.metrics.RPC()}
	}
	return []stats.Handler{o.metrics.RPC()}
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
