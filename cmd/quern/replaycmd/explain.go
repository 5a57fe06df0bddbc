package replaycmd

import (
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/quern-project/quern/cmd/quern/cli"
	"github.com/quern-project/quern/cmd/quern/clientcmd"
	"github.com/quern-project/quern/core/journal"
	"github.com/quern-project/quern/core/ledger"
	"github.com/quern-project/quern/host/files/stream"
	"github.com/quern-project/quern/host/replay"
	"github.com/quern-project/quern/host/report/explanation"
)

type explainFlags struct {
	WorkloadFlags
	explainQuestion
	host  clientcmd.HostFlags
	at    string
	json  bool
	typed func(flag string) bool // whether the command line itself gives it
}

func NewExplain(s cli.Streams) *cobra.Command {
	var f explainFlags
	cmd := &cobra.Command{
		Use:   "explain [flags] [JOURNAL...] --ask ID [--preempt | --when] | --app ID | --queue PATH [--max AMOUNTS | --user NAME] | --window ID | --limits | --place",
		Short: "Explain why an ask, an application or a queue waits, and what a change would do",
		Long: `Replay journals up to a moment, then explain why an ask, an application or a queue waits at that moment: which queue lacks headroom,
why nodes do not fit, and its position in the order. For a preempted allocation, name the ask that preempted it and the right,
for three days after the allocation has left.

Without a journal, ask a live scheduler about the present.

With --when, say when a waiting ask will start: the present is played forward several times, with run times drawn from those of alike asks that
have ended, for two seconds unless --time-limit says otherwise. Nothing counts that is not submitted yet.

With --preempt, show which allocations a waiting ask would preempt and why, or which rule prevents it. With --max, show which
allocations a queue would release to preemption by quota if that were its max. With --queue and --user, show whether the user may
submit to the queue. --window says when a window opens, for which applications, and which allocations are on its nodes. --limits lists what users and groups use of their limits. --place shows, rule by rule, in which queue an
application would be placed. Nothing is changed.

--queue with --user, and --place, also work with a configuration alone: give --config and no journal.`,
		Example: `  quern explain --config queues.yaml monday.journal --ask train-7
  quern explain monday.journal --ask train-7 --preempt
  quern explain monday.journal --ask train-7 --when
  quern explain --ask train-7
  quern explain --limits --user alice
  quern explain monday.journal --queue root.research --at 9h30m --json
  quern explain monday.journal --queue root.research --max vcore=40,memory=100Gi
  quern explain monday.journal --limits --user alice --groups ops
  quern explain --config queues.yaml --queue root.research --user alice --groups ops
  quern explain --config queues.yaml --place --user alice --groups ops --tag namespace=web`,
		RunE: func(cmd *cobra.Command, journals []string) error { return f.run(cmd.Context(), journals, s) },
	}
	f.WorkloadFlags.Register(cmd)
	flags := cmd.Flags()
	f.registerQuestion(flags)
	f.registerMoment(cmd)
	return cmd
}

// registerMoment registers the flags that say which host is asked, or about which moment, and in which form.
func (f *explainFlags) registerMoment(cmd *cobra.Command) {
	flags := cmd.Flags()
	f.host.Register(cmd)
	f.typed = func(flag string) bool { return cli.OnCommandLine(flags, flag) }
	flags.StringVar(&f.at, "at", "", "the moment: a `TIME` is a duration, an RFC 3339 time, idle or last (default: the end that the journal sets, else the last input)")
	flags.BoolVar(&f.json, "json", false, "print one JSON object")
}

func (f *explainFlags) run(ctx context.Context, journals []string, s cli.Streams) error {
	question, err := f.question()
	if err != nil {
		return cli.Usage(err)
	}
	return f.answer(ctx, journals, question, s)
}

// answer puts a question to a live scheduler, or to one that has replayed the journals.
func (f *explainFlags) answer(ctx context.Context, journals []string, question explanation.Question, s cli.Streams) error {
	f.configAlone = question.Kind == explanation.Access || question.Kind == explanation.Place
	if f.live(journals) {
		return f.askHost(ctx, &question, s)
	}
	if err := f.Check(journals); err != nil {
		return err
	}
	env := s.Env(ctx)
	if question.Kind == explanation.Ask { // an ask that was allocated takes a second run
		remove, err := stream.Spool(&env)
		if err != nil {
			return err
		}
		defer remove()
		question.Replayed = &replay.Story{ID: question.Name}
	}
	answer, err := f.put(ctx, journals, env, &question, s)
	if err == nil && question.Replayed != nil && question.Replayed.Told() {
		question.Replayed.Restate()
		answer, err = f.put(ctx, journals, env, &question, s)
	}
	if err != nil {
		return err
	}
	return s.Show(f.json, func(w io.Writer) error { return answer.Write(w, true) }, func(w io.Writer) error { return answer.Write(w, false) })
}

// put replays to the moment, and puts a question to the scheduler.
func (f *explainFlags) put(ctx context.Context, journals []string, env stream.Env, question *explanation.Question, s cli.Streams) (answer explanation.Answer, err error) {
	w, err := f.Open(journals, env)
	if err != nil {
		return answer, err
	}
	defer func() { _ = w.Close() }()
	times, err := f.Times("--at", f.at, w, s.Err)
	if err != nil {
		return answer, err
	}
	policies, err := f.Policies.Open(ctx, s.Err)
	if err != nil {
		return answer, err
	}
	defer func() { _ = policies.Close(ctx) }()
	policies.ShowDates(w.Form == journal.Absolute)
	scheduler, books := policies.Scheduler(ctx), ledger.New()
	endings := ledger.NewEndings(0)
	question.Endings = endings
	books.Remember(endings)
	runs := ledger.NewRunTimes()
	if question.Kind == explanation.Forecast {
		books.RememberRuns(runs)
	}
	outcome, err := replay.Run(scheduler, replay.Options{
		Source: w.Source, Config: w.Config, Policies: policies.Inputs(), Missing: policies.Missing, Times: times, Books: books, Story: question.Replayed,
		Stop: func() bool { return ctx.Err() != nil },
	})
	if outcome.Interrupted || errors.Is(err, context.Canceled) {
		return answer, cli.CodeError{Err: errors.New("interrupted before the moment was reached"), Code: cli.Failed}
	}
	if err != nil {
		return answer, err
	}
	replay.NewDiagnostics(s.Err, false).Warn(policies.Unused(scheduler))
	question.Absolute = w.Form == journal.Absolute
	if question.Kind == explanation.Forecast {
		return f.forecast(ctx, question, scheduler, runs, policies)
	}
	return question.Put(scheduler)
}
