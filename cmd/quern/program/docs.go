package program

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	documents "github.com/quern-project/quern"
	"github.com/quern-project/quern/cmd/quern/cli"
	"github.com/quern-project/quern/host/docsite"
	"github.com/quern-project/quern/host/format"
)

type docsFlags struct {
	cli.PageFlags
	site string
}

func newDocs(s cli.Streams) *cobra.Command {
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
	f.Register(cmd.Flags(), "127.0.0.1:7468")
	cmd.Flags().StringVar(&f.site, "site", "", "write the site to the folder `DIR` instead of serving it")
	_ = cmd.MarkFlagDirname("site")
	return cmd
}

func (f *docsFlags) run(ctx context.Context, s cli.Streams) error {
	site, err := docsite.Build(documents.Files)
	if err != nil {
		return err
	}
	if f.site != "" {
		if err := site.Save(f.site); err != nil {
			return cli.Usage(fmt.Errorf("--site: %w", err))
		}
		_, err := fmt.Fprintf(s.Out, "%s: %d pages; open %s\n", format.Line(f.site), site.Pages, format.Line(filepath.Join(f.site, "index.html")))
		return err
	}
	return f.Serve(ctx, "The documentation", "", site, s)
}
