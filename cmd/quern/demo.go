package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/quern-project/quern/host/workload"
)

type demoFlags struct {
	dir  string
	seed uint64
}

func newDemo(s streams) *cobra.Command {
	var f demoFlags
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Replay a day of a shared cluster, and leave a journal and a report of it",
		Long: `Write the journal of a day of a cluster that four teams share, with services, batch work and GPUs, a new configuration at
noon and a node that fails; replay it, and print what came of it. Everything is left in a folder.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd.Context(), s) },
	}
	cmd.Flags().StringVar(&f.dir, "dir", "quern-demo", "the folder (`DIR`) for journal, decisions and report")
	cmd.Flags().Uint64Var(&f.seed, "seed", 1, "another `SEED` is another day")
	return cmd
}

func (f *demoFlags) run(ctx context.Context, s streams) error {
	if err := os.MkdirAll(f.dir, 0o755); err != nil {
		return err
	}
	name := filepath.Join(f.dir, "demo.journal")
	if err := f.write(name); err != nil {
		return err
	}
	again := replayFlags{workloadFlags: workloadFlags{grace: "0s", speed: speedRecorded}}
	again.out, again.report = filepath.Join(f.dir, "decisions.jsonl"), filepath.Join(f.dir, "report.html")
	if err := again.run(ctx, []string{name}, s); err != nil {
		return err
	}
	_, err := fmt.Fprintf(s.out, "\n  The report is %s, the journal %s, the decisions %s.\n", again.report, name, again.out)
	return err
}

func (f *demoFlags) write(name string) error {
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	return errors.Join(workload.Demo(file, f.seed), file.Close())
}
