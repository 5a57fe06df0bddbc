package whatif

import (
	"maps"
	"slices"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/ledger"
	"github.com/quern-project/quern/core/resource"
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
}

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

// Measure watches a run.
type Measure struct {
	ledger.NopWatcher
	books   *ledger.Ledger
	run     Run
	waits   ledger.Waits
	levels  map[string]*level // by type
	served  []*level          // by queue
	running []int             // allocations, by queue
	last    time.Duration     // look at levels
	next    time.Duration     // when they are looked at again
	step    time.Duration
	looks   int
}

// level is something that is looked at from time to time, and its mean over time.
type level struct {
	sum, weight float64
	last, total float64
}

// add holds a level for a time.
func (l *level) add(value, part float64, held time.Duration) {
	l.last, l.total = value, part
	l.sum += value * held.Seconds()
	l.weight += part * held.Seconds()
}

// mean is a part of a whole over time; at the last look where no time passed.
func (l *level) mean() float64 {
	switch {
	case l.weight > 0:
		return l.sum / l.weight
	case l.total > 0:
		return l.last / l.total
	}
	return 0
}

// Watch makes a measure that watches these books.
func Watch(name string, books *ledger.Ledger) *Measure {
	m := &Measure{books: books, levels: map[string]*level{}, step: time.Second}
	m.run = Run{Name: name, placed: map[string]placement{}}
	books.Watch(m)
	return m
}

// Placed notes where an ask went.
func (m *Measure) Placed(a *ledger.Ask) {
	m.count(a.Queue.Index, 1)
	if a.Restored {
		return
	}
	m.run.Allocated++
	m.waits.Add(m.books.Now - a.Submitted)
	if _, again := m.run.placed[a.ID]; !again {
		m.run.placed[a.ID] = placement{a.Node.ID, m.books.Now}
		m.run.order = append(m.run.order, a.ID)
	}
}

// Released counts what ended.
func (m *Measure) Released(a *ledger.Ask, _ core.Reason) { m.count(a.Queue.Index, -1) }

func (m *Measure) count(queue, by int) {
	for len(m.running) <= queue {
		m.running = append(m.running, 0)
		m.served = append(m.served, &level{})
	}
	m.running[queue] += by
}

// Preempted counts victims.
func (m *Measure) Preempted(p ledger.Preemption) {
	if !p.Observed {
		m.run.Preempted++
	}
}

// Decided counts policies that failed.
func (m *Measure) Decided(d *core.Decision) {
	if d.Type == core.PolicyFault {
		m.run.Faults++
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
	m.next = now + m.step
}

func (m *Measure) look(held time.Duration) {
	stranded, _ := m.books.Stranded()
	for i, name := range m.books.Types {
		capacity := float64(m.books.Capacity.At(i))
		m.level("used "+name).add(float64(m.books.Used.At(i)), capacity, held)
		m.level("stranded "+name).add(float64(stranded[i]), capacity, held)
	}
	m.lookAtQueues(held)
}

func (m *Measure) level(name string) *level {
	l := m.levels[name]
	if l == nil {
		l = &level{}
		m.levels[name] = l
	}
	return l
}

// lookAtQueues notes, for each leaf queue, how many of its asks run of those that would.
func (m *Measure) lookAtQueues(held time.Duration) {
	parents := make([]bool, len(m.books.Queues))
	for _, q := range m.books.Queues {
		m.count(q.Index, 0)
		if q.Parent != nil {
			parents[q.Parent.Index] = true
		}
	}
	for i, q := range m.books.Queues {
		if wanted := m.running[i] + q.Pending; !parents[i] && wanted > 0 {
			m.served[i].add(float64(m.running[i])/float64(wanted), 1, held)
		}
	}
}

// Result sums the run up; scheduling is the time spent inside the scheduler.
func (m *Measure) Result(scheduling time.Duration) *Run {
	m.look(m.books.Now - m.last)
	r := &m.run
	r.Pending = m.books.Pending
	if scheduling > 0 {
		r.Rate = float64(r.Allocated) / scheduling.Seconds()
	}
	r.Waits = Waits{m.waits.Percentile(50).Seconds(), m.waits.Percentile(99).Seconds(), m.waits.Max().Seconds()}
	r.Used, r.Stranded = map[string]float64{}, map[string]float64{}
	for _, name := range m.books.Types {
		r.Used[name], r.Stranded[name] = m.levels["used "+name].mean(), m.levels["stranded "+name].mean()
	}
	r.Fairness = m.fairness()
	return r
}

// fairness is Jain's index over the queues that wanted anything: the square of the sum by the number times the sum of
// squares.
func (m *Measure) fairness() float64 {
	n, sum, squares := 0.0, 0.0, 0.0
	for _, l := range m.served {
		if l.total > 0 {
			n, sum, squares = n+1, sum+l.mean(), squares+l.mean()*l.mean()
		}
	}
	if squares == 0 {
		return 1
	}
	return sum * sum / (n * squares)
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
