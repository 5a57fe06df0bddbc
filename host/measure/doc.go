// Package measure measures a run over its time: averages and peaks of what queues and the cluster use and of the asks that wait,
// the makespan, waits by priority, and curves of bounded length.
//
// A Meter watches the books of a whole run. Averages are exact: integers are summed and divided once, so that thresholds and
// comparisons do not depend on the machine. Curves are for charts.
package measure

import (
	"time"

	"github.com/quern-project/quern/core/ledger"
)

// Figures are what a run came to over its time.
type Figures struct {
	Makespan   time.Duration // from the start to the last allocation that was made or ended
	Pending    Counts        // asks
	Oldest     time.Duration // how long the oldest of the asks that wait at the end has waited
	Types      []TypeFigures // of the cluster, bytewise by name
	Queues     map[string]*QueueFigures
	Priorities []PriorityWaits // highest first
}

// QueueFigures are those of a queue and all below it.
type QueueFigures struct {
	Leaf    bool // no queue below it had applications
	Pending Counts
	Oldest  time.Duration
	Types   []TypeFigures // bytewise by name
}

// Counts is a number over time.
type Counts struct {
	Now       int
	MeanMilli int64 // mean over time, in thousandths, rounded down
	Peak      int
}

// TypeFigures are amounts of a resource type over time, in stored units. Levels count if they held for some time, or at the end.
type TypeFigures struct {
	Name       string
	Mean, Peak int64
	PeakAt     time.Duration // when Peak was first reached
	Capacity   int64         // mean over time; of the cluster alone
	Share      int64         // Mean of Capacity, in the units of resource.Share; of the cluster alone
	PeakShare  int64         // the largest part of the capacity of the moment; of the cluster alone
}

// PriorityWaits are the waits of all asks of a priority that were allocated.
type PriorityWaits struct {
	Priority int32
	Others   bool // it stands for all that are not listed by themselves
	Waits    ledger.Waits
}
