package replaycmd

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/quern-project/quern/cmd/quern/cli"
	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/journal"
	"github.com/quern-project/quern/host/files/stream"
	"github.com/quern-project/quern/host/replay"
)

// WorkloadFlags are the flags that choose the workload: journals, or a public trace.
type WorkloadFlags struct {
	Config                   string
	Grace                    string
	given                    func(flag string) bool // whether it was set; nil: none was
	Policies                 cli.PolicyFlags
	Trace, nodes, pods, maps string
	Speed                    string
	configAlone              bool // a configuration will do, without any inputs
}

// The speeds of a trace.
const (
	SpeedRecorded = "recorded"
	speedFill     = "fill"
)

func (f *WorkloadFlags) Register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.Config, "config", "", "the queue configuration to begin with (`FILE`.yaml or .toml)")
	f.RegisterGrace(flags)
	f.Policies.Register(cmd)
	flags.StringVar(&f.Trace, "trace", "", "read a public trace instead of journals: the `TRACE` openb")
	flags.StringVar(&f.nodes, "nodes", "", "the nodes of the trace (`FILE`.csv)")
	flags.StringVar(&f.pods, "pods", "", "the pods of the trace (`FILE`.csv)")
	flags.StringVar(&f.maps, "map", "", "queue and priority for each class of the trace (`FILE`.toml)")
	flags.StringVar(&f.Speed, "speed", SpeedRecorded, "the times of the trace (`SPEED`): recorded, or fill to submit everything at once")
	for _, name := range []string{"config", "map", "nodes", "pods"} {
		_ = cmd.MarkFlagFilename(name)
	}
	_ = cmd.RegisterFlagCompletionFunc("trace", cobra.FixedCompletions([]string{"openb"}, cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.RegisterFlagCompletionFunc("speed", cobra.FixedCompletions([]string{SpeedRecorded, speedFill}, cobra.ShellCompDirectiveNoFileComp))
}

func (f *WorkloadFlags) RegisterGrace(flags *pflag.FlagSet) {
	f.given = flags.Changed
	flags.StringVar(&f.Grace, "grace", "0s", "the `DURATION` that a victim takes to leave, instead of the journal's")
}

// Check refuses what does not go together.
func (f *WorkloadFlags) Check(journals []string) error {
	switch {
	case f.Policies.Check() != nil:
		return f.Policies.Check()
	case f.Trace == "" && (f.nodes != "" || f.pods != "" || f.maps != ""):
		return cli.Usage(errors.New("--nodes, --pods and --map belong to a trace: expected --trace openb beside them"))
	case f.Trace == "" && len(journals) == 0 && !f.configAlone:
		return cli.Usage(errors.New("expected a journal, - for standard input, or --trace; found none"))
	case f.Trace == "" && len(journals) == 0 && f.Config == "":
		return cli.Usage(errors.New("expected a journal, - for standard input, --trace or --config; found none"))
	case f.Trace != "" && f.Trace != "openb":
		return cli.Usage(fmt.Errorf("--trace: expected openb, found %q", f.Trace))
	case f.Trace != "" && len(journals) > 0:
		return cli.Usage(errors.New("expected either journals or --trace, found both"))
	case f.Trace != "" && (f.nodes == "" || f.pods == ""):
		return cli.Usage(errors.New("--trace: expected --nodes and --pods with it"))
	case f.Speed != SpeedRecorded && f.Speed != speedFill:
		return cli.Usage(fmt.Errorf("--speed: expected %s or %s, found %q", SpeedRecorded, speedFill, f.Speed))
	}
	return f.StdinOnce(journals)
}

// StdinOnce refuses to read standard input for two things.
func (f *WorkloadFlags) StdinOnce(journals []string) error {
	n := 0
	for _, name := range append(slices.Clone(journals), f.Config, f.nodes, f.pods, f.maps) {
		if name == stream.Stdin {
			n++
		}
	}
	if n > 1 {
		return cli.Usage(errors.New("expected - once, found it several times"))
	}
	return nil
}

// files are what open will read.
func (f *WorkloadFlags) files(journals []string) []string {
	if f.Trace != "" {
		return []string{f.nodes, f.pods}
	}
	return journals
}

// Open opens the workload. The configuration of the command line comes before that of a trace.
func (f *WorkloadFlags) Open(journals []string, env stream.Env) (*stream.Workload, error) {
	if f.Config == "" {
		return f.source(journals, env)
	}
	set, bad := stream.Config(f.Config, env)
	if bad == nil {
		env.DeviceTypes = config.DeviceTypesIn([]byte(set.Config), config.Format(set.Format))
	}
	w, err := f.source(journals, env)
	if err != nil {
		return w, err
	}
	if bad != nil {
		_ = w.Close()
		return nil, bad
	}
	w.Config = set
	return w, nil
}

func (f *WorkloadFlags) source(journals []string, env stream.Env) (*stream.Workload, error) {
	switch {
	case f.Trace == "" && len(journals) == 0: // as check allows
		return &stream.Workload{Source: journal.Merge()}, nil
	case f.Trace == "":
		return stream.Journals(journals, env)
	}
	return stream.Openb(stream.Trace{Nodes: f.nodes, Pods: f.pods, Map: f.maps, Fill: f.Speed == speedFill}, env)
}

// Times settles the time of a run of a workload, with what a flag says of its end; notes go to w.
func (f *WorkloadFlags) Times(flag, until string, workload *stream.Workload, w io.Writer) (replay.Times, error) {
	clock := replay.Clock{Grace: f.Grace, HasGrace: f.given != nil && f.given("grace"), Until: until, UntilFlag: flag}
	times, err := clock.Settle(workload.Form, workload.Start, workload.Headers, w)
	if err != nil {
		return times, cli.Usage(err)
	}
	return times, nil
}
