package replaycmd

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/quern-project/quern/cmd/quern/cli"
	"github.com/quern-project/quern/core/journal"
	"github.com/quern-project/quern/core/ledger"
	"github.com/quern-project/quern/host/files/stream"
	"github.com/quern-project/quern/host/replay"
	"github.com/quern-project/quern/host/report/html"
	"github.com/quern-project/quern/host/report/summary"
)

// session is one run of a workload: its inputs, and where its results are written.
type session struct {
	workload *stream.Workload
	policies *replay.Policies
	replace  bool // the configuration stands in for those of the journal
	times    replay.Times
	until    string    // what sets its end, for people; empty: the first line of a journal
	out      io.Writer // decisions; nil: none
	report   io.Writer // for which a page is drawn; nil: none
	record   io.Writer // the journal of the run; nil: none
	config   string    // its name, for the report
	curves   bool      // the summary has curves
	// playground says how the report leads into it, from a run that ends at a time; nil: it does not.
	playground func(end time.Duration) html.Playground
	since      string // the name of an earlier report
	records    []html.Record
	err        io.Writer // diagnostics
}

// played is what came of a run.
type played struct {
	*summary.Summary
	page   *html.Page // nil: none was wanted
	report io.Writer  // where the page goes
	meter  *ledger.Meter
	end    time.Duration
}

// write writes the page, if there is one, with the runs beside which it is shown.
func (p *played) write(beside *html.Comparison) error {
	if p.page == nil {
		return nil
	}
	return p.page.Write(p.report, beside)
}

// run runs it. With an error that came of the workload there is a summary nevertheless, of everything before.
func (s session) run(ctx context.Context) (*played, error) {
	started := time.Now()
	s.policies.ShowDates(s.workload.Form == journal.Absolute)
	books, scheduler := ledger.New(), s.policies.Scheduler(ctx)
	curves := s.curves || s.report != nil
	meter := ledger.Measure(books, ledger.Detail{Curves: curves, Queues: curves})
	var page *html.Collector
	if s.report != nil {
		page = html.Collect(books, scheduler, meter)
	}
	limits := ledger.WatchLimits(books, scheduler)
	told := replay.NewDiagnostics(s.err, s.workload.Config != nil)
	books.Watch(told)
	plausible := replay.NewPlausibilityCheck(s.workload.Source, s.workload.Config, s.replace)
	options := replay.Options{
		Source: plausible, Form: s.workload.Form, Config: s.workload.Config, Replace: s.replace,
		Policies: s.policies.Inputs(), Missing: s.policies.Missing, Clock: s.policies.Clock,
		Times: s.times, Books: books,
		Stop: func() bool { return ctx.Err() != nil },
	}
	var encoder *journal.Encoder
	if s.out != nil {
		encoder = journal.NewEncoder(s.out, s.workload.Form)
		options.Decisions = encoder.Decision
	}
	if s.record != nil {
		options.Record = replay.NewRecorder(s.record, s.workload.Form)
	}
	outcome, err := replay.Run(scheduler, options)
	told.Warn(plausible.Warnings())
	if options.Record != nil {
		err = errors.Join(err, options.Record.Flush())
	}
	if encoder != nil {
		err = errors.Join(err, encoder.Flush())
	}
	if errors.Is(err, context.Canceled) {
		outcome.Interrupted, err = true, nil
	}
	sum := &summary.Summary{Summary: books.Summary(&outcome.State)}
	sum.Limits = limits.Peaks()
	sum.Usage, sum.Curves = meter.Figures(outcome.End), meter.Curves(outcome.End, outcome.End)
	sum.Shadows, sum.Repeated = s.policies.Shadows(), s.policies.Repeated()
	sum.Spent = s.policies.Spent()
	if err == nil && !outcome.Interrupted { // a run that was cut short says nothing of what is used
		sum.Unused = s.policies.Unused(scheduler)
	}
	sum.Interrupted, sum.Scheduling, sum.Virtual = outcome.Interrupted, outcome.Scheduling, outcome.End-outcome.Start
	sum.Wall, sum.Inputs = time.Since(started), outcome.Inputs
	sum.Partial = outcome.Partial(err, s.workload.Form, s.until, s.workload.Unread)
	p := &played{Summary: sum, report: s.report, meter: meter, end: outcome.End}
	if page != nil {
		p.page = page.Draw(s.meta(outcome, sum, err))
	}
	return p, err
}

func (s session) meta(o replay.Outcome, sum *summary.Summary, err error) html.Meta {
	m := html.Meta{
		Journal: s.workload.Name, Config: s.config, Version: cli.BuildVersion(), Absolute: s.workload.Form == journal.Absolute,
		Start: o.Start, End: o.End, Summary: sum, State: o.State,
		Since: s.records, SinceName: s.since,
	}
	if s.playground != nil && s.report != nil && err == nil {
		m.Playground = s.playground(o.End)
	}
	return m
}
