package main

import (
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/quern-project/quern/core/journal"
	"github.com/quern-project/quern/host/input"
	"github.com/quern-project/quern/host/output"
	"github.com/quern-project/quern/host/summary"
)

type replayFlags struct {
	workloadFlags
	until, out, report, compare string
	record                      string
	json                        bool
}

func newReplay(s streams) *cobra.Command {
	var f replayFlags
	cmd := &cobra.Command{
		Use:   "replay [flags] JOURNAL...",
		Short: "Run journals through the scheduler and sum up what came of it",
		Long: `Run journals, or a public trace, through the scheduler as fast as it can, and print a summary.

Several journals are merged by time. Files may be compressed with gzip or zstd; - is standard input. Where --out or
--report is -, it has standard output for itself and the summary goes to standard error.

A line that cannot be used ends the run with exit code 2; everything before it counts. Ctrl-C ends the run with what
is done so far, marked as interrupted, and exit code 1.`,
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
	flags.BoolVar(&f.json, "json", false, "print the summary as one JSON object")
	flags.StringVar(&f.report, "report", "", "write a report to `FILE.html`")
	flags.StringVar(&f.compare, "compare", "", "run again with the configuration `FILE` in place of all others, and print both side by side")
	for _, name := range []string{"out", "report", "compare", "record"} {
		_ = cmd.MarkFlagFilename(name)
	}
	return cmd
}

func (f *replayFlags) run(ctx context.Context, journals []string, s streams) error {
	if err := f.check(journals); err != nil {
		return err
	}
	if f.toStdout() > 1 {
		return usage(errors.New("--out, --report and --record: expected - for one of them, found it for more"))
	}
	if f.compare == "" {
		return f.single(ctx, journals, s)
	}
	return f.both(ctx, journals, s)
}

// toStdout counts what goes to standard output beside the summary.
func (f *replayFlags) toStdout() int {
	n := 0
	for _, name := range []string{f.out, f.report, f.record} {
		if name == output.Stdout {
			n++
		}
	}
	return n
}

// single runs the workload once.
func (f *replayFlags) single(ctx context.Context, journals []string, s streams) error {
	sum, err := f.once(ctx, journals, s, s.env(ctx), "")
	if sum == nil {
		return err
	}
	w := s.out
	if f.toStdout() > 0 {
		w = s.err
	}
	if f.json {
		err = errors.Join(err, sum.JSON(w))
	} else {
		err = errors.Join(err, sum.Text(w, summary.Style{Color: colored(w)}))
	}
	return f.verdict(err, sum.Interrupted)
}

// both runs it under two configurations.
func (f *replayFlags) both(ctx context.Context, journals []string, s streams) error {
	env := s.env(ctx)
	for _, name := range journals {
		if name != input.Stdin {
			continue
		}
		remove, err := input.Spool(&env)
		if err != nil {
			return err
		}
		defer remove()
	}
	first, err := f.once(ctx, journals, s, env, "")
	if first == nil || first.Interrupted || refused(err) {
		return f.verdict(err, err == nil)
	}
	plain := *f
	plain.out, plain.report, plain.record = "", "", ""
	second, err2 := plain.once(ctx, journals, s, env, f.compare)
	if second == nil || refused(err2) {
		return errors.Join(err, err2)
	}
	if err == nil { // a bad line ends both runs, and is told once
		err = err2
	}
	a, b := summary.Named{Config: f.name(), Summary: first}, summary.Named{Config: f.compare, Summary: second}
	if f.json {
		err = errors.Join(err, summary.CompareJSON(s.out, a, b))
	} else {
		err = errors.Join(err, summary.Compare(s.out, a, b, summary.Style{Color: colored(s.out)}))
	}
	return f.verdict(err, second.Interrupted)
}

// refused reports whether a run ended before it began, since its configuration is invalid.
func refused(err error) bool {
	var invalid *journal.ConfigError
	return errors.As(err, &invalid)
}

// name is what the first configuration is called beside the second.
func (f *replayFlags) name() string {
	if f.config != "" {
		return f.config
	}
	return "as recorded"
}

// verdict makes an interruption a failure, though everything was printed.
func (f *replayFlags) verdict(err error, interrupted bool) error {
	if err == nil && interrupted {
		return codeError{error: errors.New("interrupted"), code: failed}
	}
	return err
}

// once runs the workload, with another configuration in place of all others if it is named.
func (f *replayFlags) once(ctx context.Context, journals []string, s streams, env input.Env, other string) (sum *summary.Summary, err error) {
	bar := newBar(s.err, input.Size(f.files(journals)...))
	env.Read = bar.add
	w, err := f.open(journals, env)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	notes := bar.above(s.err)
	if other != "" {
		notes = io.Discard // they were told of the first run
		if w.Config, err = input.Config(other, s.env(ctx)); err != nil {
			return nil, err
		}
	}
	times, err := f.times("--until", f.until, w, notes)
	if err != nil {
		return nil, err
	}
	out, err := output.Create(f.out, s.out)
	if err != nil {
		return nil, err
	}
	page, err := output.Create(f.report, s.out)
	if err != nil {
		return nil, errors.Join(err, out.Close())
	}
	record, err := output.Create(f.record, s.out)
	if err != nil {
		return nil, errors.Join(err, out.Close(), page.Close())
	}
	policies, err := f.policies.open(ctx, bar.above(s.err))
	if err != nil {
		return nil, errors.Join(err, out.Close(), page.Close(), record.Close())
	}
	defer func() { err = errors.Join(err, policies.Close(ctx)) }()
	run := session{
		workload: w, policies: policies, replace: other != "", times: times,
		out: out.Writer(), report: page.Writer(), record: record.Writer(), config: f.config, err: bar.above(s.err),
	}
	sum, err = run.run(ctx)
	bar.done()
	return sum, errors.Join(err, out.Close(), page.Close(), record.Close())
}
