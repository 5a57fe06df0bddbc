package replaycmd

import (
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/quern-project/quern/cmd/quern/cli"
	"github.com/quern-project/quern/core/journal"
	"github.com/quern-project/quern/host/files/safefile"
	"github.com/quern-project/quern/host/files/stream"
	"github.com/quern-project/quern/host/replay"
	"github.com/quern-project/quern/host/report/html"
	"github.com/quern-project/quern/host/report/summary"
	"github.com/quern-project/quern/host/report/threshold"
)

type ReplayFlags struct {
	WorkloadFlags
	until, Out, Report string
	record, modules    string
	json               bool
	compare, try       []string // configurations and policies to compare with
	curves             bool     // the run is drawn beside another
	since              string
	playground         string        // the address of a hosted one
	records            []html.Record // of since
	failIf             []string
	conditions         []*threshold.Condition // of failIf
}

func NewReplay(s cli.Streams) *cobra.Command {
	var f ReplayFlags
	cmd := &cobra.Command{
		Use:   "replay [flags] JOURNAL...",
		Short: "Run journals through the scheduler and print a summary",
		Long: `Run journals, or a public trace, through the scheduler as fast as it can, and print a summary.

Several journals are merged by time. Files may be compressed with gzip or zstd; - is standard input. If --out or
--report is -, standard output has only that, and the summary goes to standard error.

A line that cannot be used ends the run with exit code 2; everything before it counts. Ctrl-C ends the run with exit code 1
and the results so far, marked as interrupted. The files of --out, --report and --record are replaced when the run has
ended, and are unchanged if it fails. Each needs a file of its own that is no input.`,
		Example: `  quern replay --config queues.yaml --report report.html monday.journal
  zcat week.journal.gz | quern replay --json -
  quern replay --compare tomorrow.toml monday.journal
  quern replay --fail-if 'wait.p99 > 5m' --fail-if 'rejected > 0' monday.journal
  quern replay --trace openb --nodes nodes.csv --pods pods.csv --speed fill`,
		RunE: func(cmd *cobra.Command, journals []string) error {
			if err := f.readThresholds(cmd.Flags()); err != nil {
				return err
			}
			return f.Run(cmd.Context(), journals, s)
		},
	}
	f.Register(cmd)
	flags := cmd.Flags()
	flags.StringVar(&f.until, "until", "", "end at a `TIME`: a duration, an RFC 3339 time, idle (nothing is left to do) or last (the last input; default: the end that the journal sets, else last)")
	flags.StringVar(&f.Out, "out", "", "write the decisions, as JSON Lines, to `FILE`")
	flags.StringVar(&f.record, "record", "", "write the journal of the run to `FILE`, with its modules, its configuration and the answers of processes")
	flags.StringVar(&f.modules, "record-modules", "", "with --record: copy the policy modules of the run into `DIR`, as --policies for a replay of the journal")
	flags.BoolVar(&f.json, "json", false, "print the summary as one JSON object")
	flags.StringVar(&f.Report, "report", "", "write a report to `FILE.html`")
	flags.StringArrayVar(&f.compare, "compare", nil, "run again with the configuration `FILE` in place of all others, and print the results side by side; repeatable")
	flags.StringArrayVar(&f.try, "compare-policy", nil, "run again with the policy in `FILE` in place of those that decide at its points, and print the results side by side; repeatable")
	flags.StringVar(&f.since, "since", "", "show what changed since an earlier report, or an earlier summary of --json, in `FILE`")
	flags.StringVar(&f.playground, "playground", "", "with --report: the `ADDRESS` of a hosted playground, to which the report links")
	f.registerThresholds(flags)
	for _, name := range []string{"out", "report", "compare", "compare-policy", "record", "since"} {
		_ = cmd.MarkFlagFilename(name)
	}
	_ = cmd.MarkFlagDirname("record-modules")
	return cmd
}

func (f *ReplayFlags) Run(ctx context.Context, journals []string, s cli.Streams) error {
	if err := f.Check(journals); err != nil {
		return err
	}
	if err := errors.Join(f.checkModules(), f.checkPlayground()); err != nil {
		return err
	}
	if f.toStdout() > 1 {
		return cli.Usage(errors.New("--out, --report and --record: expected - for one of them, found it for more"))
	}
	files := safefile.NewTransaction(s.Data())
	defer files.Discard()
	env := s.Env(ctx)
	env.Opened = files.Reads
	if err := f.readSince(files); err != nil {
		return err
	}
	if len(f.compare)+len(f.try) == 0 {
		return f.single(ctx, journals, s, env, files)
	}
	return f.several(ctx, journals, s, env, files)
}

// toStdout counts what goes to standard output beside the summary.
func (f *ReplayFlags) toStdout() int {
	n := 0
	for _, name := range []string{f.Out, f.Report, f.record} {
		if name == safefile.Stdout {
			n++
		}
	}
	return n
}

// beside is where the summary goes: standard error where standard output has something else.
func (f *ReplayFlags) beside(s cli.Streams) cli.Streams {
	if f.toStdout() > 0 {
		s.Out = cli.Below(s.Err)
	}
	return s
}

// single runs the workload once.
func (f *ReplayFlags) single(ctx context.Context, journals []string, s cli.Streams, env stream.Env, files *safefile.Transaction) error {
	run, err := f.once(ctx, journals, s, env, files, nil)
	if run != nil {
		err = errors.Join(err, run.write(nil))
	}
	if err = commit(files, run, err); run == nil || cli.CodeOf(err) == cli.Failed {
		return err
	}
	sum := run.Summary
	warnings := sum.Unused
	if text := sum.Nothing(); text != "" && sum.Partial == nil {
		warnings = append([]string{"nothing was scheduled: " + text}, warnings...)
	}
	replay.NewDiagnostics(s.Err, false).Warn(warnings)
	f.compareSince(sum, journals)
	s = f.beside(s)
	err = errors.Join(err, s.Show(f.json, sum.JSON, func(w io.Writer) error {
		return errors.Join(sum.Text(w, summary.Style{Color: cli.Colored(s.Out)}), writeChanges(w, sum.Since))
	}))
	if err == nil && !sum.Interrupted {
		err = f.exceeded(summary.Named{Summary: sum})
	}
	return f.verdict(err, sum.Interrupted)
}

// UntilText is what people read about an end that the flag sets; empty: it does not.
func UntilText(until string) string {
	if until == "" {
		return ""
	}
	return "--until " + until
}

// commit puts outputs in their places, also those of a run that a bad line ended. Old files stay as they were when the run
// failed, had no configuration to begin with, or came to an input that is one of them.
func commit(files *safefile.Transaction, run *played, err error) error {
	var named *safefile.NameError
	if run == nil || errors.As(err, &named) || err != nil && (cli.CodeOf(err) == cli.Failed || refused(err)) {
		return err
	}
	return errors.Join(err, files.Commit())
}

// refused reports whether a run ended before it began, since its configuration is invalid.
func refused(err error) bool {
	var invalid *journal.ConfigError
	return errors.As(err, &invalid)
}

// verdict makes an interruption a failure, though everything was printed.
func (f *ReplayFlags) verdict(err error, interrupted bool) error {
	if err == nil && interrupted {
		return cli.ErrInterrupted
	}
	return err
}

// once runs the workload: under a variant, or unchanged if that is nil. Only the unchanged run writes files and notes, and has a bar of its own.
func (f *ReplayFlags) once(ctx context.Context, journals []string, s cli.Streams, env stream.Env, files *safefile.Transaction, v *variant) (run *played, err error) {
	bar := v.progress()
	if v == nil {
		bar = cli.NewBar(s.Err, stream.Size(f.files(journals)...))
	}
	env.Read = bar.Add
	w, err := f.Open(journals, env)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	notes := bar.Above(s.Err)
	if v != nil {
		notes = io.Discard // they were told of the first run
	}
	times, err := f.Times("--until", f.until, w, notes)
	if err != nil {
		return nil, err
	}
	one := session{workload: w, times: times, until: UntilText(f.until), config: f.Config, curves: f.json || f.curves, playground: f.InPlayground(f.playground, f.until, journals, s.Env(ctx)), since: f.since, records: f.records, err: bar.Above(s.Err)}
	if v == nil {
		if err := f.create(files, &one); err != nil {
			return nil, err
		}
	}
	if one.policies, err = f.Policies.Open(ctx, one.err, v.modules()...); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, one.policies.Close(ctx)) }()
	if v != nil {
		err = v.apply(&one)
	} else {
		err = f.carry(files, one.policies)
	}
	if err != nil {
		return nil, err
	}
	run, err = one.run(ctx)
	if v == nil {
		bar.Done()
	}
	return run, err
}

// create opens what a run writes, once everything is known that it reads.
func (f *ReplayFlags) create(files *safefile.Transaction, run *session) error {
	if err := f.Policies.Reads(files, f.try...); err != nil {
		return err
	}
	for _, o := range []struct {
		flag, name string
		to         *io.Writer
	}{{"--out", f.Out, &run.out}, {"--report", f.Report, &run.report}, {"--record", f.record, &run.record}} {
		file, err := files.Create(o.flag, o.name)
		if err != nil {
			return err
		}
		*o.to = file.Writer()
	}
	return nil
}
