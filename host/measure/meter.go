package measure

import (
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/ledger"
	"github.com/quern-project/quern/core/resource"
)

// mostPoints is how many points a curve has at most.
const mostPoints = 160

// milli makes thousandths of a count, so that its mean may have a fraction.
const milli = 1000

// Meter measures a run.
type Meter struct {
	ledger.NopWatcher
	books   *ledger.Ledger
	curves  *Grid // nil: no curves are wanted
	curved  bool
	started bool
	start   time.Duration
	moved   time.Duration // when an allocation was last made or ended

	types   []clusterType
	pending level
	waiting *Gauge
	queues  []queue // by index
	dirty   []*ledger.Queue
	marked  []bool // by index of queue: it is among the dirty
	moving  bool   // applications went to other queues

	priorities map[int32]*ledger.Waits
	others     *ledger.Waits // of further priorities; nil: none
}

// clusterType is the use of the cluster in one type.
type clusterType struct {
	used, capacity level
	peakShare      int64
	usedCurve      *Gauge
	capacityCurve  *Gauge
}

// queue is the use of a queue and all below it.
type queue struct {
	met     bool
	used    []level // by type
	pending level
	curves  []*Gauge // of used
	waiting *Gauge
	waited  *Samples // seconds, of the asks that were allocated
}

// Watch makes a meter of the books of a run that has not begun. Curves cost memory for each queue.
func Watch(books *ledger.Ledger, curves bool) *Meter {
	m := &Meter{books: books, curved: curves, priorities: map[int32]*ledger.Waits{}}
	books.Watch(m)
	return m
}

func (m *Meter) begin(at time.Duration) {
	m.started, m.start, m.moved = true, at, at
	m.pending.since = at
	if m.curved {
		m.curves = NewGrid(at, mostPoints)
		m.waiting = NewGauge(m.curves, at)
	}
}

// Until enters the state of the books as what holds from now to the next time.
func (m *Meter) Until(next time.Duration) {
	if !m.started {
		m.begin(next)
		return
	}
	m.enter(m.books.Now)
	if m.curves != nil {
		m.curves.Reach(next)
	}
}

// enter takes what the books say as what holds from a time on.
func (m *Meter) enter(now time.Duration) {
	m.pending.set(now, int64(m.books.Pending)*milli)
	m.waiting.set(now, int64(m.books.Pending))
	for i := range m.books.Types {
		if i == len(m.types) {
			t := clusterType{usedCurve: m.gauge(), capacityCurve: m.gauge()}
			t.used.since, t.capacity.since = m.start, m.start
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

func (q *queue) enter(m *Meter, now time.Duration, from *ledger.Queue) {
	q.pending.set(now, int64(from.Pending)*milli)
	q.waiting.set(now, int64(from.Pending))
	for i, amount := range from.Used {
		if i == len(q.used) {
			q.used = append(q.used, level{since: m.start})
			q.curves = append(q.curves, m.gauge())
		}
		q.used[i].set(now, amount)
		q.curves[i].set(now, amount)
	}
}

// gauge makes a curve from the start of the run; nil: none is wanted.
func (m *Meter) gauge() *Gauge {
	if m.curves == nil {
		return nil
	}
	return NewGauge(m.curves, m.start)
}

// set is Set for an amount; without a curve it does nothing.
func (s *Gauge) set(at time.Duration, v int64) {
	if s != nil {
		s.Set(at, float64(v))
	}
}

func (m *Meter) queue(q *ledger.Queue) *queue {
	m.queues = grown(m.queues, q.Index)
	own := &m.queues[q.Index]
	if !own.met {
		own.met, own.pending.since, own.waiting = true, m.start, m.gauge()
		if m.curves != nil {
			own.waited = NewSamples(m.curves)
		}
	}
	return own
}

// touch marks the queues of an ask as changed.
func (m *Meter) touch(q *ledger.Queue) {
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
func (m *Meter) Submitted(a *ledger.Ask) { m.touch(a.Queue) }

// Withdrawn notes that an ask waits no more.
func (m *Meter) Withdrawn(a *ledger.Ask) { m.touch(a.Queue) }

// Placed enters a wait, unless the ask came as an allocation.
func (m *Meter) Placed(a *ledger.Ask) {
	m.touch(a.Queue)
	if a.Restored {
		return
	}
	now := m.books.Now
	m.moved = now
	m.atPriority(a.Priority).Add(now - a.Submitted)
	if m.curves == nil {
		return
	}
	for q := a.Queue; q != nil; q = q.Parent {
		m.queue(q).waited.Add(now, (now - a.Submitted).Seconds())
	}
}

// Released notes the end of an allocation.
func (m *Meter) Released(a *ledger.Ask, _ core.Reason) {
	m.touch(a.Queue)
	m.moved = m.books.Now
}

// Decided follows applications to other queues.
func (m *Meter) Decided(d *core.Decision) {
	m.moving = m.moving || d.Type == core.AppMoved
}

// mostPriorities bounds how many priorities are told apart; those that are met later count together.
const mostPriorities = 64

func (m *Meter) atPriority(p int32) *ledger.Waits {
	if w := m.priorities[p]; w != nil {
		return w
	}
	w := &ledger.Waits{}
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
