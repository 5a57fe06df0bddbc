package importcmd

import (
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/quern-project/quern/cmd/quern/cli"
	"github.com/quern-project/quern/host/files/stream"
	"github.com/quern-project/quern/host/importing/csvfile"
)

type importCSVFlags struct {
	importFlags
	maps, nodes string
}

func newImportCSV(s cli.Streams) *cobra.Command {
	var f importCSVFlags
	cmd := &cobra.Command{
		Use:   "csv [flags] JOBS...",
		Short: "Import lists of jobs and nodes, as CSV with a mapping of their columns",
		Long: `Import a list of jobs, and a list of nodes, as CSV. A mapping in TOML gives the meaning of each column, with units, constants,
defaults and the format of times. Lists may be compressed with gzip or zstd; - is standard input. Rows may be in any order.`,
		Example: `  quern import csv --map sacct.toml --nodes sinfo.csv -o week.journal sacct.csv
  sacct -X --parsable2 --allusers | quern import csv --map sacct.toml - > today.journal`,
		RunE: func(cmd *cobra.Command, jobs []string) error { return f.runCSV(cmd.Context(), jobs, s) },
	}
	f.register(cmd, timesDurations)
	flags := cmd.Flags()
	flags.StringVar(&f.maps, "map", "", "the mapping of the columns (`FILE`.toml)")
	flags.StringVar(&f.nodes, "nodes", "", "the list of nodes (`FILE`.csv)")
	for _, name := range []string{"map", "nodes"} {
		_ = cmd.MarkFlagFilename(name)
	}
	return cmd
}

func (f *importCSVFlags) runCSV(ctx context.Context, jobs []string, s cli.Streams) error {
	switch {
	case f.maps == "":
		return cli.Usage(errors.New("--map: expected the mapping of the columns, found none"))
	case len(jobs) == 0 && f.nodes == "":
		return cli.Usage(errors.New("expected a list of jobs, - for standard input, or --nodes; found none"))
	}
	names := append(given(f.nodes), jobs...)
	return f.run(ctx, s, append(given(f.maps), names...), func(r *importRun) error {
		text, err := stream.Text(f.maps, r.env)
		if err != nil {
			return err
		}
		mapping, err := csvfile.ReadMapping(cli.Shown(f.maps), text)
		if err != nil {
			return cli.Usage(err)
		}
		r.idle = true
		if err := mapping.GiveMachines(r.sink); err != nil {
			return err
		}
		if f.nodes != "" {
			if err := r.read(f.nodes, func(in io.Reader, file string) error { return mapping.ReadNodes(in, file, r.sink) }); err != nil {
				return err
			}
		}
		for _, name := range jobs {
			if err := r.read(name, func(in io.Reader, file string) error { return mapping.ReadJobs(in, file, r.sink) }); err != nil {
				return err
			}
		}
		return nil
	})
}
