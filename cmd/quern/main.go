// Command quern schedules: it replays journals through the scheduler, checks configurations, explains why asks wait,
// and plays scenarios. It only wires packages of host together.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/quern-project/quern/cmd/quern/startup"
	"github.com/quern-project/quern/host/policy/process/sandbox"
)

// Everything that quern imports is initialized by now.
func init() { startup.RestorePath() }

func main() {
	sandbox.Launch()
	relaxCollector()
	// A pipe that nobody reads any more is an error of writing: it ends a command in good order, with its temporary files
	// removed. The signal would kill.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// The first interruption ends a run in good order; a second one finds the usual handling and kills.
	context.AfterFunc(ctx, stop)
	code := run(ctx, os.Args[1:], streams{in: os.Stdin, out: os.Stdout, err: os.Stderr})
	stop()
	os.Exit(code)
}
