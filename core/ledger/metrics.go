package ledger

import (
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/instant"
)

// Metrics measures a run over time: waits, usage, stranded room and fairness, as means and as curves. Its memory does not grow with the
// run. It watches the ledger of a whole run.
type Metrics struct {
	NopWatcher
	books     *Ledger
	start     time.Duration
	used      []Mean // by type
	stranded  []Mean
	served    []Mean // by queue: the share of its allocations in its asks and allocations
	samples   samples
	looked    time.Duration // the last time for which stranded room was computed, which is too slow for every change
	moved     time.Duration // the last time at which an allocation was made or ended
	decisions int
	refused   string
}

// Figures are the results of a run. Times are in seconds since its start. Used and Stranded are shares of the capacity, by the index of
// the type. In a curve, each value is the mean since the previous time.
type Figures struct {
	Decisions, Allocated, Pending, Preempted int
	Faults                                   int    // number of policy faults
	Refused                                  string // the first error of the first refused configuration; empty if none was refused

	WaitMean, WaitP50, WaitP95, WaitP99, WaitMax float64 // of the allocated asks
	Makespan                                     float64 // from the start to the last change of an allocation
	Fairness                                     float64 // 1 if every leaf queue got the same share of its demand
	Types                                        []string
	Used, Stranded                               []float64 // means over time; stranded room is free where no pending ask fits

	Times, PendingCurve        []float64
	UsedCurves, StrandedCurves [][]float64
	WaitCurve                  [][]float64 // pairs of a wait, in ascending order, and the share of waits that do not exceed it
}

// Measure makes metrics of a ledger, from a time on.
func Measure(books *Ledger, start time.Duration) *Metrics {
	m := &Metrics{books: books, start: start, looked: start, moved: start}
	m.samples.end = start
	books.Watch(m)
	return m
}

// Placed records the time of a change.
func (m *Metrics) Placed(a *Ask) {
	if !a.Restored {
		m.moved = m.books.Now
	}
}

// Released records the time of a change.
func (m *Metrics) Released(*Ask, core.Reason) { m.moved = m.books.Now }

// Decided counts decisions, and keeps the first error of a refused configuration.
func (m *Metrics) Decided(d *core.Decision) {
	m.decisions++
	if d.Type == core.ConfigRejected && m.refused == "" && len(d.Errors) > 0 {
		m.refused = d.Errors[0]
	}
}

// Until adds the current levels for the time until next.
func (m *Metrics) Until(next time.Duration) {
	held := instant.Sub(next, m.samples.end)
	if held <= 0 {
		return
	}
	var room []int64
	if m.samples.due(held) {
		room = m.look(next)
	}
	m.hold(next, held, room, instant.Sub(next, m.looked))
	if room != nil {
		m.looked = next
	}
}

// look computes the stranded room, and adds it for the time since it was last computed.
func (m *Metrics) look(next time.Duration) []int64 {
	room, _ := m.books.Stranded()
	for i, amount := range room {
		m.stranded = grown(m.stranded, i)
		m.stranded[i].Hold(float64(amount), float64(m.books.Capacity.At(i)), (instant.Sub(next, m.looked)).Seconds())
	}
	return room
}

// hold adds all levels for a time. room is nil unless it was computed, and is added for roomHeld.
func (m *Metrics) hold(end, held time.Duration, room []int64, roomHeld time.Duration) {
	b, seconds := m.books, held.Seconds()
	sums := m.samples.sums(3*len(b.Types) + 1)
	sums[0] += float64(b.Pending) * seconds
	for i := range b.Types {
		used, capacity := float64(b.Used.At(i)), float64(b.Capacity.At(i))
		m.used = grown(m.used, i)
		m.used[i].Hold(used, capacity, seconds)
		sums[3*i+1] += used * seconds
		sums[3*i+2] += capacity * seconds
		if room != nil {
			sums[3*i+3] += float64(room[i]) * roomHeld.Seconds()
		}
	}
	for i, q := range b.Queues {
		m.served = grown(m.served, i)
		if wanted := q.Running + q.Pending; q.Leaf && wanted > 0 {
			m.served[i].Hold(float64(q.Running)/float64(wanted), 1, seconds)
		}
	}
	m.samples.add(end, held)
}

// Figures returns the results of the run, which ended at a time.
func (m *Metrics) Figures(end time.Duration) Figures {
	end = max(end, m.books.Now)
	m.Until(end)
	m.hold(end, 0, m.look(end), instant.Sub(end, m.looked))
	m.looked = end
	b := m.books
	t := &b.Totals
	f := Figures{
		Decisions: m.decisions, Allocated: t.Allocated, Pending: b.Pending, Preempted: t.Preempted, Refused: m.refused,
		Makespan: (instant.Sub(m.moved, m.start)).Seconds(), Fairness: Fairness(m.served), Types: b.Types,
	}
	for _, n := range t.Faults {
		f.Faults += n
	}
	m.waits(&f)
	m.curves(&f)
	for i := range b.Types {
		m.stranded = grown(m.stranded, i)
		f.Used, f.Stranded = append(f.Used, m.used[i].Value()), append(f.Stranded, m.stranded[i].Value())
	}
	return f
}

// mostWaits is the maximum number of points of the curve of waits.
const mostWaits = 400

func (m *Metrics) waits(f *Figures) {
	all := m.books.Waits()
	sum, passed, counts := 0.0, 0, all.Counts()
	every := (len(counts) + mostWaits - 1) / mostWaits
	for i, c := range counts {
		sum += c.Value.Seconds() * float64(c.Times)
		passed += c.Times
		if (len(counts)-1-i)%every == 0 {
			f.WaitCurve = append(f.WaitCurve, []float64{c.Value.Seconds(), float64(passed) / float64(all.total)})
		}
	}
	if all.total > 0 {
		f.WaitMean = sum / float64(all.total)
	}
	f.WaitP50, f.WaitP95 = all.Percentile(50).Seconds(), all.Percentile(95).Seconds()
	f.WaitP99, f.WaitMax = all.Percentile(99).Seconds(), all.Max().Seconds()
}

// curves divides the sums of each sample by their wholes.
func (m *Metrics) curves(f *Figures) {
	types := len(m.books.Types)
	f.UsedCurves, f.StrandedCurves = make([][]float64, types), make([][]float64, types)
	for _, s := range m.samples.all() {
		f.Times = append(f.Times, (instant.Sub(s.end, m.start)).Seconds())
		f.PendingCurve = append(f.PendingCurve, s.sums[0]/s.held.Seconds())
		for i := range types {
			used, stranded := 0.0, 0.0
			if 3*i+3 < len(s.sums) && s.sums[3*i+2] > 0 {
				used, stranded = s.sums[3*i+1]/s.sums[3*i+2], s.sums[3*i+3]/s.sums[3*i+2]
			}
			f.UsedCurves[i], f.StrandedCurves[i] = append(f.UsedCurves[i], used), append(f.StrandedCurves[i], stranded)
		}
	}
}

// Fairness returns Jain's index of the served shares of the queues that had any demand: the square of the sum, divided by the number
// times the sum of squares. It is 1 without such queues.
func Fairness(served []Mean) float64 {
	n, sum, squares := 0.0, 0.0, 0.0
	for i := range served {
		if s := &served[i]; s.whole > 0 {
			v := s.Value()
			n, sum, squares = n+1, sum+v, squares+v*v
		}
	}
	if squares == 0 {
		return 1
	}
	return sum * sum / (n * squares)
}
