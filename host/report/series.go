package report

import (
	"math"
	"time"
)

// gauge is an amount that holds until it changes: a bucket has its mean over time.
type gauge struct {
	g     *grid
	area  []float64 // value x nanoseconds, by bucket
	value float64
	since time.Duration
}

func newGauge(g *grid, at time.Duration) *gauge {
	s := &gauge{g: g, since: at}
	g.series = append(g.series, s)
	return s
}

// set says that the amount is v from a time on.
func (s *gauge) set(at time.Duration, v float64) {
	if v == s.value {
		return
	}
	s.spread(at)
	s.value = v
}

// spread lays the present amount over the buckets up to a time.
func (s *gauge) spread(to time.Duration) {
	s.g.reach(to)
	for s.since < to {
		i := s.g.bucket(s.since)
		end := min(to, s.g.start+time.Duration(i+1)*s.g.width)
		s.area = grown(s.area, i)
		s.area[i] += s.value * float64(end-s.since)
		s.since = end
	}
}

func (s *gauge) fold(n int) { s.area = foldSums(s.area, n) }

// means are the means by bucket up to an end.
func (s *gauge) means(end time.Duration) []number {
	s.spread(end)
	all := make([]number, s.g.buckets(end))
	for i := range all {
		from := s.g.start + time.Duration(i)*s.g.width
		covered := min(end-from, s.g.width)
		if covered <= 0 || i >= len(s.area) {
			all[i] = number(s.value)
			continue
		}
		all[i] = number(s.area[i] / float64(covered))
	}
	return all
}

// counter counts events by bucket.
type counter struct {
	g      *grid
	counts []int
	total  int
}

func newCounter(g *grid) *counter {
	s := &counter{g: g}
	g.series = append(g.series, s)
	return s
}

func (s *counter) add(at time.Duration, n int) {
	s.g.reach(at)
	i := s.g.bucket(at)
	s.counts = grown(s.counts, i)
	s.counts[i] += n
	s.total += n
}

func (s *counter) fold(n int) { s.counts = foldSums(s.counts, n) }

func (s *counter) list(end time.Duration) []int {
	n := s.g.buckets(end)
	return grown(s.counts, max(n, len(s.counts))-1)[:max(n, len(s.counts))]
}

// samples are looked at once in a while: a bucket has the mean of what was seen in it, the highest, or nothing.
type samples struct {
	g    *grid
	sums []float64
	tops []float64
	seen []int
}

func newSamples(g *grid) *samples {
	s := &samples{g: g}
	g.series = append(g.series, s)
	return s
}

func (s *samples) add(at time.Duration, v float64) {
	s.g.reach(at)
	i := s.g.bucket(at)
	s.sums, s.tops, s.seen = grown(s.sums, i), grown(s.tops, i), grown(s.seen, i)
	s.sums[i] += v
	s.tops[i] = max(s.tops[i], v)
	s.seen[i]++
}

func (s *samples) fold(n int) {
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

// means has no number where nothing was seen.
func (s *samples) means(end time.Duration) []number {
	return s.list(end, func(i int) float64 { return s.sums[i] / float64(s.seen[i]) })
}

// highs has no number where nothing was seen.
func (s *samples) highs(end time.Duration) []number {
	return s.list(end, func(i int) float64 { return s.tops[i] })
}

func (s *samples) list(end time.Duration, value func(i int) float64) []number {
	all := make([]number, max(s.g.buckets(end), len(s.seen)))
	for i := range all {
		all[i] = number(math.NaN())
		if i < len(s.seen) && s.seen[i] > 0 {
			all[i] = number(value(i))
		}
	}
	return all
}
