// Package program is the command line of quern: flags, settings and output. It only wires packages of host together.
//
// It is a package of its own, and not that of the command, so that a module with dependencies of its own can build quern with more
// commands: an Extension.
package program

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/quern-project/quern/cmd/quern/cli"
	"github.com/quern-project/quern/cmd/quern/servecmd"
	"github.com/quern-project/quern/host/policy/process/sandbox"
)

// Main runs the command line of the process, and ends the process.
func Main(extensions ...servecmd.Extension) {
	sandbox.Launch()
	relaxCollector()
	// A pipe without a reader is an error of writing: it ends a command in good order, with its temporary files
	// removed. The signal would kill.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// The first interruption ends a run in good order; a second one finds the usual handling and kills.
	context.AfterFunc(ctx, stop)
	code := run(ctx, os.Args[1:], cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}, extensions...)
	stop()
	os.Exit(code)
}
