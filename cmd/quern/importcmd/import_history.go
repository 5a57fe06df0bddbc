package importcmd

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"github.com/quern-project/quern/cmd/quern/cli"
	"github.com/quern-project/quern/host/importing/history"
)

func newImportHistory(s cli.Streams) *cobra.Command {
	var f importFlags
	cmd := &cobra.Command{
		Use:   "history [flags] PART...",
		Short: "Make a workload of a recorded history, in which another scheduler chose the placements",
		Long: `Make a workload of the history of a cluster, which quern-kube record writes. In the history, pods run where the cluster's scheduler put
them; in the workload, they are asks that last as long as the pods ran, and the replay chooses. Several parts are given in the order of
their times. The queue configuration is that of the history. A part whose last line is cut off needs --skip-bad 1. - is standard input.`,
		Example: `  quern import history -o workload.journal history-*.journal
  quern replay --compare queues.yaml workload.journal`,
		Args: cli.SomeArguments,
		RunE: func(cmd *cobra.Command, parts []string) error { return f.runHistory(cmd.Context(), parts, s) },
	}
	f.register(cmd, timesDates)
	return cmd
}

func (f *importFlags) runHistory(ctx context.Context, parts []string, s cli.Streams) error {
	return f.run(ctx, s, parts, func(r *importRun) error {
		reader := history.NewReader(r.sink)
		for _, name := range parts {
			if err := r.read(name, func(in io.Reader, file string) error { return reader.Read(in, file) }); err != nil {
				return err
			}
		}
		return reader.Give()
	})
}
