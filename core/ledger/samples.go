package ledger

import (
	"time"

	"github.com/quern-project/quern/core/instant"
)

// Mean is a part of a whole that is held for times, and its mean over time. The zero value is that of nothing.
type Mean struct {
	sum, weight float64
	part, whole float64 // as last held
}

// Hold holds a level for so many seconds.
func (m *Mean) Hold(part, whole, seconds float64) {
	m.part, m.whole = part, whole
	m.sum += part * seconds
	m.weight += whole * seconds
}

// Value is the part over time; as last held where no time passed.
func (m *Mean) Value() float64 {
	switch {
	case m.weight > 0:
		return m.sum / m.weight
	case m.whole > 0:
		return m.part / m.whole
	}
	return 0
}

// mostSamples bounds the samples, an even number: where there are so many, pairs become one and the step doubles.
const mostSamples = 512

// sample holds sums of levels over some time.
type sample struct {
	end, held time.Duration
	sums      []float64
}

// samples are sums of levels over the time of a run, each since the one before. The one that is under way is embedded.
type samples struct {
	list []sample
	step time.Duration
	sample
}

// due reports whether the sample that is under way is complete with more time.
func (s *samples) due(held time.Duration) bool {
	return instant.Add(s.held, held) >= max(s.step, time.Second)
}

// sums returns the sums of the sample that is under way, at least so many, to be added to before add.
func (s *samples) sums(n int) []float64 {
	s.sample.sums = grown(s.sample.sums, n-1)
	return s.sample.sums
}

// add ends what was added to the sums at a time.
func (s *samples) add(end, held time.Duration) {
	done := s.due(held)
	s.end = end
	s.held = instant.Add(s.held, held)
	if !done {
		return
	}
	s.list = append(s.list, s.sample)
	s.sample = sample{end: end}
	if len(s.list) == mostSamples {
		s.thin()
	}
}

// all are the samples, with the one that is under way.
func (s *samples) all() []sample {
	if s.held > 0 {
		return append(s.list, s.sample)
	}
	return s.list
}

func (s *samples) thin() {
	for i := range mostSamples / 2 {
		first, second := &s.list[2*i], &s.list[2*i+1]
		sums := grown(first.sums, len(second.sums)-1)
		for k, v := range second.sums {
			sums[k] += v
		}
		s.list[i] = sample{second.end, instant.Add(first.held, second.held), sums}
	}
	s.list = s.list[:mostSamples/2]
	s.step = 2 * max(s.step, time.Second)
}

// grown lengthens a list so that it has an index.
func grown[T any](list []T, i int) []T {
	for len(list) <= i {
		var zero T
		list = append(list, zero)
	}
	return list
}
