package whatif

import (
	"maps"
	"slices"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/ledger"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/host/measure"
	"github.com/quern-project/quern/host/summary"
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

// Measure watches a run: where asks went, and levels that it looks at from time to time. All else is in the books.
type Measure struct {
	ledger.NopWatcher
	books    *ledger.Ledger
	meter    *measure.Meter // of what the summary tells of time
	run      Run
	used     []ledger.Mean // by type
	stranded []ledger.Mean
	served   []ledger.Mean // by queue: how many of its asks run, of those that would
	last     time.Duration // look at levels
	next     time.Duration // when they are looked at again
	step     time.Duration
	looks    int
}

// Watch makes a measure that watches these books.
func Watch(name string, books *ledger.Ledger) *Measure {
	m := &Measure{books: books, meter: measure.Watch(books, false), step: time.Second}
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

// Until looks at the levels that held until now, at a distance that grows with the run.
func (m *Measure) Until(now time.Duration) {
	if now < m.next {
		return
	}
	m.look(now - m.last)
	m.last = now
	m.looks++
	if m.looks%64 == 0 {
		m.step *= 2
	}
	m.next = instant.Add(now, m.step)
}

func (m *Measure) look(held time.Duration) {
	seconds := held.Seconds()
	stranded, _ := m.books.Stranded()
	m.used, m.stranded = lengthened(m.used, len(stranded)), lengthened(m.stranded, len(stranded))
	for i := range stranded {
		capacity := float64(m.books.Capacity.At(i))
		m.used[i].Hold(float64(m.books.Used.At(i)), capacity, seconds)
		m.stranded[i].Hold(float64(stranded[i]), capacity, seconds)
	}
	m.served = lengthened(m.served, len(m.books.Queues))
	for i, q := range m.books.Queues {
		if wanted := q.Running + q.Pending; q.Leaf && wanted > 0 {
			m.served[i].Hold(float64(q.Running)/float64(wanted), 1, seconds)
		}
	}
}

// lengthened is a list with at least so many means.
func lengthened(list []ledger.Mean, n int) []ledger.Mean {
	return append(list, make([]ledger.Mean, max(0, n-len(list)))...)
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
	m.run.end = o.End
	m.run.summary = &summary.Summary{Summary: m.books.Summary(o.State), Usage: m.meter.Figures(o.End), Virtual: o.End - o.Start, Inputs: o.Inputs}
	m.look(m.books.Now - m.last)
	r, totals, waits := &m.run, &m.books.Totals, m.books.Waits()
	r.Allocated, r.Pending, r.Preempted = totals.Allocated, m.books.Pending, totals.Preempted
	for _, n := range totals.Faults {
		r.Faults += n
	}
	if o.Scheduling > 0 {
		r.Rate = float64(r.Allocated) / o.Scheduling.Seconds()
	}
	r.Waits = Waits{waits.Percentile(50).Seconds(), waits.Percentile(99).Seconds(), waits.Max().Seconds()}
	r.Used, r.Stranded = map[string]float64{}, map[string]float64{}
	for i, name := range m.books.Types {
		r.Used[name], r.Stranded[name] = m.used[i].Value(), m.stranded[i].Value()
	}
	r.Fairness = ledger.Fairness(m.served)
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
