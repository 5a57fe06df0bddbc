package ledger

import (
	"cmp"
	"slices"
	"time"
)

// mostNumbers bounds the numbers of all curves of queues together, so that a file of them stays of a size that programs open at
// once. The queues with the most allocations come first.
const mostNumbers = 400_000

// Curves are means by bucket of time; the last bucket ends with the run. NaN stands for a wait where no ask was allocated.
type Curves struct {
	Start, Width time.Duration
	Points       int
	Pending      []float64
	Used         map[string][]float64 // of the cluster, by type, in stored units
	Capacity     map[string][]float64
	Stranded     map[string][]float64 // empty unless the meter looks for it
	Queues       map[string]*QueueCurves
	Omitted      int // queues without curves, for want of room
}

// QueueCurves are those of a queue and all below it.
type QueueCurves struct {
	Used    map[string][]float64
	Pending []float64
	Waits   []float64 // seconds that asks had waited, mean of those allocated in the bucket
}

// Curves returns the curves of a run, which ended at a time; nil where none were wanted. The buckets are those of a run that
// ended at a later time, where reach says so, so that curves of several runs can be drawn together.
func (m *Meter) Curves(end, reach time.Duration) *Curves {
	if !m.detail.Curves {
		return nil
	}
	if !m.started {
		m.begin(end)
	}
	end = max(end, m.books.Now, m.start)
	m.grid.Reach(max(end, reach))
	c := &Curves{
		Start: m.start, Width: m.grid.Width, Points: m.grid.Buckets(end), Pending: m.waiting.Means(end),
		Used: map[string][]float64{}, Capacity: map[string][]float64{}, Stranded: map[string][]float64{}, Queues: map[string]*QueueCurves{},
	}
	for i := range m.types {
		name := m.books.Types[i]
		c.Used[name], c.Capacity[name] = m.types[i].usedCurve.Means(end), m.types[i].capacityCurve.Means(end)
		if m.detail.Stranded {
			c.Stranded[name] = m.types[i].strandedCurve.Means(end)
		}
	}
	if m.detail.Queues {
		m.queueCurves(c, end)
	}
	return c
}

// queueCurves adds the curves of queues, as far as they fit.
func (m *Meter) queueCurves(c *Curves, end time.Duration) {
	room := mostNumbers
	for _, q := range m.busiest() {
		own := m.queue(q)
		if room -= (len(own.curves) + 2) * c.Points; room < 0 {
			c.Omitted++
			continue
		}
		curves := &QueueCurves{Used: map[string][]float64{}, Pending: own.waiting.Means(end), Waits: own.waited.Means(end)}
		for i, g := range own.curves {
			curves.Used[m.books.Types[i]] = g.Means(end)
		}
		c.Queues[q.Path] = curves
	}
}

// busiest lists the queues, those with the most allocations first, and of equals the upper ones.
func (m *Meter) busiest() []*Queue {
	all := slices.Clone(m.books.Queues)
	placed := make([]int, len(all))
	for i := range all {
		for _, n := range m.queue(all[i]).waited.seen {
			placed[i] += n
		}
	}
	slices.SortStableFunc(all, func(a, b *Queue) int {
		return cmp.Or(-cmp.Compare(placed[a.Index], placed[b.Index]), cmp.Compare(len(a.Path), len(b.Path)), cmp.Compare(a.Path, b.Path))
	})
	return all
}
