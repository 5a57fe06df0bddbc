package resource

// Sum is a total of amounts that may pass the largest int64: what pending asks ask for has no bound, since none of them
// need ever fit. Nothing added is lost when something else is taken away again.
type Sum struct {
	low  Vec      // the total of each type, modulo 2^63
	high []uint64 // how many times 2^63 belong to it besides; nil while no type has passed that
}

// NewSum makes an empty total for vectors of a width.
func NewSum(width int) Sum { return Sum{low: make(Vec, width)} }

// MoveTo keeps the total in other memory from now on, as long as its own.
func (s *Sum) MoveTo(memory Vec) {
	copy(memory, s.low)
	s.low = memory
}

// Add adds amounts of at least 0.
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

// Sub takes away amounts that were added.
func (s *Sum) Sub(w Vec) {
	low := s.low[:len(w)]
	for t, amount := range w {
		if low[t] -= amount; low[t] < 0 {
			low[t] &= Most
			s.high[t]--
		}
	}
}

// AddSum adds another total of the same width.
func (s *Sum) AddSum(other Sum) {
	s.Add(other.low)
	for t, n := range other.high {
		if n > 0 {
			s.carry(t, n)
		}
	}
}

// At is the total of a type, or the largest int64 where it is more.
func (s *Sum) At(t int) int64 {
	if s.high != nil && s.high[t] > 0 {
		return Most
	}
	return s.low[t]
}

// Vec is the total of every type, each at most the largest int64.
func (s *Sum) Vec() Vec {
	v := make(Vec, len(s.low))
	for t := range v {
		v[t] = s.At(t)
	}
	return v
}

// Widen follows the table of types to a new width.
func (s *Sum) Widen(width int) {
	s.low = s.low.Widen(width, 0)
	if s.high != nil {
		high := make([]uint64, width)
		copy(high, s.high)
		s.high = high
	}
}
