package main

import (
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/quern-project/quern/core/journal"
	"github.com/quern-project/quern/core/ledger"
	"github.com/quern-project/quern/host/explain"
	"github.com/quern-project/quern/host/replay"
)

type explainFlags struct {
	workloadFlags
	explainQuestion
	host  hostFlags
	at    string
	json  bool
	typed func(flag string) bool // whether the command line itself gives it
}

func newExplain(s streams) *cobra.Command {
	var f explainFlags
	cmd := &cobra.Command{
		Use:   "explain [flags] [JOURNAL...] --ask ID [--preempt] | --app ID | --queue PATH [--max AMOUNTS | --user NAME] | --limits | --place",
		Short: "Say why an ask, an application or a queue waits, and what a change would do",
		Long: `Replay journals up to a moment, then say why an ask, an application or a queue waits: which queue lacks headroom, what
nodes fail on, what its place in the order is. True at that moment. Of an allocation that was preempted it says who took it and
by what right, for three days after it has left.

Without a journal, a live scheduler is asked the same about now.

With --preempt it says which allocations a waiting ask would preempt and why these, or which law keeps it from it. With --max it
says which allocations a queue would give back by preemption by quota if that were its max. With --queue and --user it says
whether that user may submit there. --limits lists what users and groups use of their limits. --place says in which queue an
application would be placed, rule by rule. Nothing is changed.

Where a user may submit, and where an application would go, can be asked of a configuration alone: with --config, and no journal.`,
		Example: `  quern explain --config queues.yaml monday.journal --ask train-7
  quern explain monday.journal --ask train-7 --preempt
  quern explain --ask train-7
  quern explain --limits --user alice
  quern explain monday.journal --queue root.research --at 9h30m --json
  quern explain monday.journal --queue root.research --max vcore=40,memory=100Gi
  quern explain monday.journal --limits --user alice --groups ops
  quern explain --config queues.yaml --queue root.research --user alice --groups ops
  quern explain --config queues.yaml --place --user alice --groups ops --tag namespace=web`,
		RunE: func(cmd *cobra.Command, journals []string) error { return f.run(cmd.Context(), journals, s) },
	}
	f.workloadFlags.register(cmd)
	flags := cmd.Flags()
	f.registerQuestion(flags)
	f.host.register(cmd)
	f.typed = func(flag string) bool { return onCommandLine(flags, flag) }
	flags.StringVar(&f.at, "at", "", "the moment (`TIME`): a duration, an RFC 3339 time, idle or last (default: as the journal says, else the last input)")
	flags.BoolVar(&f.json, "json", false, "print one JSON object")
	return cmd
}

func (f *explainFlags) run(ctx context.Context, journals []string, s streams) error {
	question, err := f.question()
	if err != nil {
		return usage(err)
	}
	f.configAlone = question.Kind == explain.Access || question.Kind == explain.Place
	if f.live(journals) {
		return f.askHost(ctx, &question, s)
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
