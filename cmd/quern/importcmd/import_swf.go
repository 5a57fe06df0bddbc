package importcmd

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/quern-project/quern/cmd/quern/cli"
	"github.com/quern-project/quern/host/importing/swf"
)

type importSWFFlags struct {
	importFlags
	swf    swf.Options
	memory string
}

func newImportSWF(s cli.Streams) *cobra.Command {
	var f importSWFFlags
	cmd := &cobra.Command{
		Use:   "swf [flags] LOG",
		Short: "Import a log in the Standard Workload Format",
		Long: `Import a log of a parallel machine in the Standard Workload Format. Its header, or flags, give the number of nodes and processors.
A job that needs more than one node becomes an atomic gang of asks for whole nodes; with --job-as, of single processors, or one ask. The log may be compressed with gzip or zstd; - is standard input.`,
		Example: `  quern import swf -o log.journal log.swf.gz
  quern import swf --job-as processors -o log.journal log.swf
  quern import swf --queue-by group --node-memory 256Gi -o log.journal log.swf`,
		Args: cli.ExactArguments(1),
		RunE: func(cmd *cobra.Command, logs []string) error { return f.runSWF(cmd.Context(), logs[0], s) },
	}
	f.register(cmd, timesDurations)
	flags := cmd.Flags()
	flags.IntVar(&f.swf.NodeCount, "node-count", 0, "the number of nodes (`N`), instead of the header's")
	flags.IntVar(&f.swf.NodeProcessors, "node-processors", 0, "the number of processors of each node (`N`), instead of the header's")
	flags.StringVar(&f.memory, "node-memory", "", "the memory of each node (`QUANTITY`); without it, memory is left out")
	flags.StringVar(&f.swf.QueueBy, "queue-by", swf.ByQueue, "the `FIELD` that queues are made from: queue, partition, user, group or none")
	flags.StringVar(&f.swf.JobAs, "job-as", swf.AsNodes, "the `FORM` of jobs of several processors: nodes (an ask per node), processors (an ask per processor) or ask (a single one). Several asks are an atomic gang")
	flags.StringVar(&f.swf.Failed, "failed", swf.KeepJobs, "`WHAT` becomes of jobs that failed, or were cancelled while they ran: keep (they run as long as they did) or leave-out")
	flags.StringVar(&f.swf.Cancelled, "cancelled", swf.LeaveOut, "`WHAT` becomes of jobs that were cancelled before they ran: leave-out or withdraw (they wait as long as they did)")
	for flag, texts := range map[string][]string{
		"queue-by": swf.QueueBys(), "job-as": swf.JobForms(), "failed": swf.FailedJobs(), "cancelled": swf.CancelledJobs(),
	} {
		_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(texts, cobra.ShellCompDirectiveNoFileComp))
	}
	return cmd
}

// mostNodes bounds what flags say of nodes.
const mostNodes = 1_000_000

func (f *importSWFFlags) runSWF(ctx context.Context, log string, s cli.Streams) error {
	for _, n := range []struct {
		flag  string
		value int
	}{{"--node-count", f.swf.NodeCount}, {"--node-processors", f.swf.NodeProcessors}} {
		if n.value < 0 || n.value > mostNodes {
			return cli.Usage(fmt.Errorf("%s: expected a number from 1 to %d, found %d", n.flag, mostNodes, n.value))
		}
	}
	for _, t := range []struct {
		flag, text string
		texts      []string
	}{
		{"--queue-by", f.swf.QueueBy, swf.QueueBys()}, {"--job-as", f.swf.JobAs, swf.JobForms()},
		{"--failed", f.swf.Failed, swf.FailedJobs()}, {"--cancelled", f.swf.Cancelled, swf.CancelledJobs()},
	} {
		if !slices.Contains(t.texts, t.text) {
			return cli.Usage(fmt.Errorf("%s: expected one of %s, found %q", t.flag, strings.Join(t.texts, ", "), t.text))
		}
	}
	if f.memory != "" {
		memory, err := swf.ParseMemory(f.memory)
		if err != nil {
			return cli.Usage(fmt.Errorf("--node-memory: %w", err))
		}
		f.swf.NodeMemory = memory
	}
	f.swf.Dates = f.times == timesDates
	return f.run(ctx, s, []string{log}, func(r *importRun) error {
		r.idle = true
		return r.read(log, func(in io.Reader, file string) error { return swf.Read(in, file, r.sink, f.swf) })
	})
}
