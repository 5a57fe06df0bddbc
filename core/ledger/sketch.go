package ledger

import (
	"math/bits"
	"time"
)

const (
	// exactValues is the number of different values up to which a Sketch keeps each.
	exactValues = 2048
	// roundedBits is the number of leading binary digits of the values that it keeps beyond that.
	roundedBits = 8
)

// Sketch is a multiset of integers from 0 in bounded memory. Total, mean and maximum are exact. Percentiles are exact up to 2048
// different values; beyond that, they are rounded down by less than 1/128. Equal multisets have equal percentiles, whatever the order in
// which their values were added or their parts merged. The zero value is empty.
type Sketch struct {
	values  Waits // rounded down if rounded
	rounded bool
	sum     Area
	most    int64
}

// Add adds a value, which is not negative.
func (s *Sketch) Add(v int64) {
	s.sum.add(v, 1)
	s.most = max(s.most, v)
	s.insert(Count{time.Duration(v), 1})
	s.bound()
}

func (s *Sketch) insert(c Count) {
	if s.rounded {
		c.Value = roundedDown(c.Value)
	}
	s.values.add(c)
}

// merge adds all values of another multiset.
func (s *Sketch) merge(other *Sketch) {
	s.sum.plus(other.sum)
	s.most = max(s.most, other.most)
	if other.rounded {
		s.round()
	}
	for _, c := range other.values.Counts() {
		s.insert(c)
		s.bound()
	}
}

// bound rounds the values if there are too many different ones.
func (s *Sketch) bound() {
	if !s.rounded && len(s.values.counts) > exactValues {
		s.round()
	}
}

func (s *Sketch) round() {
	if s.rounded {
		return
	}
	s.rounded = true
	exact := s.values.Counts()
	s.values = Waits{}
	for _, c := range exact {
		s.insert(c)
	}
}

// roundedDown keeps the leading digits of a value.
func roundedDown(v time.Duration) time.Duration {
	shift := max(0, bits.Len64(uint64(v))-roundedBits)
	return v >> shift << shift
}

// Total returns the number of values.
func (s *Sketch) Total() int { return s.values.total }

// Mean returns the mean, rounded down, or 0 for an empty multiset.
func (s *Sketch) Mean() int64 {
	if s.Total() == 0 {
		return 0
	}
	mean, _ := bits.Div64(s.sum.hi, s.sum.lo, uint64(s.Total()))
	return int64(mean)
}

// Percentile returns the value of the nearest rank, as that of Waits does, or 0 for an empty multiset.
func (s *Sketch) Percentile(p int) int64 {
	s.values.settle()
	s.bound()
	if p >= 100 {
		return s.most
	}
	return int64(s.values.Percentile(p))
}

// Max returns the largest value, or 0 for an empty multiset.
func (s *Sketch) Max() int64 { return s.most }
