package ledger

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/resource"
)

// Figures are the results of a run over its time.
type Figures struct {
	Makespan   time.Duration // from the start to the last allocation that was made or ended
	Pending    Counts        // asks
	Oldest     time.Duration // how long the oldest of the asks that are pending at the end has waited
	Types      []TypeFigures // of the cluster, bytewise by name
	Queues     map[string]*QueueFigures
	Priorities []PriorityWaits // highest first
	Decisions  int
	Refused    string  // the first error of the first refused configuration; empty if none was refused
	Fairness   float64 // Jain's index of the shares of their demand that leaf queues got: 1 if all got the same
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

// TypeFigures are amounts of a resource type over time, in stored units. Levels count if they held for some time, or at the end. All
// but the first three are of the cluster alone.
type TypeFigures struct {
	Name       string
	Mean, Peak int64
	PeakAt     time.Duration // when Peak was first reached
	Capacity   int64         // mean over time
	Share      int64         // Mean of Capacity, in the units of resource.Share
	PeakShare  int64         // the largest share of the capacity at any one time

	Used, Stranded float64 // shares of the capacity, over time; Stranded is 0 unless the meter looks for it
}

// PriorityWaits are the waits of all asks of a priority that were allocated.
type PriorityWaits struct {
	Priority int32
	Others   bool // it stands for all that are not listed by themselves
	Waits    Waits
}

// Figures sums up the run, which ended at a time.
func (m *Meter) Figures(end time.Duration) *Figures {
	if !m.started {
		m.begin(end)
	}
	end = max(end, m.books.Now, m.start)
	m.enter(m.books.Now)
	over := instant.Sub(end, m.start)
	f := &Figures{
		Makespan: instant.Sub(m.moved, m.start), Pending: counts(&m.pending, end, over), Queues: map[string]*QueueFigures{}, Priorities: m.byPriority(),
		Decisions: m.decisions, Refused: m.refused, Fairness: m.fairness(end),
	}
	if m.detail.Stranded {
		m.lookForStranded()
	}
	for i := range m.types {
		t := &m.types[i]
		figures := m.typeFigures(i, &t.used, end, over)
		t.capacity.finish(end)
		figures.Capacity, figures.PeakShare = t.capacity.mean(over), t.peakShare
		figures.Share = resource.Share(figures.Mean, figures.Capacity)
		t.stranded.finish(end)
		figures.Used, figures.Stranded = t.used.share(&t.capacity), t.stranded.share(&t.capacity)
		f.Types = append(f.Types, figures)
	}
	slices.SortFunc(f.Types, byName)
	for _, q := range m.books.Queues {
		f.Queues[q.Path] = m.queueFigures(q, end, over)
	}
	m.oldest(f, end)
	return f
}

func (m *Meter) queueFigures(q *Queue, end, over time.Duration) *QueueFigures {
	own := m.queue(q)
	f := &QueueFigures{Leaf: q.Leaf, Pending: counts(&own.pending, end, over)}
	for i := range own.used {
		f.Types = append(f.Types, m.typeFigures(i, &own.used[i], end, over))
	}
	slices.SortFunc(f.Types, byName)
	return f
}

func byName(a, b TypeFigures) int { return cmp.Compare(a.Name, b.Name) }

func (m *Meter) typeFigures(i int, l *level, end, over time.Duration) TypeFigures {
	l.finish(end)
	return TypeFigures{Name: m.books.Types[i], Mean: l.mean(over), Peak: l.peak, PeakAt: l.peakAt}
}

// counts sums up a level that was entered in thousandths.
func counts(l *level, end, over time.Duration) Counts {
	l.finish(end)
	return Counts{Now: int(l.value / milli), MeanMilli: l.mean(over), Peak: int(l.peak / milli)}
}

// oldest finds how long the oldest ask of each queue has waited. Asks are read in the order in which they were submitted, so
// that the first of a queue is its oldest.
func (m *Meter) oldest(f *Figures, end time.Duration) {
	seen := make([]bool, len(m.books.Queues))
	for a := m.books.Oldest(); a != nil; a = a.Next() {
		f.Oldest = max(f.Oldest, instant.Sub(end, a.Submitted))
		for q := a.Queue; q != nil && !seen[q.Index]; q = q.Parent {
			seen[q.Index] = true
			f.Queues[q.Path].Oldest = instant.Sub(end, a.Submitted)
		}
	}
}

func (m *Meter) byPriority() []PriorityWaits {
	var all []PriorityWaits
	for _, p := range slices.Backward(slices.Sorted(maps.Keys(m.priorities))) {
		all = append(all, PriorityWaits{Priority: p, Waits: *m.priorities[p]})
	}
	if m.others != nil {
		all = append(all, PriorityWaits{Others: true, Waits: *m.others})
	}
	return all
}

// Queue returns the figures of a queue by its shown path: zeros where it had no applications.
func (f *Figures) Queue(path string) *QueueFigures {
	if q := f.Queues[path]; q != nil {
		return q
	}
	return &QueueFigures{}
}

// Type returns the figures of the cluster for a type, zeros where it was never there.
func (f *Figures) Type(name string) TypeFigures { return typeOf(f.Types, name) }

// Type returns the figures of the queue for a type, zeros where it was never used.
func (q *QueueFigures) Type(name string) TypeFigures { return typeOf(q.Types, name) }

func typeOf(types []TypeFigures, name string) TypeFigures {
	for _, t := range types {
		if t.Name == name {
			return t
		}
	}
	return TypeFigures{Name: name}
}
