package program

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/quern-project/quern/core/journal"
	"github.com/quern-project/quern/host/files/stream"
	"github.com/quern-project/quern/host/replay"
)

// workloadFlags say what is run: journals, or a public trace.
type workloadFlags struct {
	config                   string
	grace                    string
	given                    func(flag string) bool // whether it was set; nil: none was
	policies                 policyFlags
	trace, nodes, pods, maps string
	speed                    string
	configAlone              bool // a configuration will do, without any inputs
}

// The speeds of a trace.
const (
	speedRecorded = "recorded"
	speedFill     = "fill"
)

func (f *workloadFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.config, "config", "", "the queue configuration to begin with (`FILE`.yaml or .toml)")
	f.registerGrace(flags)
	f.policies.register(cmd)
	flags.StringVar(&f.trace, "trace", "", "read a public trace instead of journals: the `TRACE` openb")
	flags.StringVar(&f.nodes, "nodes", "", "the nodes of the trace (`FILE`.csv)")
	flags.StringVar(&f.pods, "pods", "", "the pods of the trace (`FILE`.csv)")
	flags.StringVar(&f.maps, "map", "", "queue and priority for each class of the trace (`FILE`.toml)")
	flags.StringVar(&f.speed, "speed", speedRecorded, "the times of the trace (`SPEED`): recorded, or fill to submit everything at once")
	for _, name := range []string{"config", "map", "nodes", "pods"} {
		_ = cmd.MarkFlagFilename(name)
	}
	_ = cmd.RegisterFlagCompletionFunc("trace", cobra.FixedCompletions([]string{"openb"}, cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.RegisterFlagCompletionFunc("speed", cobra.FixedCompletions([]string{speedRecorded, speedFill}, cobra.ShellCompDirectiveNoFileComp))
}

func (f *workloadFlags) registerGrace(flags *pflag.FlagSet) {
	f.given = flags.Changed
	flags.StringVar(&f.grace, "grace", "0s", "the `DURATION` that a victim takes to leave, instead of the journal's")
}

// check refuses what does not go together.
func (f *workloadFlags) check(journals []string) error {
	switch {
	case f.policies.check() != nil:
		return f.policies.check()
	case f.trace == "" && (f.nodes != "" || f.pods != "" || f.maps != ""):
		return usage(errors.New("--nodes, --pods and --map belong to a trace: expected --trace openb beside them"))
	case f.trace == "" && len(journals) == 0 && !f.configAlone:
		return usage(errors.New("expected a journal, - for standard input, or --trace; found none"))
	case f.trace == "" && len(journals) == 0 && f.config == "":
		return usage(errors.New("expected a journal, - for standard input, --trace or --config; found none"))
	case f.trace != "" && f.trace != "openb":
		return usage(fmt.Errorf("--trace: expected openb, found %q", f.trace))
	case f.trace != "" && len(journals) > 0:
		return usage(errors.New("expected either journals or --trace, found both"))
	case f.trace != "" && (f.nodes == "" || f.pods == ""):
		return usage(errors.New("--trace: expected --nodes and --pods with it"))
	case f.speed != speedRecorded && f.speed != speedFill:
		return usage(fmt.Errorf("--speed: expected %s or %s, found %q", speedRecorded, speedFill, f.speed))
	}
	return f.stdinOnce(journals)
}

// stdinOnce refuses to read standard input for two things.
func (f *workloadFlags) stdinOnce(journals []string) error {
	n := 0
	for _, name := range append(slices.Clone(journals), f.config, f.nodes, f.pods, f.maps) {
		if name == stream.Stdin {
			n++
		}
	}
	if n > 1 {
		return usage(errors.New("expected - once, found it several times"))
	}
	return nil
}

// files are what open will read.
func (f *workloadFlags) files(journals []string) []string {
	if f.trace != "" {
		return []string{f.nodes, f.pods}
	}
	return journals
}

// open opens the workload. The configuration of the command line comes before that of a trace.
func (f *workloadFlags) open(journals []string, env stream.Env) (*stream.Workload, error) {
	w, err := f.source(journals, env)
	if err != nil || f.config == "" {
		return w, err
	}
	config, err := stream.Config(f.config, env)
	if err != nil {
		_ = w.Close()
		return nil, err
	}
	w.Config = config
	return w, nil
}

func (f *workloadFlags) source(journals []string, env stream.Env) (*stream.Workload, error) {
	switch {
	case f.trace == "" && len(journals) == 0: // as check allows
		return &stream.Workload{Source: journal.Merge()}, nil
	case f.trace == "":
		return stream.Journals(journals, env)
	}
	return stream.Openb(stream.Trace{Nodes: f.nodes, Pods: f.pods, Map: f.maps, Fill: f.speed == speedFill}, env)
}

// times settles the time of a run of a workload, with what a flag says of its end; notes go to w.
func (f *workloadFlags) times(flag, until string, workload *stream.Workload, w io.Writer) (replay.Times, error) {
	clock := replay.Clock{Grace: f.grace, HasGrace: f.given != nil && f.given("grace"), Until: until, UntilFlag: flag}
	times, err := clock.Settle(workload.Form, workload.Start, workload.Headers, w)
	if err != nil {
		return times, usage(err)
	}
	return times, nil
}
