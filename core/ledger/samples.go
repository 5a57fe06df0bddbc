package ledger

import (
	"time"

	"github.com/quern-project/quern/core/instant"
)

// Mean is the mean over time of a part of a whole. The zero value has a mean of 0.
type Mean struct {
	sum, weight float64
	part, whole float64 // the last ones
}

// Hold adds a part and whole for a number of seconds.
func (m *Mean) Hold(part, whole, seconds float64) {
	m.part, m.whole = part, whole
	m.sum += part * seconds
	m.weight += whole * seconds
}

// Value returns the mean, or the last part if no time has passed.
func (m *Mean) Value() float64 {
	switch {
	case m.weight > 0:
		return m.sum / m.weight
	case m.whole > 0:
		return m.part / m.whole
	}
	return 0
}

// mostSamples is the number of samples at which each pair is merged, so that the step doubles. It is even.
const mostSamples = 512

// sample holds sums of levels over a time.
type sample struct {
	end, held time.Duration
	sums      []float64
}

// samples are sums of levels over the time of a run, each since the previous one. The incomplete one is embedded.
type samples struct {
	list []sample
	step time.Duration
	sample
}

// due reports whether the incomplete sample is complete after more time.
func (s *samples) due(held time.Duration) bool {
	return instant.Add(s.held, held) >= max(s.step, time.Second)
}

// sums returns the sums of the incomplete sample, at least n. Add to them before add.
func (s *samples) sums(n int) []float64 {
	s.sample.sums = grown(s.sample.sums, n-1)
	return s.sample.sums
}

// add completes an addition to the sums. end is its time, held its duration.
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

// all returns the samples, including the incomplete one.
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

// grown returns a list that has an index, with zero values appended if necessary.
func grown[T any](list []T, i int) []T {
	for len(list) <= i {
		var zero T
		list = append(list, zero)
	}
	return list
}
