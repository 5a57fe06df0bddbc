package resource

// Sum is a sum of vectors that may exceed the largest int64, as the sum of pending asks may. It is exact: subtracting a vector undoes
// adding it, also after an overflow.
type Sum struct {
	low  Vec      // the sum of each type, modulo 2^63
	high []uint64 // the sum of each type, divided by 2^63; nil until one exceeds that
}

// MoveTo moves the sum to other memory of the same length.
func (s *Sum) MoveTo(memory Vec) {
	copy(memory, s.low)
	s.low = memory
}

// Add adds amounts, which must not be negative.
func (s *Sum) Add(w Vec) {
	low := s.low[:len(w)]
	for t, amount := range w {
		if low[t] += amount; low[t] < 0 {
			low[t] &= Most
			s.carry(t, 1)
		}
	}
}

func (s *Sum) carry(t int, times uint64) {
	if s.high == nil {
		s.high = make([]uint64, len(s.low))
	}
	s.high[t] += times
}

// Sub subtracts amounts that were added before.
func (s *Sum) Sub(w Vec) {
	low := s.low[:len(w)]
	for t, amount := range w {
		if low[t] -= amount; low[t] < 0 {
			low[t] &= Most
			s.high[t]--
		}
	}
}

// AddSum adds another sum of the same width.
func (s *Sum) AddSum(other Sum) {
	s.Add(other.low)
	for t, n := range other.high {
		if n > 0 {
			s.carry(t, n)
		}
	}
}

// At returns the sum of a type, at most the largest int64.
func (s *Sum) At(t int) int64 {
	if s.high != nil && s.high[t] > 0 {
		return Most
	}
	return s.low[t]
}

// Vec returns the sums of all types, each at most the largest int64.
func (s *Sum) Vec() Vec {
	v := make(Vec, len(s.low))
	for t := range v {
		v[t] = s.At(t)
	}
	return v
}

// Widen adapts the sum to a new width of the table of types.
func (s *Sum) Widen(width int) {
	s.low = s.low.Widen(width, 0)
	if s.high != nil {
		high := make([]uint64, width)
		copy(high, s.high)
		s.high = high
	}
}
