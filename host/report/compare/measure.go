package compare

import (
	"maps"
	"slices"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/ledger"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/host/report/summary"
)

// Run is what one of the two runs came to.
type Run struct {
	Name      string             `json:"name"`
	Allocated int                `json:"allocated"`
	Pending   int                `json:"pending"`
	Preempted int                `json:"preempted"`
	Faults    int                `json:"policy_faults"`
	Waits     Waits              `json:"wait_seconds"`
	Used      map[string]float64 `json:"used"`     // by type: part of the capacity, mean over time; at the end where no time passed
	Stranded  map[string]float64 `json:"stranded"` // by type: part of the capacity that is free where no waiting ask fits, likewise
	Fairness  float64            `json:"fairness"` // 1: every queue got the same part of what it wanted
	Rate      float64            `json:"allocations_per_second"`

	placed map[string]placement
	order  []string // of asks, as placed

	Partial *summary.Partial `json:"-"` // nil: the run reached the end of its workload

	summary *summary.Summary // from which the verdict is told
	end     time.Duration
}

// End is the time at which the run ended.
func (r *Run) End() time.Duration { return r.end }

// Nothing says why the run has no figures; empty: it has some.
func (r *Run) Nothing() string { return r.summary.Nothing() }

// Waits are how long asks waited that were allocated, in seconds.
type Waits struct {
	P50 float64 `json:"p50"`
	P99 float64 `json:"p99"`
	Max float64 `json:"max"`
}

// placement is where an ask first went, and when.
type placement struct {
	node string
	at   time.Duration
}

// Measure watches a run and records where each ask went first. The figures come from the ledger and its meter.
type Measure struct {
	ledger.NopWatcher
	books *ledger.Ledger
	meter *ledger.Meter
	run   Run
}

// Watch makes a measure that watches these books.
func Watch(name string, books *ledger.Ledger) *Measure {
	m := &Measure{books: books, meter: ledger.Measure(books, ledger.Detail{Stranded: true})}
	m.run = Run{Name: name, placed: map[string]placement{}}
	books.Watch(m)
	return m
}

// Placed notes where an ask went.
func (m *Measure) Placed(a *ledger.Ask) {
	if a.Restored {
		return
	}
	if _, again := m.run.placed[a.ID]; !again {
		m.run.placed[a.ID] = placement{a.Node.ID, m.books.Now}
		m.run.order = append(m.run.order, a.ID)
	}
}

// Outcome is how a run ended.
type Outcome struct {
	Start, End time.Duration
	Scheduling time.Duration // spent inside the scheduler
	State      *core.Dump
	Inputs     int // applied
}

// Result sums the run up.
func (m *Measure) Result(o Outcome) *Run {
	figures := m.meter.Figures(o.End)
	m.run.end = o.End
	m.run.summary = &summary.Summary{Summary: m.books.Summary(o.State), Usage: figures, Virtual: o.End - o.Start, Inputs: o.Inputs}
	r, totals, waits := &m.run, &m.books.Totals, m.books.Waits()
	r.Allocated, r.Pending, r.Preempted, r.Faults = totals.Allocated, m.books.Pending, totals.Preempted, totals.PolicyFaults()
	if o.Scheduling > 0 {
		r.Rate = float64(r.Allocated) / o.Scheduling.Seconds()
	}
	r.Waits = Waits{waits.Percentile(50).Seconds(), waits.Percentile(99).Seconds(), waits.Max().Seconds()}
	r.Used, r.Stranded, r.Fairness = map[string]float64{}, map[string]float64{}, figures.Fairness
	for _, t := range figures.Types {
		r.Used[t.Name], r.Stranded[t.Name] = t.Used, t.Stranded
	}
	return r
}

// types lists the types of either run, vcore and memory first.
func types(a, b *Run) []string {
	all := map[string]bool{}
	for _, r := range []*Run{a, b} {
		for name := range r.Used {
			all[name] = true
		}
	}
	list := slices.Sorted(maps.Keys(all))
	slices.SortStableFunc(list, func(x, y string) int { return rank(x) - rank(y) })
	return list
}

func rank(name string) int {
	switch name {
	case resource.VCore:
		return 0
	case "memory":
		return 1
	}
	return 2
}
