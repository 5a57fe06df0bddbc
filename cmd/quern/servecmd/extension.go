package servecmd

import (
	"context"
	"log/slog"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/quern-project/quern/cmd/quern/cli"
	"github.com/quern-project/quern/host/api/yunikorn"
	"github.com/quern-project/quern/host/observe/logging"
	"github.com/quern-project/quern/host/server"
)

// An Extension is a command that runs a live scheduler for a platform whose libraries quern does without. A program that has them hands
// it to Main. The command has the flags of quern serve, except for those of the demo, and the flags of the platform.
type Extension struct {
	Use, Short, Long, Example string
	// New makes a platform whose settings are the defaults.
	New func() Platform
	// Below makes the commands below this one; nil: there are none. They read and write the streams of their cobra.Command.
	Below func() []*cobra.Command
}

// A Platform is a cluster that tells which nodes it has and what wants to run on them, and that carries decisions out.
type Platform interface {
	// Register registers flags.
	Register(flags *pflag.FlagSet)
	// Check refuses settings that cannot be used, with errors of Wrong.
	Check(flags *pflag.FlagSet) error
	// Connect follows the cluster from now on, until the context ends.
	Connect(ctx context.Context, s Surroundings) (Connection, error)
}

// Surroundings are what a platform finds.
type Surroundings struct {
	Log      *slog.Logger
	Policies string // the folder of policy modules; empty: there is none
}

// A Connection follows a cluster.
type Connection interface {
	// Lead calls serve once this process is the one that schedules the cluster, with a context that ends when it is no longer. Lead
	// returns when serve has, or when ctx ends before.
	Lead(ctx context.Context, serve func(context.Context) error) error
	// Policies adds what answers for the platform to what answers for policy modules.
	Policies(each func(decides bool) server.Policies) func(decides bool) server.Policies
	// Drive submits what the cluster tells, and carries out what is decided, until the context ends or it cannot go on.
	Drive(ctx context.Context, live *server.Server) error
	// Alive says in what Drive is stuck; nil: it goes on, or is not called. It may be called concurrently.
	Alive() error
}

// A Describer is a Connection that tells of nodes what the scheduler does not know, for the interface of YuniKorn.
type Describer interface {
	Cluster() yunikorn.Cluster
}

// BadInput marks an error as one of the command line, of a setting or of a file: the process ends with exit code 2.
func BadInput(err error) error { return cli.Usage(err) }

// Wrong returns an error about the value of a flag, and names the flag or the setting that the value comes from.
func Wrong(flags *pflag.FlagSet, flag, format string, details ...any) error {
	return cli.Wrong(flags, flag, format, details...)
}

func newServeFlags(e *Extension) *serveFlags { return &serveFlags{extension: e, platform: e.New()} }

// NoArguments refuses arguments of a command below that of an extension.
func NoArguments(cmd *cobra.Command, list []string) error { return cli.NoArguments(cmd, list) }

// Command makes the command of an extension.
func (e *Extension) Command(s cli.Streams) *cobra.Command {
	cmd := newServeFlags(e).command(s, &cobra.Command{Use: e.Use, Short: e.Short, Long: e.Long, Example: e.Example})
	if e.Below != nil {
		cmd.AddCommand(e.Below()...)
	}
	return cmd
}

// lead runs the scheduler of a platform while this process is the one that schedules it.
func (f *serveFlags) lead(ctx context.Context, s cli.Streams, p *parts) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var err error
	if p.connection, err = f.platform.Connect(ctx, Surroundings{Log: p.seen.logs.For(logging.Platform), Policies: f.policies.Dir}); err != nil {
		return err
	}
	return f.health.serve(ctx, p, func() error {
		return p.connection.Lead(ctx, func(ctx context.Context) error { return f.serve(ctx, s, p) })
	})
}

// policies adds what answers for the platform.
func (p *parts) policies(each func(decides bool) server.Policies) func(decides bool) server.Policies {
	if p.connection == nil {
		return each
	}
	return p.connection.Policies(each)
}

// drive has the platform driven beside the loop.
func (p *parts) drive(ctx context.Context, v *service) {
	if p.connection == nil {
		return
	}
	ctx, cancel := context.WithCancel(ctx)
	v.beside(task{
		serve: func() error { return p.connection.Drive(ctx, v.live) },
		stop:  func() error { cancel(); return nil },
	})
}
