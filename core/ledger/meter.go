package ledger

import (
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/resource"
)

// milli makes thousandths of a count, so that its mean may have a fraction.
const milli = 1000

// Detail says what a Meter measures beside averages and peaks.
type Detail struct {
	Curves   bool // of the cluster
	Queues   bool // curves of the queues too, which take memory for each queue
	Stranded bool // stranded room, which is looked for four times for each point of a curve at most, since that takes long
}

// Meter measures a run over its time: averages and peaks of usage and of pending asks, the makespan, waits by priority, fairness, and
// curves of bounded length. It watches the ledger of a whole run. Averages are exact except that of stranded room: integers are summed
// and divided once, so that thresholds and comparisons do not depend on the machine. Its memory does not grow with the run.
type Meter struct {
	NopWatcher
	books   *Ledger
	detail  Detail
	grid    *Grid
	started bool
	start   time.Duration
	moved   time.Duration // when an allocation was last made or ended

	looked    time.Duration // when stranded room was last looked for
	decisions int
	refused   string

	types   []clusterType
	pending level
	waiting *Gauge
	queues  []queue // by index
	dirty   []*Queue
	marked  []bool // by index of queue: it is among the dirty
	moving  bool   // applications went to other queues

	priorities map[int32]*Waits
	others     *Waits // of further priorities; nil: none
}

// clusterType is the use of the cluster in one type.
type clusterType struct {
	used, capacity, stranded level
	peakShare                int64
	usedCurve, capacityCurve *Gauge
	strandedCurve            *Gauge
}

// queue is the use of a queue and all below it.
type queue struct {
	met     bool
	served  served
	used    []level // by type
	pending level
	curves  []*Gauge // of used
	waiting *Gauge
	waited  *Samples // seconds, of the asks that were allocated
}

// Measure makes a meter that watches the ledger of a run that has not begun.
func Measure(books *Ledger, detail Detail) *Meter {
	detail.Curves = detail.Curves || detail.Queues
	m := &Meter{books: books, detail: detail, priorities: map[int32]*Waits{}}
	books.Watch(m)
	return m
}

func (m *Meter) begin(at time.Duration) {
	m.started, m.start, m.moved, m.looked = true, at, at, at
	m.pending.since = at
	m.grid = newGrid(at)
	m.waiting = m.gauge(m.detail.Curves)
}

// Until enters the state of the books as what holds from now to the next time.
func (m *Meter) Until(next time.Duration) {
	if !m.started {
		m.begin(next)
		return
	}
	m.enter(m.books.Now)
	m.grid.Reach(next)
	if m.detail.Stranded && next > m.books.Now && m.quarter(next) != m.quarter(m.looked) {
		m.looked = next
		m.lookForStranded()
	}
}

// quarter numbers the quarters of the points of curves.
func (m *Meter) quarter(at time.Duration) time.Duration {
	return instant.Sub(at, m.start) / (m.grid.Width / 4)
}

// lookForStranded enters the stranded room. It holds from the last change until the next look, so that it does not matter how often time
// advances without a change.
func (m *Meter) lookForStranded() {
	now := max(m.start, m.books.changed)
	room, _ := m.books.Stranded()
	for i, amount := range room[:len(m.types)] {
		m.types[i].stranded.set(now, amount)
		m.types[i].strandedCurve.set(now, amount)
	}
}

// enter takes what the books say as what holds from a time on.
func (m *Meter) enter(now time.Duration) {
	m.pending.set(now, int64(m.books.Pending)*milli)
	m.waiting.set(now, int64(m.books.Pending))
	for i := range m.books.Types {
		if i == len(m.types) {
			curves := m.detail.Curves
			t := clusterType{usedCurve: m.gauge(curves), capacityCurve: m.gauge(curves), strandedCurve: m.gauge(curves && m.detail.Stranded)}
			t.used.since, t.capacity.since, t.stranded.since = m.start, m.start, m.start
			m.types = append(m.types, t)
		}
		t, used, capacity := &m.types[i], m.books.Used.At(i), m.books.Capacity.At(i)
		t.used.set(now, used)
		t.capacity.set(now, capacity)
		t.peakShare = max(t.peakShare, resource.Share(used, capacity))
		t.usedCurve.set(now, used)
		t.capacityCurve.set(now, capacity)
	}
	if m.moving {
		m.moving = false
		for _, q := range m.books.Queues {
			m.touch(q)
		}
	}
	for _, q := range m.dirty {
		m.marked[q.Index] = false
		m.queue(q).enter(m, now, q)
	}
	m.dirty = m.dirty[:0]
}

func (q *queue) enter(m *Meter, now time.Duration, from *Queue) {
	q.served.set(now, from)
	q.pending.set(now, int64(from.Pending)*milli)
	q.waiting.set(now, int64(from.Pending))
	for i, amount := range from.Used {
		if i == len(q.used) {
			q.used = append(q.used, level{since: m.start})
			q.curves = append(q.curves, m.gauge(m.detail.Queues))
		}
		q.used[i].set(now, amount)
		q.curves[i].set(now, amount)
	}
}

// gauge makes a curve from the start of the run, or nil if none is wanted.
func (m *Meter) gauge(wanted bool) *Gauge {
	if !wanted {
		return nil
	}
	return NewGauge(m.grid, m.start)
}

// set is Set for an amount; without a curve it does nothing.
func (s *Gauge) set(at time.Duration, v int64) {
	if s != nil {
		s.Set(at, float64(v))
	}
}

func (m *Meter) queue(q *Queue) *queue {
	m.queues = grown(m.queues, q.Index)
	own := &m.queues[q.Index]
	if !own.met {
		own.met, own.pending.since, own.waiting = true, m.start, m.gauge(m.detail.Queues)
		if m.detail.Queues {
			own.waited = NewSamples(m.grid)
		}
	}
	return own
}

// touch marks the queues of an ask as changed.
func (m *Meter) touch(q *Queue) {
	for ; q != nil; q = q.Parent {
		m.marked = grown(m.marked, q.Index)
		if m.marked[q.Index] {
			continue
		}
		m.marked[q.Index] = true
		m.dirty = append(m.dirty, q)
	}
}

// Submitted notes that an ask waits.
func (m *Meter) Submitted(a *Ask) { m.touch(a.Queue) }

// Withdrawn notes that an ask waits no more.
func (m *Meter) Withdrawn(a *Ask) { m.touch(a.Queue) }

// Placed enters a wait, unless the ask came as an allocation.
func (m *Meter) Placed(a *Ask) {
	m.touch(a.Queue)
	if a.Restored {
		return
	}
	now := m.books.Now
	m.moved = now
	m.atPriority(a.Priority).Add(instant.Sub(now, a.Submitted))
	if !m.detail.Queues {
		return
	}
	for q := a.Queue; q != nil; q = q.Parent {
		m.queue(q).waited.Add(now, instant.Sub(now, a.Submitted).Seconds())
	}
}

// Released notes the end of an allocation.
func (m *Meter) Released(a *Ask, _ core.Reason) {
	m.touch(a.Queue)
	m.moved = m.books.Now
}

// Decided counts decisions, keeps the first error of a refused configuration, and follows applications to other queues.
func (m *Meter) Decided(d *core.Decision) {
	m.decisions++
	m.moving = m.moving || d.Type == core.AppMoved
	if d.Type == core.ConfigRejected && m.refused == "" && len(d.Errors) > 0 {
		m.refused = d.Errors[0]
	}
}

// mostPriorities is the maximum number of priorities with figures of their own. Later ones share one.
const mostPriorities = 64

func (m *Meter) atPriority(p int32) *Waits {
	if w := m.priorities[p]; w != nil {
		return w
	}
	w := &Waits{}
	switch {
	case len(m.priorities) < mostPriorities:
		m.priorities[p] = w
	case m.others == nil:
		m.others = w
	default:
		w = m.others
	}
	return w
}
