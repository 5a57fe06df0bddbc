package servecmd

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

	"github.com/quern-project/quern/cmd/quern/cli"
	"github.com/quern-project/quern/host/api/web"
	"github.com/quern-project/quern/host/api/yunikorn"
	"github.com/quern-project/quern/host/demo"
	"github.com/quern-project/quern/host/format"
	"github.com/quern-project/quern/host/observe/logging"
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
	unfinished    bool        // something did not end in time
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
	v.dashboard = cli.AddressOf(listener)
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
func (v *service) run(ctx context.Context, s cli.Streams) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ended := make(chan error, 2*len(v.tasks)+1)
	go func() { ended <- v.live.Run(ctx); cancel() }()
	err := v.begin(ctx, s.Out)
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
		running++
		go func() { ended <- t.stop() }()
	}
	return errors.Join(err, v.end(running, ended))
}

// end waits until so many have ended, for no longer than a host may take to end.
func (v *service) end(running int, ended <-chan error) (err error) {
	late := time.NewTimer(mostEnding)
	defer late.Stop()
	for range running {
		select {
		case e := <-ended:
			err = errors.Join(err, v.skipped(e))
		case <-late.C:
			v.unfinished = true
			return errors.Join(err, errUnfinished)
		}
	}
	return err
}

// skipped notes what a part of the service has not finished when it ends. That the last snapshot is missing is no failure.
func (v *service) skipped(err error) error {
	v.unfinished = v.unfinished || errors.Is(err, server.ErrUnfinished) || errors.Is(err, server.ErrNoSnapshot)
	if !errors.Is(err, server.ErrNoSnapshot) {
		return err
	}
	v.log.Warn("the last snapshot was not finished in time: the next start reads more of the record")
	return nil
}

// close closes what the scheduler used. What has not finished in time goes on until the process ends, as in a crash. It keeps what it uses
// until then, and no other process gets the lock on its folder before.
func (v *service) close(err error, closing func() error) error {
	if v.unfinished {
		return err
	}
	return errors.Join(err, closing())
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

// How long it takes to end at most: requests that are under way, and everything.
const (
	shutdownTime = 5 * time.Second
	mostEnding   = 9500 * time.Millisecond // the scheduler has less
)

var errUnfinished = fmt.Errorf("the host did not end within %v: it was stopped as by a crash", mostEnding)

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
