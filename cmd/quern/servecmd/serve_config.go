package servecmd

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/quern-project/quern/cmd/quern/cli"
	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/host/files/filewatch"
	"github.com/quern-project/quern/host/files/stream"
	"github.com/quern-project/quern/host/observe/logging"
	"github.com/quern-project/quern/host/server"
)

// configFlags say where the queue configuration comes from.
type configFlags struct {
	file  string
	watch bool
}

func (f *configFlags) register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.file, "config", "", "the queue configuration (`FILE`.yaml or .toml)")
	cmd.Flags().BoolVar(&f.watch, "watch", true, "apply the queue configuration whenever its file changes")
	_ = cmd.MarkFlagFilename("config")
}

// wire has the file put in force at the start, and again when it changes.
func (f *configFlags) wire(v *service, env stream.Env) error {
	if f.file == "" {
		return nil
	}
	in, err := stream.Config(f.file, env)
	if err != nil {
		return err
	}
	log := v.seen.logs.For(logging.Config)
	warnAbout(log, v.live.ConfigWarnings(in))
	if v.configuration, err = v.live.ConfigFile(in); err != nil || !f.watch || f.file == "-" {
		return err
	}
	watcher, err := filewatch.New(f.file)
	if err != nil {
		return cli.Usage(err)
	}
	ctx, cancel := context.WithCancel(env.Context)
	v.live.WatchConfig(server.ConfigOrigin{File: f.file, Source: sourceOf(f.file)})
	c := &configReload{file: f.file, env: env, live: v.live, log: log}
	v.beside(task{
		serve: func() error { c.run(ctx, watcher.Changes()); return nil },
		stop:  func() error { cancel(); return watcher.Close() },
	})
	return nil
}

// sourceOf is the source of a configuration file: Kubernetes mounts a ConfigMap as links that lead through one of this name.
func sourceOf(file string) string {
	if _, err := os.Lstat(filepath.Join(filepath.Dir(file), "..data")); err == nil {
		return server.FromConfigMap
	}
	return server.FromFile
}

// warnAbout logs the warnings about a configuration, grouped by kind.
func warnAbout(log *slog.Logger, warnings []config.Warning) {
	var all config.Grouping
	for _, w := range warnings {
		all.Add(w.String())
	}
	for _, text := range all.Lines() {
		log.Warn("the configuration has a warning", "warning", text)
	}
}

// configReload applies a file again when it changes.
type configReload struct {
	file string
	env  stream.Env
	live *server.Server
	log  *slog.Logger

	trouble logging.Trouble // with the file
}

// retryPause is how long it takes until a file is applied again that the scheduler could not take at the moment.
const retryPause = 5 * time.Second

// run applies the file until the context ends, the first time at once: it may have changed since it was read.
func (c *configReload) run(ctx context.Context, changes <-chan struct{}) {
	again := time.NewTimer(0)
	defer again.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-changes:
		case <-again.C:
		}
		if !c.apply(ctx) {
			again.Reset(retryPause)
		}
	}
}

// apply applies the file. It reports false where that is to be tried again although the file stays the same.
func (c *configReload) apply(ctx context.Context) (done bool) {
	in, err := stream.Config(c.file, c.env)
	unread, applied := err != nil, false
	if err == nil {
		applied, err = c.live.ReloadFile(ctx, in)
	}
	if ctx.Err() != nil {
		return true
	}
	c.live.FaultConfig(err)
	if err != nil {
		var wrong *server.ConfigError
		if c.trouble.Report(c.log, err, "the configuration is unchanged", "", "file", c.file) && in != nil {
			warnAbout(c.log, c.live.ConfigWarnings(in))
		}
		return unread || errors.As(err, &wrong)
	}
	switch mended := c.trouble.End(); {
	case applied:
		warnAbout(c.log, c.live.ConfigWarnings(in))
		c.log.Info("the configuration has been applied", "file", c.file)
	case mended:
		c.log.Info("the configuration is valid again: it is the one in force", "file", c.file)
	}
	return true
}
