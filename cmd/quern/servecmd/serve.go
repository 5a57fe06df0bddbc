package servecmd

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/quern-project/quern/cmd/quern/cli"
	"github.com/quern-project/quern/host/api/rest"
	"github.com/quern-project/quern/host/api/yunikorn"
	"github.com/quern-project/quern/host/observe/logging"
	"github.com/quern-project/quern/host/server"
	"github.com/quern-project/quern/host/store"
)

type serveFlags struct {
	config     configFlags
	data, http string
	ephemeral  bool
	retain     time.Duration
	record     recordFlags
	names      namesFlags
	policies   servePolicies
	demo       serveDemo
	grpc       grpcFlags
	dashboard  dashboardFlags
	security   securityFlags
	observe    observeFlags
	extension  *Extension // nil: inputs come from whoever sends them
	platform   Platform   // of the extension
	health     healthFlags
}

// NewServe makes the command quern serve.
func NewServe(s cli.Streams) *cobra.Command {
	var f serveFlags
	return f.command(s, &cobra.Command{
		Use:   "serve [flags]",
		Short: "Run a live scheduler",
		Long: `Run a live scheduler: it takes inputs over HTTP and gRPC, decides, and keeps a record of inputs and decisions, from which it
continues after a restart. When it is ready, it prints one line with its addresses; port 0 is any free port.

The record is kept in a folder that one process at a time may use. --config names the file of the queue configuration. It is
applied at the start if it has changed since it was last applied, and on every change of the file, unless --watch=false.

Without authentication it listens on this machine only, and every user of the machine may do everything. Tokens (--tokens),
client certificates (--client-ca) or an issuer (--oidc-issuer) identify the sender of a request. SIGTERM or Ctrl-C stops it
cleanly. Acknowledged inputs are kept, even after a crash.`,
		Example: `  quern serve --config queues.yaml
  quern serve --demo
  curl --data-binary @inputs.jsonl http://127.0.0.1:9080/v1/inputs
  curl http://127.0.0.1:9080/v1/decisions?follow=true`,
	})
}

// command has a command run a live scheduler with these flags.
func (f *serveFlags) command(s cli.Streams, cmd *cobra.Command) *cobra.Command {
	cmd.Args = cli.NoArguments
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if err := f.check(cmd.Flags()); err != nil {
			return cli.Misused(cmd, err)
		}
		return f.run(cmd, s)
	}
	f.register(cmd)
	return cmd
}

func (f *serveFlags) register(cmd *cobra.Command) {
	f.config.register(cmd)
	f.policies.register(cmd)
	cmd.Flags().StringVar(&f.http, "http", "127.0.0.1:9080", "the `ADDRESS` to serve HTTP on; one that other machines reach needs TLS and authentication")
	cmd.Flags().DurationVar(&f.retain, "retain", 0, "keep parts of the record that recovery does not need for this `DURATION`")
	f.record.register(cmd)
	f.names.register(cmd)
	f.security.register(cmd)
	f.grpc.register(cmd)
	f.dashboard.register(cmd)
	f.observe.register(cmd.Flags())
	f.registerSource(cmd)
	_ = cmd.MarkFlagDirname("data")
}

// registerSource registers the flags about the source of inputs and about their results. It comes last: a platform may give other flags another
// default.
func (f *serveFlags) registerSource(cmd *cobra.Command) {
	if f.platform != nil {
		cmd.Flags().StringVar(&f.data, "data", "", "keep the record in `DIR`, too (default: in memory only, since the cluster says what there is)")
		f.health.register(cmd)
		f.platform.Register(cmd.Flags())
		return
	}
	cmd.Flags().StringVar(&f.data, "data", "quern-data", "keep the record in `DIR`")
	cmd.Flags().BoolVar(&f.ephemeral, "ephemeral", false, "keep the record in memory only: it is lost when the process ends")
	f.demo.register(cmd)
}

// check refuses what cannot be, and what does not go together.
func (f *serveFlags) check(flags *pflag.FlagSet) error {
	var all []error
	if f.platform != nil {
		f.ephemeral = f.data == ""
		all = append(all, f.health.check(flags), f.platform.Check(flags))
	} else if f.ephemeral && flags.Changed("data") {
		all = append(all, cli.Wrong(flags, "ephemeral", "expected --data or --ephemeral, found both"))
	}
	if f.retain < 0 {
		all = append(all, cli.Wrong(flags, "retain", "expected 0 or more, found %s", f.retain))
	}
	return errors.Join(append(all, f.demo.check(flags, f), f.record.check(flags), f.names.check(flags), f.grpc.check(flags), f.policies.check(flags), f.security.check(flags), f.observe.check(flags),
		f.security.checkAddress(flags, "http", f.http), f.security.checkAddress(flags, "grpc", f.grpc.address))...)
}

func (f *serveFlags) run(cmd *cobra.Command, s cli.Streams) (err error) {
	ctx := cmd.Context()
	f.grpc.open()
	reload, err := newReload(cmd, f.fresh)
	if err != nil {
		return cli.Usage(err)
	}
	seen, err := f.observe.begin(ctx, s.Err)
	if err != nil {
		return err
	}
	security, err := f.security.open(seen.logs, reload.roles)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, security.Close()) }()
	if f.platform == nil {
		return f.serve(ctx, s, &parts{reload: reload, seen: seen, security: security})
	}
	return f.lead(ctx, s, &parts{reload: reload, seen: seen, security: security})
}

// fresh are flags of the same command.
func (f *serveFlags) fresh() *serveFlags {
	if f.extension == nil {
		return &serveFlags{}
	}
	return newServeFlags(f.extension)
}

// parts are what a live scheduler is made of that is there before it.
type parts struct {
	reload     *reload
	seen       *observation
	security   *security
	connection Connection // nil: there is no platform
	live       atomic.Pointer[server.Server]
}

// serve runs the scheduler until the context ends.
func (f *serveFlags) serve(ctx context.Context, s cli.Streams, p *parts) (err error) {
	seen, security := p.seen, p.security
	size, err := f.record.segmentSize(f.ephemeral)
	if err != nil {
		return err
	}
	log := seen.logs.For(logging.Store)
	disk, err := f.disk(log)
	if err != nil {
		return err
	}
	record, found, err := store.Open(disk, store.Options{SegmentSize: size})
	if err != nil {
		return cli.RecordError(f.data, err)
	}
	var v service
	defer func() { err = v.close(err, record.Close) }()
	tellOpened(log, &found)
	checked := checkOlder(log, record)
	clock := f.demo.clock(record)
	pulled, err := f.policies.pull(ctx, seen.logs.For(logging.Policy))
	if err != nil {
		return err
	}
	policies, err := f.policies.open(ctx, f.archive(), seen.logs.For(logging.Policy))
	if err != nil {
		return err
	}
	defer func() {
		err = v.close(err, func() error { return policies.Close(context.WithoutCancel(ctx)) })
	}()
	memory := yunikorn.NewMemory()
	live, err := server.New(server.Options{Store: record, Found: found, Clock: clock, Log: seen.logs.For(logging.Loop), Retain: f.retain, SnapshotBatches: f.record.snapshots, VerifyView: f.record.verifies, Names: f.names.limits,
		Observer: seen.observer(), Watcher: memory, Policies: seen.metrics.Policies(p.policies(f.grpc.predicates.Policies(policies.Policies))), Audit: security.applied()})
	if err != nil {
		return cli.ModulesError(f.data, err)
	}
	p.live.Store(live)
	v.live, v.log, v.security, v.lapse, v.policies = live, seen.logs.For(logging.Loop), security, f.demo.lapse(clock), f.policies.Dir != ""
	seen.join(&v, record.Usage)
	f.policies.wire(ctx, &v, policies, pulled)
	if err := f.config.wire(&v, s.Env(ctx)); err != nil {
		return err
	}
	if err := f.demo.wire(&v, clock, f.data, s.Err); err != nil {
		return err
	}
	v.offer(rest.New(live).Routes()...)
	if err := f.dashboard.wire(&v); err != nil {
		return err
	}
	if err := v.listen(ctx, f.http); err != nil {
		return err
	}
	if err := f.grpc.wire(ctx, &v); err != nil {
		return err
	}
	v.offerYuniKorn(memory, clock, p.connection)
	p.reload.wire(ctx, &v, s.In)
	p.drive(ctx, &v)
	awaitCheck(checked)
	return v.run(ctx, s)
}

// archive is where modules are kept that the record names; empty: nowhere.
func (f *serveFlags) archive() string {
	if f.ephemeral {
		return ""
	}
	return cli.ModulesOf(f.data)
}

func (f *serveFlags) disk(log *slog.Logger) (store.Disk, error) {
	if f.ephemeral && f.platform != nil {
		return store.NewMemory(), nil
	}
	if f.ephemeral {
		log.Warn("the record is kept in memory only and is lost when this process ends")
		return store.NewMemory(), nil
	}
	if err := cli.FolderOf("--data", f.data); err != nil {
		return nil, err
	}
	d, err := store.OpenFolder(f.data, true)
	if err != nil {
		return nil, cli.Usage(fmt.Errorf("--data: %w", err))
	}
	cli.WarnOpen(log, f.data, cli.NoAccess, "have access to the folder of the record: they can list its files and, with the right to write, remove them")
	return d, nil
}
