package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/quern-project/quern/host/api/rest"
	"github.com/quern-project/quern/host/api/yunikorn"
	"github.com/quern-project/quern/host/logging"
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
}

func newServe(s streams) *cobra.Command {
	var f serveFlags
	cmd := &cobra.Command{
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
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := f.check(cmd.Flags()); err != nil {
				return misused(cmd, err)
			}
			return f.run(cmd, s)
		},
	}
	f.register(cmd)
	return cmd
}

func (f *serveFlags) register(cmd *cobra.Command) {
	f.config.register(cmd)
	f.policies.register(cmd)
	cmd.Flags().StringVar(&f.data, "data", "quern-data", "keep the record in `DIR`")
	cmd.Flags().BoolVar(&f.ephemeral, "ephemeral", false, "keep the record in memory only: it is lost when the process ends")
	cmd.Flags().StringVar(&f.http, "http", "127.0.0.1:9080", "the `ADDRESS` to serve HTTP on; one that other machines reach needs TLS and authentication")
	cmd.Flags().DurationVar(&f.retain, "retain", 0, "keep parts of the record that recovery does not need for this `DURATION`")
	f.record.register(cmd)
	f.names.register(cmd)
	f.demo.register(cmd)
	f.security.register(cmd)
	f.grpc.register(cmd)
	f.dashboard.register(cmd)
	f.observe.register(cmd.Flags())
	_ = cmd.MarkFlagDirname("data")
}

// check refuses what cannot be, and what does not go together.
func (f *serveFlags) check(flags *pflag.FlagSet) error {
	var all []error
	if f.ephemeral && flags.Changed("data") {
		all = append(all, wrong(flags, "ephemeral", "expected --data or --ephemeral, found both"))
	}
	if f.retain < 0 {
		all = append(all, wrong(flags, "retain", "expected 0 or more, found %s", f.retain))
	}
	return errors.Join(append(all, f.demo.check(flags, f), f.record.check(flags), f.names.check(flags), f.grpc.check(flags), f.policies.check(flags), f.security.check(flags), f.observe.check(flags),
		f.security.checkAddress(flags, "http", f.http), f.security.checkAddress(flags, "grpc", f.grpc.address))...)
}

func (f *serveFlags) run(cmd *cobra.Command, s streams) (err error) {
	ctx := cmd.Context()
	f.grpc.open()
	reload, err := newReload(cmd)
	if err != nil {
		return usage(err)
	}
	seen, err := f.observe.begin(ctx, s.err)
	if err != nil {
		return err
	}
	security, err := f.security.open(seen.logs, reload.roles)
	if err != nil {
		return err
	}
	size, err := f.record.segmentSize(f.ephemeral)
	if err != nil {
		return err
	}
	log := seen.logs.For(logging.Store)
	defer func() { err = errors.Join(err, security.Close()) }()
	disk, err := f.disk(log)
	if err != nil {
		return err
	}
	record, found, err := store.Open(disk, store.Options{SegmentSize: size})
	if err != nil {
		return unsound(f.data, err)
	}
	defer func() { err = errors.Join(err, record.Close()) }()
	if found.Torn != nil {
		log.Warn(found.Torn.String())
	}
	for _, skipped := range found.Skipped {
		log.Warn("a snapshot cannot be read; an earlier one is used", "error", skipped)
	}
	clock := f.demo.clock(record)
	policies, err := f.policies.open(ctx, f.archive(), seen.logs.For(logging.Policy))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, policies.Close(context.WithoutCancel(ctx))) }()
	memory := yunikorn.NewMemory()
	live, err := server.New(server.Options{Store: record, Found: found, Clock: clock, Log: seen.logs.For(logging.Loop), Retain: f.retain, SnapshotBatches: f.record.snapshots, Names: f.names.limits,
		Observer: seen.observer(), Watcher: memory, Policies: seen.metrics.Policies(f.grpc.predicates.Policies(policies.Policies)), Audit: security.applied()})
	if err != nil {
		return unrecovered(f.data, err)
	}
	v := service{live: live, log: seen.logs.For(logging.Loop), security: security, lapse: f.demo.lapse(clock), policies: f.policies.dir != ""}
	seen.join(&v, record.Usage)
	f.policies.wire(ctx, &v, policies)
	if err := f.config.wire(&v, s.env(ctx)); err != nil {
		return err
	}
	if err := f.demo.wire(&v, clock, f.data, s.err); err != nil {
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
	v.offerYuniKorn(memory, clock)
	reload.wire(ctx, &v, s.in)
	return v.run(ctx, s)
}

// archive is where modules are kept that the record names; empty: nowhere.
func (f *serveFlags) archive() string {
	if f.ephemeral {
		return ""
	}
	return archiveIn(f.data)
}

func (f *serveFlags) disk(log *slog.Logger) (store.Disk, error) {
	if f.ephemeral {
		log.Warn("the record is kept in memory only and is lost when this process ends")
		return store.NewMemory(), nil
	}
	if err := folderOf("--data", f.data); err != nil {
		return nil, err
	}
	d, err := store.OpenFolder(f.data, true)
	if err != nil {
		return nil, usage(fmt.Errorf("--data: %w", err))
	}
	return d, nil
}

// unsound says which folder cannot be opened, and what to do about it.
func unsound(folder string, err error) error {
	var damage *store.DamageError
	err = fmt.Errorf("%s: %w", folder, err)
	if errors.As(err, &damage) {
		return codeError{error: err, code: failed, hint: "Acknowledged inputs are missing: restore the folder from a backup, or start with an empty one"}
	}
	return err
}
