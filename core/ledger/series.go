package ledger

import (
	"math"
	"time"

	"github.com/quern-project/quern/core/instant"
)

// Gauge is an amount that holds until it changes: a bucket has its mean over time.
type Gauge struct {
	g     *Grid
	area  []float64 // value x nanoseconds, by bucket
	value float64
	since time.Duration
}

// NewGauge makes one on a grid.
func NewGauge(g *Grid, at time.Duration) *Gauge { return onGrid(g, &Gauge{g: g, since: at}) }

// onGrid has a series follow the buckets of a grid.
func onGrid[S folder](g *Grid, s S) S {
	g.series = append(g.series, s)
	return s
}

// Set says that the amount is v from a time on.
func (s *Gauge) Set(at time.Duration, v float64) {
	if v == s.value {
		return
	}
	s.spread(at)
	s.value = v
}

// spread lays the present amount over the buckets up to a time.
func (s *Gauge) spread(to time.Duration) {
	s.g.Reach(to)
	for s.since < to {
		i := s.g.Bucket(s.since)
		end := min(to, instant.Add(s.g.Start, time.Duration(i+1)*s.g.Width))
		s.area = grown(s.area, i)
		s.area[i] += s.value * float64(instant.Sub(end, s.since))
		s.since = end
	}
}

func (s *Gauge) fold(n int) { s.area = foldSums(s.area, n) }

// Means are the means by bucket up to an end.
func (s *Gauge) Means(end time.Duration) []float64 {
	s.spread(end)
	all := make([]float64, s.g.Buckets(end))
	for i := range all {
		from := instant.Add(s.g.Start, time.Duration(i)*s.g.Width)
		covered := min(instant.Sub(end, from), s.g.Width)
		if covered <= 0 || i >= len(s.area) {
			all[i] = s.value
			continue
		}
		all[i] = s.area[i] / float64(covered)
	}
	return all
}

// Counter counts events by bucket.
type Counter struct {
	g      *Grid
	Counts []int // by bucket
	Total  int
}

// NewCounter makes one on a grid.
func NewCounter(g *Grid) *Counter { return onGrid(g, &Counter{g: g}) }

// Add counts n events.
func (s *Counter) Add(at time.Duration, n int) {
	s.g.Reach(at)
	i := s.g.Bucket(at)
	s.Counts = grown(s.Counts, i)
	s.Counts[i] += n
	s.Total += n
}

func (s *Counter) fold(n int) { s.Counts = foldSums(s.Counts, n) }

// List are the counts by bucket, up to an end at least.
func (s *Counter) List(end time.Duration) []int {
	n := s.g.Buckets(end)
	return grown(s.Counts, max(n, len(s.Counts))-1)[:max(n, len(s.Counts))]
}

// Samples are looked at once in a while: a bucket has the mean of what was seen in it, the highest, or nothing.
type Samples struct {
	g    *Grid
	sums []float64
	tops []float64
	seen []int
}

// NewSamples makes one on a grid.
func NewSamples(g *Grid) *Samples { return onGrid(g, &Samples{g: g}) }

// Add enters what was seen.
func (s *Samples) Add(at time.Duration, v float64) {
	s.g.Reach(at)
	i := s.g.Bucket(at)
	s.sums, s.tops, s.seen = grown(s.sums, i), grown(s.tops, i), grown(s.seen, i)
	s.sums[i] += v
	s.tops[i] = max(s.tops[i], v)
	s.seen[i]++
}

func (s *Samples) fold(n int) {
	tops := s.tops[:0]
	for i := 0; i < len(s.tops); i += n {
		top := 0.0
		for _, v := range s.tops[i:min(i+n, len(s.tops))] {
			top = max(top, v)
		}
		tops = append(tops, top)
	}
	s.tops = tops
	s.sums = foldSums(s.sums, n)
	s.seen = foldSums(s.seen, n)
}

// Merge enters what another series on the same grid saw.
func (s *Samples) Merge(o *Samples) {
	last := len(o.seen) - 1
	s.sums, s.tops, s.seen = grown(s.sums, last), grown(s.tops, last), grown(s.seen, last)
	for i := range o.seen {
		s.sums[i] += o.sums[i]
		s.tops[i] = max(s.tops[i], o.tops[i])
		s.seen[i] += o.seen[i]
	}
}

// Means has no number where nothing was seen.
func (s *Samples) Means(end time.Duration) []float64 {
	return s.list(end, func(i int) float64 { return s.sums[i] / float64(s.seen[i]) })
}

// Highs has no number where nothing was seen.
func (s *Samples) Highs(end time.Duration) []float64 {
	return s.list(end, func(i int) float64 { return s.tops[i] })
}

func (s *Samples) list(end time.Duration, value func(i int) float64) []float64 {
	all := make([]float64, max(s.g.Buckets(end), len(s.seen)))
	for i := range all {
		all[i] = math.NaN()
		if i < len(s.seen) && s.seen[i] > 0 {
			all[i] = value(i)
		}
	}
	return all
}
