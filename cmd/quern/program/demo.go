package program

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/quern-project/quern/cmd/quern/cli"
	"github.com/quern-project/quern/cmd/quern/policycmd"
	"github.com/quern-project/quern/cmd/quern/replaycmd"
	"github.com/quern-project/quern/host/files/safefile"
	"github.com/quern-project/quern/host/format"
	"github.com/quern-project/quern/host/workload"
	"github.com/quern-project/quern/plugins"
)

type demoFlags struct {
	dir  string
	seed uint64
}

func newDemo(s cli.Streams) *cobra.Command {
	var f demoFlags
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Replay a day of a shared cluster, and write its journal and report",
		Long: `Write the journal of one day of a cluster that five teams share, with services, batch work, gangs and GPUs, users who reach their
limits, a new configuration at noon that halves a quota, and a node that fails. Replay the journal, and print a summary. Then replay it
with a policy module instead of the default node order, and print what would have changed. All files are written to a folder.`,
		Args: cli.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd.Context(), s) },
	}
	cmd.Flags().StringVar(&f.dir, "dir", "quern-demo", "the folder (`DIR`) for the journal, the decisions and the report")
	cmd.Flags().Uint64Var(&f.seed, "seed", 1, "the `SEED` that the day is generated from")
	return cmd
}

func (f *demoFlags) run(ctx context.Context, s cli.Streams) error {
	if err := cli.MakeFolder("--dir", f.dir); err != nil {
		return err
	}
	name := filepath.Join(f.dir, "demo.journal")
	if err := f.write(name); err != nil {
		return err
	}
	again := replaycmd.ReplayFlags{WorkloadFlags: replaycmd.WorkloadFlags{Grace: "0s", Speed: replaycmd.SpeedRecorded}}
	again.Out, again.Report = filepath.Join(f.dir, "decisions.jsonl"), filepath.Join(f.dir, "report.html")
	if err := again.Run(ctx, []string{name}, s); err != nil {
		return err
	}
	if err := f.print(s, "\n  The report is %s, the journal %s, the decisions %s.\n\n", again.Report, name, again.Out); err != nil {
		return err
	}
	return f.try(ctx, name, s)
}

// demoModule is the policy that is tried on the journal.
const demoModule = "binpack-tetris"

// try leaves a policy module in the folder, and shows what it would have changed.
func (f *demoFlags) try(ctx context.Context, journal string, s cli.Streams) error {
	dir := filepath.Join(f.dir, "policies")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, ending := range []string{".wasm", ".toml"} {
		data, err := plugins.Shipped.ReadFile(demoModule + "/" + demoModule + ending)
		if err != nil {
			return err
		}
		if err := safefile.Replace("--dir", filepath.Join(dir, demoModule+ending), data); err != nil {
			return err
		}
	}
	t := policycmd.TryFlags{WorkloadFlags: replaycmd.WorkloadFlags{Grace: "0s", Speed: replaycmd.SpeedRecorded}, File: filepath.Join(dir, demoModule+".wasm")}
	t.Report = filepath.Join(f.dir, "tryout.html")
	if err := t.Run(ctx, []string{journal}, s); err != nil {
		return err
	}
	return f.print(s, "\n  The policy is %s, the comparison %s. Run a journal under it with --policies %s.\n", t.File, t.Report, dir)
}

// print prints a text with the names of files filled in, made safe to print.
func (f *demoFlags) print(s cli.Streams, layout string, names ...string) error {
	shown := make([]any, len(names))
	for i, name := range names {
		shown[i] = format.Line(name)
	}
	_, err := fmt.Fprintf(s.Out, layout, shown...)
	return err
}

func (f *demoFlags) write(name string) error {
	files := safefile.NewTransaction(io.Discard)
	defer files.Discard()
	file, err := files.Create("--dir", name)
	if err != nil {
		return err
	}
	if err := workload.Demo(file.Writer(), f.seed); err != nil {
		return err
	}
	return files.Commit()
}
