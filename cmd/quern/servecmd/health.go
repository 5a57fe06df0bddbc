package servecmd

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/quern-project/quern/cmd/quern/cli"
	"github.com/quern-project/quern/host/api/rest"
	"github.com/quern-project/quern/host/api/web"
	"github.com/quern-project/quern/host/format"
	"github.com/quern-project/quern/host/observe/logging"
)

// healthFlags say where a process answers for its health, also while another one schedules.
type healthFlags struct{ address string }

func (f *healthFlags) register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.address, "health", "", "the `ADDRESS` to serve /healthz and /readyz on and, with --metrics-open, /metrics; without authentication")
}

// check refuses settings that cannot be used.
func (f *healthFlags) check(flags *pflag.FlagSet) error {
	if _, _, err := net.SplitHostPort(f.address); f.address != "" && err != nil {
		return cli.Wrong(flags, "health", "expected an address such as :9082, found %q", f.address)
	}
	return nil
}

// serve answers while do runs.
func (f *healthFlags) serve(ctx context.Context, p *parts, do func() error) error {
	if f.address == "" {
		return do()
	}
	listener, err := p.security.listen(ctx, "--health", f.address)
	if err != nil {
		return err
	}
	p.seen.logs.For(logging.HTTP).Info("serving health", "address", format.Line(listener.Addr().String()))
	guard := web.Guard{Hosts: func(string) bool { return true }} // probes name the address that they know; there is nothing to steal
	server := web.NewServer(guard.Handler(append(rest.Health(p.live.Load, p.connection.Alive), p.scrapes())...), web.Times{})
	server.ErrorLog = slog.NewLogLogger(p.seen.logs.For(logging.HTTP).Handler(), slog.LevelDebug)
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	err = do()
	stopped := errors.Join(shutdown(server), closed(listener))
	if served := <-ended; !errors.Is(served, http.ErrServerClosed) {
		err = errors.Join(err, served)
	}
	return errors.Join(err, stopped)
}

// scrapes serve metrics to those who need not say who they are.
func (p *parts) scrapes() web.Route {
	metrics := p.seen.metrics.Handler()
	return web.Route{Pattern: "GET /metrics", Handler: web.Handler(func(w http.ResponseWriter, r *http.Request) error {
		if !p.seen.open.Load() {
			return web.NewProblem(http.StatusForbidden, "forbidden", "Metrics are not served here", "expected the setting metrics-open")
		}
		metrics.ServeHTTP(w, r)
		return nil
	})}
}
