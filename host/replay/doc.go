// Package replay runs a workload through a scheduler, keeps the books of it, and says how it ended.
//
// It adds to core/journal what a host has and the core has not: files, a clock that measures, and interruption.
package replay

import (
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/journal"
	"github.com/quern-project/quern/core/ledger"
)

// Scheduler is what a run needs of a core.Scheduler.
type Scheduler interface {
	core.Machine
	Read(core.Parts) core.Dump
}

// Options say what to run.
type Options struct {
	Source  journal.Source
	Form    journal.Form
	Config  *core.SetConfig // the configuration to begin with; nil: none
	Replace bool            // Config stands in for every config.set of the source too
	// Policies are the modules that exist from the start, and Missing is asked between inputs whether one that was announced
	// since cannot be asked: an error ends the run. Both may be nil.
	Policies []core.Input
	Missing  func() error
	Clock    func(time.Duration) // told of the scheduler's time whenever it advances; may be nil
	Times    Times
	Stop     func() bool // asked between inputs; once true, the run ends with what is done so far

	Record    *Recorder // writes the journal of the run; may be nil
	Books     *ledger.Ledger
	Story     *Story                     // of an ask that is followed; may be nil
	Decisions func(*core.Decision) error // each decision, in order; an error ends the run
}

// Outcome is how a run ended, however it ended.
type Outcome struct {
	Interrupted bool
	Start, End  time.Duration
	Scheduling  time.Duration // spent inside the scheduler
	State       core.Dump     // queues and totals at the end

	Inputs  int            // applied
	Cut     bool           // by the time at which it was to end: the workload has inputs after it
	Applied map[string]int // the last line that was applied, by file
}

// Run runs a workload. An error of the workload (*journal.Error, *journal.ConfigError) leaves everything before it
// applied, and the outcome says how far it came.
func Run(s Scheduler, o Options) (Outcome, error) {
	w := &watched{Scheduler: s, books: o.Books, clock: o.clock, began: time.Now(), story: o.Story}
	var failed error
	options := journal.Options{
		Policies: o.Policies,
		Config:   o.Config,
		Grace:    o.Times.Grace,
		HasGrace: true,
		Stop: func() bool {
			if o.Missing != nil && failed == nil {
				failed = o.Missing()
			}
			return failed != nil || o.Stop != nil && o.Stop()
		},
	}
	applied := &progress{lines: map[string]int{}}
	options.Inputs = func(e *journal.Entry, _ core.Reason) {
		applied.reach(e)
		if o.Record != nil {
			o.Record.entry(e)
		}
	}
	if o.Record != nil {
		w.answers = o.Record.answers
	}
	o.Times.Until.apply(&options)
	if o.Decisions != nil {
		options.Decisions = func(ds []core.Decision) {
			for i := range ds {
				if failed == nil {
					failed = o.Decisions(&ds[i])
				}
			}
		}
	}
	source := o.Source
	if o.Replace {
		source = &unconfigured{Source: source}
	}
	result, err := journal.Replay(w, source, options)
	if failed != nil {
		err = failed
	}
	o.Books.Finish()
	return Outcome{
		Interrupted: result.Stopped && failed == nil,
		Start:       result.Start,
		End:         result.End,
		Scheduling:  w.spent,
		State:       s.Read(core.OfQueues),
		Inputs:      result.Inputs,
		Cut:         result.Cut && failed == nil,
		Applied:     applied.all(),
	}, err
}

// progress keeps the last line of each file that was applied.
type progress struct {
	lines map[string]int
	file  string // of the last input
	line  int
}

func (p *progress) reach(e *journal.Entry) {
	if e.File != p.file {
		p.lines[p.file] = p.line
		p.file = e.File
	}
	p.line = e.Line
}

func (p *progress) all() map[string]int {
	p.lines[p.file] = p.line
	return p.lines
}

// clock passes the time on to its listener.
func (o *Options) clock(now time.Duration) {
	if o.Clock != nil {
		o.Clock(now)
	}
	if o.Record != nil {
		o.Record.begin(now, o)
	}
}

// unconfigured is a source whose configurations do nothing; the time at which they came still passes.
type unconfigured struct {
	journal.Source
	tick journal.Entry
}

// Next returns the next entry, a tick in the place of a configuration.
func (u *unconfigured) Next() (*journal.Entry, error) {
	e, err := u.Source.Next()
	if err != nil || e.Input.Type() != core.ConfigSet {
		return e, err
	}
	u.tick = journal.Entry{Input: core.Input{At: e.Input.At, Event: &core.Tick{}}, Count: 1, File: e.File, Line: e.Line}
	return &u.tick, nil
}
