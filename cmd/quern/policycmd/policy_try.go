package policycmd

import (
	"context"
	"errors"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/quern-project/quern/cmd/quern/cli"
	"github.com/quern-project/quern/cmd/quern/replaycmd"
	"github.com/quern-project/quern/core/ledger"
	"github.com/quern-project/quern/host/files/safefile"
	"github.com/quern-project/quern/host/files/stream"
	"github.com/quern-project/quern/host/replay"
	"github.com/quern-project/quern/host/report/compare"
)

type TryFlags struct {
	replaycmd.WorkloadFlags
	File, until, Report string
	json                bool
	page                io.Writer // of the report; nil: there is none
}

func newPolicyTry(s cli.Streams) *cobra.Command {
	var f TryFlags
	cmd := &cobra.Command{
		Use:   "try [flags] FILE JOURNAL...",
		Short: "Show what a policy would have changed in a journal",
		Long: `Replay a journal, or a public trace, twice: as it is, and with a policy at the points that it serves, instead of the policies
that the journal uses there. Show what would have changed: decisions, waits, used and stranded resources, and fairness.

With --json one object: policy, points, journal, before and after (each: allocated, pending, preempted, policy_faults,
wait_seconds, used and stranded by type as parts of the capacity, fairness, allocations_per_second), decisions
(placed_in_both, on_another_node, earlier, later, only_before, only_after, first).`,
		Example: `  quern policy try tetris.wasm monday.journal --report tetris.html
  quern policy try tetris.wasm --trace openb --nodes nodes.csv --pods pods.csv --speed fill`,
		Args: cli.SomeArguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			f.File = args[0]
			return f.Run(cmd.Context(), args[1:], s)
		},
	}
	f.Register(cmd)
	flags := cmd.Flags()
	flags.StringVar(&f.until, "until", "", "end at a `TIME`: a duration, an RFC 3339 time, idle or last (default: the end that the journal sets, else the last input)")
	flags.StringVar(&f.Report, "report", "", "write a report to `FILE.html`")
	flags.BoolVar(&f.json, "json", false, "print one JSON object")
	return cmd
}

func (f *TryFlags) Run(ctx context.Context, journals []string, s cli.Streams) error {
	if err := f.Check(journals); err != nil {
		return err
	}
	for _, name := range append(journals, f.Config) {
		if name == stream.Stdin {
			return cli.Usage(errors.New("expected files, since they are read twice; found -"))
		}
	}
	files := safefile.NewTransaction(s.Out)
	defer files.Discard()
	before, err := f.once(ctx, journals, s, files, nil)
	if err != nil {
		return err
	}
	name := replaycmd.PolicyName(f.File)
	o := &compare.Override{Name: name}
	after, err := f.once(ctx, journals, s, files, o)
	if err != nil {
		return err
	}
	if text := before.Nothing(); text != "" && after.Nothing() != "" {
		return cli.Usage(errors.New("there is nothing to compare: " + text))
	}
	r := &compare.Result{Policy: name, Points: o.Points, Journal: f.workload(journals), Partial: before.Partial, Before: before, After: after, Decisions: compare.Compare(before, after), Version: cli.BuildVersion()}
	if f.page != nil {
		r.Playground = f.InPlayground("", f.until, journals, s.Env(ctx))(before.End())
		if err := r.HTML(f.page); err != nil {
			return err
		}
	}
	err = files.Commit()
	if f.Report == safefile.Stdout {
		s.Out = cli.Below(s.Err)
	}
	return errors.Join(err, s.Show(f.json, r.JSON, r.Text))
}

// workload is what the journal, or the trace, is called.
func (f *TryFlags) workload(journals []string) string {
	if f.Trace != "" {
		return f.Trace
	}
	return strings.Join(journals, ", ")
}

// once runs the workload; with an override, the policy decides, and its points are noted.
func (f *TryFlags) once(ctx context.Context, journals []string, s cli.Streams, outputs *safefile.Transaction, o *compare.Override) (*compare.Run, error) {
	env := s.Env(ctx)
	env.Opened = outputs.Reads
	w, err := f.Open(journals, env)
	if err != nil {
		return nil, err
	}
	defer func() { _ = w.Close() }()
	name, notes := "before", s.Err
	var modules []string
	if o != nil {
		name, modules, notes = "after", []string{f.File}, io.Discard // notes were told of the run before
	}
	times, err := f.Times("--until", f.until, w, notes)
	if err != nil {
		return nil, err
	}
	if err := f.create(outputs, o == nil); err != nil {
		return nil, err
	}
	policies, err := f.Policies.Open(ctx, s.Err, modules...)
	if err != nil {
		return nil, err
	}
	defer func() { _ = policies.Close(ctx) }()
	if o != nil {
		if err := replaycmd.Override(o, policies, w); err != nil {
			return nil, err
		}
	}
	options := replay.Options{
		Source: w.Source, Form: w.Form, Config: w.Config, Times: times, Books: ledger.New(),
		Policies: policies.Inputs(), Missing: policies.Missing, Clock: policies.Clock, Stop: func() bool { return ctx.Err() != nil },
	}
	measure := compare.Watch(name, options.Books)
	outcome, err := replay.Run(policies.Scheduler(ctx), options)
	if outcome.Interrupted {
		return nil, cli.ErrInterrupted
	}
	if err != nil {
		return nil, err
	}
	result := measure.Result(compare.Outcome{Start: outcome.Start, End: outcome.End, Scheduling: outcome.Scheduling, State: &outcome.State, Inputs: outcome.Inputs})
	result.Partial = outcome.Partial(nil, w.Form, replaycmd.UntilText(f.until), w.Unread)
	return result, nil
}

// create opens the report before the first run, once everything is known that is read.
func (f *TryFlags) create(outputs *safefile.Transaction, first bool) error {
	if !first {
		return nil
	}
	if err := f.Policies.Reads(outputs, f.File); err != nil {
		return err
	}
	page, err := outputs.Create("--report", f.Report)
	if err == nil {
		f.page = page.Writer()
	}
	return err
}
