// Command quern schedules: it replays journals through the scheduler, checks configurations, explains why asks wait,
// and plays scenarios. It only wires packages of host together.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// The first interruption ends a run in good order; a second one finds the usual handling and kills.
	context.AfterFunc(ctx, stop)
	code := run(ctx, os.Args[1:], streams{in: os.Stdin, out: os.Stdout, err: os.Stderr})
	stop()
	os.Exit(code)
}
