// Package html draws up one HTML file of a run, complete in itself: charts, the tables behind them, the queue tree,
// the longest waits and their reasons. It makes no request, and carries its scripts and styles by their hashes.
//
// A Collector watches the books while the run goes on and keeps a bounded number of points whatever the length of the
// run: time is cut into buckets that grow wider when there are too many. Write puts the page together at the end.
package html

import (
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/host/report/summary"
)

// Scheduler tells a collector why asks wait, and which limits queues have.
type Scheduler interface {
	Read(core.Parts) core.Dump
	ExplainAsk(id string) (explain.AskExplanation, bool)
}

// Meta is what a page says about the run as a whole.
type Meta struct {
	Journal  string
	Config   string // empty: the journal's own
	Version  string
	Absolute bool // times are dates, counted from the Unix epoch
	Start    time.Duration
	End      time.Duration
	Summary  *summary.Summary
	State    core.Dump // queues at the end

	Since     []Record // the runs that an earlier report remembers; the latest is compared with this one
	SinceName string   // of that report
	// Playground is where the run can be opened.
	Playground Playground
}
