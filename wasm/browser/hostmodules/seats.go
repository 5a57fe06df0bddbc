package hostmodules

import (
	"slices"

	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/wasm/module/guest"
)

// evaluator answers for one scheduler. It has instances only while it has a seat.
type evaluator struct {
	*guest.Evaluator
	seats *seats
}

// Eval answers a batch, on a fresh instance where it lost its own.
func (e *evaluator) Eval(b *policy.Batch) error {
	e.seats.take(e)
	return e.Evaluator.Eval(b)
}

// seats bounds how many instances there are: the end of a scheduler is not reported, and each instance holds memory. A module
// is a pure function, so that one which answers again after a while may do so on a fresh instance.
type seats struct {
	taken []*evaluator // the longest unused first
}

// mostSeats is how many instances there are at most, beside one that is being tried.
const mostSeats = 16

// take gives an evaluator seats for its instances, the acting and the spare one, for which the longest unused leave if need be.
func (s *seats) take(e *evaluator) {
	n := len(s.taken)
	if n > 0 && s.taken[n-1] == e {
		return
	}
	if i := slices.Index(s.taken, e); i >= 0 {
		s.taken = slices.Delete(s.taken, i, i+1)
	}
	used := 2
	for _, other := range s.taken {
		used += other.Instances()
	}
	for used > mostSeats {
		used -= s.taken[0].Instances()
		s.taken[0].Close()
		s.taken = slices.Delete(s.taken, 0, 1)
	}
	s.taken = append(s.taken, e)
}

// clear frees all seats.
func (s *seats) clear() {
	for _, e := range s.taken {
		e.Close()
	}
	s.taken = nil
}
