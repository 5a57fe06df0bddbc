package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/quern-project/quern/core/journal"
	"github.com/quern-project/quern/core/ledger"
	"github.com/quern-project/quern/host/explain"
	"github.com/quern-project/quern/host/replay"
)

type explainFlags struct {
	workloadFlags
	ask, app, queue, at, max string
	preempt, json            bool
}

func newExplain(s streams) *cobra.Command {
	var f explainFlags
	cmd := &cobra.Command{
		Use:   "explain [flags] JOURNAL... --ask ID [--preempt] | --app ID | --queue PATH [--max AMOUNTS]",
		Short: "Say why an ask, an application or a queue waits, or whom an ask would preempt",
		Long: `Replay journals up to a moment, then say why an ask, an application or a queue waits: which queue lacks headroom, what
nodes fail on, what its place in the order is. True at that moment. Of an allocation that was preempted it says who took it and
by what right, for three days after it has left.

With --preempt it says whom a waiting ask would preempt and why these, or which law keeps it from it. With --max it says which
allocations a queue would give back by preemption by quota if that were its max. Nothing is taken.`,
		Example: `  quern explain --config queues.yaml monday.journal --ask train-7
  quern explain monday.journal --ask train-7 --preempt
  quern explain monday.journal --queue root.research --at 9h30m --json
  quern explain monday.journal --queue root.research --max vcore=40,memory=100Gi`,
		RunE: func(cmd *cobra.Command, journals []string) error { return f.run(cmd.Context(), journals, s) },
	}
	f.register(cmd)
	flags := cmd.Flags()
	flags.StringVar(&f.ask, "ask", "", "the ask to explain (`ID`)")
	flags.BoolVar(&f.preempt, "preempt", false, "say whom the ask would preempt, or why it may not")
	flags.StringVar(&f.app, "app", "", "the application to explain (`ID`)")
	flags.StringVar(&f.queue, "queue", "", "the queue to explain (`PATH`)")
	flags.StringVar(&f.max, "max", "", "say what the queue would give back if this were its max (`AMOUNTS`: type=amount, joined by commas)")
	flags.StringVar(&f.at, "at", "", "the moment (`TIME`): a duration, an RFC 3339 time, idle or last (default: as the journal says, else the last input)")
	flags.BoolVar(&f.json, "json", false, "print one JSON object")
	return cmd
}

// question is what the flags ask.
func (f *explainFlags) question() (q explain.Question, err error) {
	asked := 0
	for kind, name := range map[explain.Kind]string{explain.Ask: f.ask, explain.App: f.app, explain.Queue: f.queue} {
		if name != "" {
			q.Kind, q.Name = kind, name
			asked++
		}
	}
	if asked != 1 {
		return q, usage(fmt.Errorf("expected one of --ask, --app and --queue, found %d", asked))
	}
	if f.preempt && q.Kind != explain.Ask {
		return q, usage(fmt.Errorf("--preempt: expected --ask beside it, found --%s", q.Kind))
	}
	if f.preempt {
		q.Kind = explain.Preemption
	}
	if f.max != "" {
		return f.maxQuestion(q)
	}
	return q, nil
}

// maxQuestion asks what another max of the queue would take.
func (f *explainFlags) maxQuestion(q explain.Question) (explain.Question, error) {
	if q.Kind != explain.Queue {
		return q, usage(fmt.Errorf("--max: expected --queue beside it, found --%s", q.Kind))
	}
	var err error
	if q.Max, err = explain.ParseMax(f.max); err != nil {
		return q, usage(fmt.Errorf("--max: %w", err))
	}
	q.Kind = explain.Max
	return q, nil
}

func (f *explainFlags) run(ctx context.Context, journals []string, s streams) error {
	question, err := f.question()
	if err != nil {
		return err
	}
	if err := f.check(journals); err != nil {
		return err
	}
	w, err := f.open(journals, s.env(ctx))
	if err != nil {
		return err
	}
	defer func() { _ = w.Close() }()
	times, err := f.times("--at", f.at, w, s.err)
	if err != nil {
		return err
	}
	policies, err := f.policies.open(ctx, s.err)
	if err != nil {
		return err
	}
	defer func() { _ = policies.Close(ctx) }()
	scheduler := policies.Scheduler(ctx)
	outcome, err := replay.Run(scheduler, replay.Options{
		Source: w.Source, Config: w.Config, Policies: policies.Inputs(), Missing: policies.Missing, Times: times, Books: ledger.New(),
		Stop: func() bool { return ctx.Err() != nil },
	})
	if outcome.Interrupted || errors.Is(err, context.Canceled) {
		return codeError{error: errors.New("interrupted before the moment was reached"), code: failed}
	}
	if err != nil {
		return err
	}
	replay.NewDiagnostics(s.err, false).Unused(policies.Unused(scheduler))
	question.Absolute = w.Form == journal.Absolute
	answer, err := question.Put(scheduler)
	if err != nil {
		return err
	}
	return s.show(f.json, func(w io.Writer) error { return answer.Write(w, true) }, func(w io.Writer) error { return answer.Write(w, false) })
}
