package main

import (
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/quern-project/quern/core/journal"
	"github.com/quern-project/quern/host/replay"
	"github.com/quern-project/quern/host/safefile"
	"github.com/quern-project/quern/host/stream"
	"github.com/quern-project/quern/host/summary"
)

type replayFlags struct {
	workloadFlags
	until, out, report, compare string
	record, modules             string
	json                        bool
}

func newReplay(s streams) *cobra.Command {
	var f replayFlags
	cmd := &cobra.Command{
		Use:   "replay [flags] JOURNAL...",
		Short: "Run journals through the scheduler and print a summary",
		Long: `Run journals, or a public trace, through the scheduler as fast as it can, and print a summary.

Several journals are merged by time. Files may be compressed with gzip or zstd; - is standard input. Where --out or
--report is -, it has standard output for itself and the summary goes to standard error.

A line that cannot be used ends the run with exit code 2; everything before it counts. Ctrl-C ends the run with what
is done so far, marked as interrupted, and exit code 1. A file that --out, --report or --record names is replaced when the
run has ended; it stays as it was when the run fails. None of them may be an input or the file of another.`,
		Example: `  quern replay --config queues.yaml --report report.html monday.journal
  zcat week.journal.gz | quern replay --json -
  quern replay --compare tomorrow.toml monday.journal
  quern replay --trace openb --nodes nodes.csv --pods pods.csv --speed fill`,
		RunE: func(cmd *cobra.Command, journals []string) error { return f.run(cmd.Context(), journals, s) },
	}
	f.register(cmd)
	flags := cmd.Flags()
	flags.StringVar(&f.until, "until", "", "end at a `TIME`: a duration, an RFC 3339 time, idle for when nothing is left to happen, or last for the last input (default: as the journal says, else the last input)")
	flags.StringVar(&f.out, "out", "", "write the decisions, as JSON Lines, to `FILE`")
	flags.StringVar(&f.record, "record", "", "write the journal of the run to `FILE`, with modules, configuration and the answers of processes in it")
	flags.StringVar(&f.modules, "record-modules", "", "beside --record: copy the policy modules that the run may ask into `DIR`, for --policies where the journal is replayed")
	flags.BoolVar(&f.json, "json", false, "print the summary as one JSON object")
	flags.StringVar(&f.report, "report", "", "write a report to `FILE.html`")
	flags.StringVar(&f.compare, "compare", "", "run again with the configuration `FILE` in place of all others, and print both side by side")
	for _, name := range []string{"out", "report", "compare", "record"} {
		_ = cmd.MarkFlagFilename(name)
	}
	_ = cmd.MarkFlagDirname("record-modules")
	return cmd
}

func (f *replayFlags) run(ctx context.Context, journals []string, s streams) error {
	if err := f.check(journals); err != nil {
		return err
	}
	if err := f.checkModules(); err != nil {
		return err
	}
	if f.toStdout() > 1 {
		return usage(errors.New("--out, --report and --record: expected - for one of them, found it for more"))
	}
	files := safefile.NewTransaction(s.data())
	defer files.Discard()
	env := s.env(ctx)
	env.Opened = files.Reads
	if f.compare == "" {
		return f.single(ctx, journals, s, env, files)
	}
	return f.both(ctx, journals, s, env, files)
}

// toStdout counts what goes to standard output beside the summary.
func (f *replayFlags) toStdout() int {
	n := 0
	for _, name := range []string{f.out, f.report, f.record} {
		if name == safefile.Stdout {
			n++
		}
	}
	return n
}

// beside is where the summary goes: standard error where standard output has something else.
func (f *replayFlags) beside(s streams) streams {
	if f.toStdout() > 0 {
		s.out = below(s.err)
	}
	return s
}

// single runs the workload once.
func (f *replayFlags) single(ctx context.Context, journals []string, s streams, env stream.Env, files *safefile.Transaction) error {
	sum, err := f.once(ctx, journals, s, env, files, nil)
	if err = commit(files, sum, err); sum == nil || codeOf(err) == failed {
		return err
	}
	replay.NewDiagnostics(s.err, false).Unused(sum.Unused)
	s = f.beside(s)
	err = errors.Join(err, s.show(f.json, sum.JSON, func(w io.Writer) error {
		return sum.Text(w, summary.Style{Color: colored(s.out)})
	}))
	return f.verdict(err, sum.Interrupted)
}

// commit puts outputs in their places, also those of a run that a bad line ended. Old files stay as they were when the run
// failed, had no configuration to begin with, or came to an input that is one of them.
func commit(files *safefile.Transaction, sum *summary.Summary, err error) error {
	var named *safefile.NameError
	if sum == nil || errors.As(err, &named) || err != nil && (codeOf(err) == failed || refused(err)) {
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
func (f *replayFlags) verdict(err error, interrupted bool) error {
	if err == nil && interrupted {
		return errInterrupted
	}
	return err
}

// once runs the workload. Replace gives it another configuration in place of all others; nil: it has its own.
func (f *replayFlags) once(ctx context.Context, journals []string, s streams, env stream.Env, files *safefile.Transaction, replace func(*stream.Workload)) (sum *summary.Summary, err error) {
	bar := newBar(s.err, stream.Size(f.files(journals)...))
	env.Read = bar.add
	w, err := f.open(journals, env)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	notes := bar.above(s.err)
	if replace != nil {
		replace(w)
		notes = io.Discard // they were told of the first run
	}
	times, err := f.times("--until", f.until, w, notes)
	if err != nil {
		return nil, err
	}
	run := session{workload: w, replace: replace != nil, times: times, config: f.config, err: bar.above(s.err)}
	if err := f.create(files, &run); err != nil {
		return nil, err
	}
	if run.policies, err = f.policies.open(ctx, run.err); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, run.policies.Close(ctx)) }()
	if replace == nil {
		if err := f.carry(files, run.policies); err != nil {
			return nil, err
		}
	}
	sum, err = run.run(ctx)
	bar.done()
	return sum, err
}

// create opens what a run writes, once everything is known that it reads.
func (f *replayFlags) create(files *safefile.Transaction, run *session) error {
	if err := f.policies.reads(files); err != nil {
		return err
	}
	for _, o := range []struct {
		flag, name string
		to         *io.Writer
	}{{"--out", f.out, &run.out}, {"--report", f.report, &run.report}, {"--record", f.record, &run.record}} {
		file, err := files.Create(o.flag, o.name)
		if err != nil {
			return err
		}
		*o.to = file.Writer()
	}
	return nil
}
