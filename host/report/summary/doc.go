// Package summary draws up what a replay came to: counts, how long asks waited in each queue, what queues and the
// cluster use at the end. As a table for people, as one JSON object for programs, and two runs side by side. The figures are
// those of core/ledger.
package summary

import (
	"time"

	"github.com/quern-project/quern/core/ledger"
	"github.com/quern-project/quern/host/policy/registry"
)

// Summary is what a run came to.
type Summary struct {
	ledger.Summary

	Usage  *ledger.Figures // over the time of the run; nil: it was not measured
	Curves *ledger.Curves  // nil: none were kept

	Shadows []registry.Shadow // policies that were asked beside others
	// Repeated is how many calls of policies were made a second time, since the first failed, by name.
	Repeated map[string]int
	Spent    map[string]PolicyTime // what calls of policies took, by name, by the clock
	Unused   []string              // what was loaded and never used, a sentence each

	Inputs      int           // of the workload that were applied
	Scheduling  time.Duration // spent inside the scheduler
	Wall        time.Duration
	Virtual     time.Duration
	Interrupted bool
	Partial     *Partial // nil: the run reached the end of its workload

	Since *Since // an earlier run with what changed; nil: none was given
}

// Since is what changed since an earlier run.
type Since struct {
	File    string   `json:"file"` // a report or a summary
	Changes []Change `json:"changes"`
}

// Change is a figure that differs between two runs, for people.
type Change struct {
	Name   string `json:"name"`
	Before string `json:"before"`
	After  string `json:"after"`
}

// PolicyTime is what the calls of a policy took.
type PolicyTime struct {
	Calls, Items int
	Took         time.Duration
}

// AllocationsPerSecond counts the time spent inside the scheduler alone.
func (s *Summary) AllocationsPerSecond() float64 {
	if s.Scheduling <= 0 {
		return 0
	}
	return float64(s.Allocated) / s.Scheduling.Seconds()
}
