package program

import (
	"context"
	"errors"
	"fmt"
	"net"
	"path/filepath"

	"github.com/spf13/cobra"

	documents "github.com/quern-project/quern"
	"github.com/quern-project/quern/host/docsite"
	"github.com/quern-project/quern/host/format"
	"github.com/quern-project/quern/host/playground"
)

type docsFlags struct {
	listen, site string
	quiet        bool
}

func newDocs(s streams) *cobra.Command {
	var f docsFlags
	cmd := &cobra.Command{
		Use:   "docs [flags]",
		Short: "Serve the documentation, and open it in the browser",
		Long: `Serve the documentation of this version, with search, and open it in the browser. The pages are part of the program.

By default the pages are served on this machine only. Ctrl-C ends it.`,
		Example: `  quern docs
  quern docs --listen :8080 --no-open
  quern docs --site manual`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd.Context(), s) },
	}
	cmd.Flags().StringVar(&f.listen, "listen", "127.0.0.1:7468", "the `ADDRESS` to listen on; port 0 is any free port")
	cmd.Flags().BoolVar(&f.quiet, "no-open", false, "do not open a browser")
	cmd.Flags().StringVar(&f.site, "site", "", "write the site to the folder `DIR` instead of serving it")
	_ = cmd.MarkFlagDirname("site")
	return cmd
}

func (f *docsFlags) run(ctx context.Context, s streams) error {
	site, err := docsite.Build(documents.Files)
	if err != nil {
		return err
	}
	if f.site != "" {
		if err := site.Save(f.site); err != nil {
			return usage(fmt.Errorf("--site: %w", err))
		}
		_, err := fmt.Fprintf(s.out, "%s: %d pages; open %s\n", format.Line(f.site), site.Pages, format.Line(filepath.Join(f.site, "index.html")))
		return err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", f.listen)
	if err != nil {
		return usage(fmt.Errorf("--listen: %w; try another address, or port 0 for any free port", err))
	}
	address := addressOf(listener)
	if _, err := fmt.Fprintf(s.out, "The documentation is at %s (Ctrl-C ends it)\n", format.Line(address)); err != nil {
		return errors.Join(err, listener.Close())
	}
	if !f.quiet {
		if err := playground.Open(address); err != nil {
			_, _ = fmt.Fprintf(s.err, "%v\n", err) // the address is there to be opened by hand
		}
	}
	return playground.Serve(ctx, listener, site)
}
