package program

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/quern-project/quern/host/api/web"
	"github.com/quern-project/quern/host/api/yunikorn"
	"github.com/quern-project/quern/host/demo"
	"github.com/quern-project/quern/host/format"
	"github.com/quern-project/quern/host/logging"
	"github.com/quern-project/quern/host/server"
)

// service is a live scheduler with everything that runs beside its loop.
type service struct {
	live          *server.Server
	log           *slog.Logger // of the loop; seen has others
	seen          *observation
	configuration *server.Request               // put in force before anything is served; nil: none is
	managers      yunikorn.Managers             // nil: there are none
	first         []func(context.Context) error // done before that
	routes        []web.Route
	tasks         []task
	addresses     []string    // as the line that says what is served has them
	lapse         *demo.Clock // of a simulated cluster; nil: it is not
	dashboard     string      // where a browser on this machine finds it
	security      *security
	policies      bool        // there is a folder of modules
	upload        atomic.Bool // modules are taken over HTTP
}

// task runs beside the loop. Serve returns when stop was called or it cannot go on; then everything ends.
type task struct {
	serve func() error
	stop  func() error
}

// offer adds routes to what HTTP serves.
func (v *service) offer(routes ...web.Route) { v.routes = append(v.routes, routes...) }

// beside adds a task.
func (v *service) beside(t task) { v.tasks = append(v.tasks, t) }

// listen has HTTP served on an address.
func (v *service) listen(ctx context.Context, address string) error {
	listener, err := v.security.listen(ctx, "--http", address)
	if err != nil {
		return err
	}
	v.addresses = append(v.addresses, "http="+format.Line(listener.Addr().String()))
	v.dashboard = addressOf(listener)
	server := web.NewServer(nil, web.Times{})
	server.ErrorLog = slog.NewLogLogger(v.seen.logs.For(logging.HTTP).Handler(), slog.LevelDebug) // what clients do wrong is no trouble of the host
	server.TLSConfig = v.security.tls()
	serve := server.Serve
	if server.TLSConfig != nil {
		v.dashboard = "https" + strings.TrimPrefix(v.dashboard, "http")
		serve = func(l net.Listener) error { return server.ServeTLS(l, "", "") }
	}
	v.beside(task{
		serve: func() error {
			guard := v.security.guard(address)
			guard.Panicked = v.panicked
			server.Handler = guard.Handler(v.seen.routes(v.routes)...)
			if err := serve(listener); !errors.Is(err, http.ErrServerClosed) {
				return err
			}
			return nil
		},
		stop: func() error { return errors.Join(shutdown(server), closed(listener)) },
	})
	return nil
}

// panicked notes a request that met a bug.
func (v *service) panicked(r *http.Request, bug, stack string) {
	v.seen.logs.For(logging.HTTP).Error("a request panicked", "method", r.Method, "path", r.URL.Path, "panic", bug, "stack", stack)
}

// run drives the loop and its tasks until the context ends or one of them cannot go on.
func (v *service) run(ctx context.Context, s streams) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ended := make(chan error, len(v.tasks)+1)
	go func() { ended <- v.live.Run(ctx); cancel() }()
	err := v.begin(ctx, s.out)
	running := 1
	if err == nil {
		for _, t := range v.tasks {
			running++
			go func() { ended <- t.serve(); cancel() }()
		}
	} else {
		cancel()
	}
	<-ctx.Done()
	for _, t := range v.tasks {
		err = errors.Join(err, t.stop())
	}
	for range running {
		err = errors.Join(err, <-ended)
	}
	return err
}

// begin puts the configuration in force and says what is served.
func (v *service) begin(ctx context.Context, out io.Writer) error {
	for _, do := range v.first {
		if err := do(ctx); err != nil {
			return err
		}
	}
	if v.configuration != nil {
		if err := v.live.Configure(ctx, v.configuration); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(out, "serving %s seq=%d\n", strings.Join(v.addresses, " "), v.live.View().NextDecision()-1)
	return err
}

// shutdownTime is how long requests may take that are under way at the end.
const shutdownTime = 5 * time.Second

func shutdown(web *http.Server) error {
	ctx, cancel := context.WithTimeout(context.Background(), shutdownTime)
	defer cancel()
	if err := web.Shutdown(ctx); err != nil {
		return web.Close()
	}
	return nil
}

// closed closes a listener, which its server may have done before.
func closed(l net.Listener) error {
	if err := l.Close(); !errors.Is(err, net.ErrClosed) {
		return err
	}
	return nil
}
