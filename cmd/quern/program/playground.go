package program

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"

	"github.com/spf13/cobra"

	"github.com/quern-project/quern/cmd/quern/cli"
	"github.com/quern-project/quern/cmd/quern/replaycmd"
	"github.com/quern-project/quern/host/files/stream"
	"github.com/quern-project/quern/host/playground"
	"github.com/quern-project/quern/wasm/browser/site"
)

type playgroundFlags struct {
	cli.PageFlags
	replaycmd.WorkloadFlags
	dir string
}

func newPlayground(s cli.Streams) *cobra.Command {
	var f playgroundFlags
	cmd := &cobra.Command{
		Use:   "playground [flags] [JOURNAL...]",
		Short: "Serve the playground, and open it in the browser",
		Long: `Serve the playground, a page in which the scheduler runs, and open it in the browser: watch a cluster being scheduled,
ask why, try configurations and policy modules. The page needs no other server, and no data leaves the browser.

With a configuration, journals, or both, the page opens with them. Files may be compressed with gzip or zstd; - is standard input.

By default the playground listens on this machine only. Ctrl-C ends it.`,
		Example: `  quern playground
  quern playground --config queues.yaml monday.journal
  quern playground --listen :8080 --no-open`,
		RunE: func(cmd *cobra.Command, journals []string) error { return f.run(cmd.Context(), journals, s) },
	}
	f.PageFlags.Register(cmd.Flags(), "127.0.0.1:7467")
	cmd.Flags().StringVar(&f.dir, "dir", "", "serve the site in `DIR`, as make site builds it, instead of the built-in one")
	cmd.Flags().StringVar(&f.Config, "config", "", "the queue configuration to open with (`FILE`.yaml or .toml)")
	f.RegisterGrace(cmd.Flags())
	_ = cmd.MarkFlagDirname("dir")
	_ = cmd.MarkFlagFilename("config")
	return cmd
}

func (f *playgroundFlags) run(ctx context.Context, journals []string, s cli.Streams) error {
	handler, fragment, err := f.handler(ctx, journals, s)
	if err != nil {
		return err
	}
	return f.Serve(ctx, "The playground", fragment, handler, s)
}

// handler serves the site, and beside it what was given, with which the page opens by the fragment of its address.
func (f *playgroundFlags) handler(ctx context.Context, journals []string, s cli.Streams) (h http.Handler, fragment string, err error) {
	given, err := f.opening(journals, s, s.Env(ctx))
	if err != nil {
		return nil, "", err
	}
	if h, err = f.site(s); err != nil || given == nil {
		return h, "", err
	}
	return given.With(h), playground.Fragment, nil
}

// opening reads what the page is to open with; nil: nothing was given.
func (f *playgroundFlags) opening(journals []string, s cli.Streams, env stream.Env) (*playground.Given, error) {
	if len(journals) == 0 && f.Config == "" {
		_, err := f.Times("--until", "", &stream.Workload{}, s.Err) // bad flags are refused anyway
		return nil, err
	}
	if err := f.StdinOnce(journals); err != nil {
		return nil, err
	}
	workload, err := f.workload(journals, env)
	if err != nil {
		return nil, err
	}
	times, err := f.Times("--until", "", workload, s.Err)
	if err != nil {
		return nil, errors.Join(err, workload.Close())
	}
	given, err := playground.Give(workload, times)
	return given, errors.Join(err, workload.Close())
}

// workload is what is opened; without journals, the configuration alone.
func (f *playgroundFlags) workload(journals []string, env stream.Env) (*stream.Workload, error) {
	if len(journals) > 0 {
		return f.Open(journals, env)
	}
	config, err := stream.Config(f.Config, env)
	if err != nil {
		return nil, err
	}
	return playground.Configured(config), nil
}

// site serves the site in the folder, or the one that is part of the program, and says what that one lacks.
func (f *playgroundFlags) site(s cli.Streams) (http.Handler, error) {
	if f.dir == "" {
		if !playground.Whole(site.Files()) {
			_, _ = fmt.Fprintln(s.Err, "This program was compiled without the modules that the playground runs. In a clone of the sources, make build compiles one with them, into build/quern.")
		}
		return playground.Built(site.Files(), "", playground.ContentPolicy)
	}
	files := os.DirFS(f.dir)
	if _, err := fs.Stat(files, "index.html"); err != nil {
		return nil, cli.Usage(fmt.Errorf("--dir %s: expected the folder of a site, found none with an index.html: %w", f.dir, err))
	}
	return playground.Handler(files)
}
