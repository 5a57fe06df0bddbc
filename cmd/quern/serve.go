package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/spf13/cobra"

	"github.com/quern-project/quern/host/api/rest"
	"github.com/quern-project/quern/host/format"
	"github.com/quern-project/quern/host/server"
	"github.com/quern-project/quern/host/store"
	"github.com/quern-project/quern/host/stream"
)

type serveFlags struct {
	config, data, http string
	ephemeral          bool
	retain             time.Duration
}

func newServe(s streams) *cobra.Command {
	var f serveFlags
	cmd := &cobra.Command{
		Use:   "serve [flags]",
		Short: "Run a live scheduler",
		Long: `Run a live scheduler: it takes inputs over HTTP, decides, and keeps a record of both, from which it goes on when it is
started again. When it serves, it prints one line with its addresses; port 0 is any that is free.

The record is kept in a folder that one process at a time may use. With --config the queue configuration is that of a file, where it
differs from the one in force.

There is no authentication yet, so it listens on this machine alone. SIGTERM or Ctrl-C ends it in good order: what was
acknowledged is kept, whichever way it ends.`,
		Example: `  quern serve --config queues.yaml
  curl --data-binary @inputs.jsonl http://127.0.0.1:9080/v1/inputs
  curl http://127.0.0.1:9080/v1/decisions?follow=true`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if f.ephemeral && cmd.Flags().Changed("data") {
				return misused(cmd, errors.New("expected --data or --ephemeral, found both"))
			}
			return f.run(cmd.Context(), s)
		},
	}
	cmd.Flags().StringVar(&f.config, "config", "", "queue configuration (`FILE`.yaml or .toml)")
	cmd.Flags().StringVar(&f.data, "data", "quern-data", "keep the record in `DIR`")
	cmd.Flags().BoolVar(&f.ephemeral, "ephemeral", false, "keep the record in memory: all is lost at the end")
	cmd.Flags().StringVar(&f.http, "http", "127.0.0.1:9080", "the `ADDRESS` to serve HTTP on, of this machine alone")
	cmd.Flags().DurationVar(&f.retain, "retain", 0, "keep the record for so `LONG`, although recovery does not need it")
	_ = cmd.MarkFlagDirname("data")
	_ = cmd.MarkFlagFilename("config")
	return cmd
}

func (f *serveFlags) run(ctx context.Context, s streams) (err error) {
	log := slog.New(slog.NewTextHandler(s.err, nil))
	disk, err := f.disk(log)
	if err != nil {
		return err
	}
	record, found, err := store.Open(disk, store.Options{SegmentSize: f.segmentSize()})
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
	live, err := server.New(server.Options{Store: record, Found: found, Clock: server.SystemClock{}, Log: log, Retain: f.retain})
	if err != nil {
		return err
	}
	listener, err := listenLocally(ctx, f.http)
	if err != nil {
		return err
	}
	request, err := f.configuration(s.env(ctx), live)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	return serve(ctx, s, live, request, listener)
}

// ephemeralSegment is the size of a segment in memory, in bytes: one that is filled and one that is ready.
const ephemeralSegment = 4 << 20

// segmentSize is the size of a segment; 0 is the usual one.
func (f *serveFlags) segmentSize() int64 {
	if f.ephemeral {
		return ephemeralSegment
	}
	return 0
}

func (f *serveFlags) disk(log *slog.Logger) (store.Disk, error) {
	if f.ephemeral {
		log.Warn("the record is kept in memory alone: it ends with this process")
		return store.NewMemory(), nil
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
		return codeError{error: err, code: failed, hint: "What was acknowledged is not all there any more: restore the folder from a backup, or begin with an empty one"}
	}
	return err
}

// listenLocally listens on an address of this machine that others cannot reach.
func listenLocally(ctx context.Context, address string) (net.Listener, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, usage(fmt.Errorf("--http: expected an address such as 127.0.0.1:9080, found %q", address))
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return nil, usage(fmt.Errorf("--http: expected an address of this machine alone, such as 127.0.0.1:9080, found %q: whoever reaches it may do everything", address))
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	if err != nil {
		return nil, usage(fmt.Errorf("--http: %w; another address, or port 0 for any that is free, may do", err))
	}
	return listener, nil
}

// serve drives the loop and the HTTP server until the context ends.
func serve(ctx context.Context, s streams, live *server.Server, request *server.Request, listener net.Listener) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	looping := make(chan error, 1)
	go func() { looping <- live.Run(ctx); cancel() }()
	if request != nil {
		if err := live.Configure(ctx, request); err != nil {
			cancel()
			return errors.Join(err, <-looping, listener.Close())
		}
	}
	web := &http.Server{Handler: rest.New(live), ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10}
	serving := make(chan error, 1)
	go func() { serving <- web.Serve(listener) }()
	if _, err := fmt.Fprintf(s.out, "serving http=%s seq=%d\n", format.Line(listener.Addr().String()), live.View().NextDecision()-1); err != nil {
		cancel()
	}
	var err error
	select {
	case <-ctx.Done():
	case err = <-serving:
		cancel()
	}
	err = errors.Join(err, <-looping, shutdown(web))
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

// configuration reads the file that is to be put in force; nil: none is.
func (f *serveFlags) configuration(env stream.Env, live *server.Server) (*server.Request, error) {
	if f.config == "" {
		return nil, nil
	}
	in, err := stream.Config(f.config, env)
	if err != nil {
		return nil, err
	}
	return live.ConfigFile(in)
}
