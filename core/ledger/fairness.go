package ledger

import (
	"time"

	"github.com/quern-project/quern/core/instant"
)

// served is the share of its allocations in its asks and allocations that a leaf queue had, over the time in which it had any.
type served struct {
	sum, weight float64 // in seconds
	share       float64
	wanted      bool
	since       time.Duration
}

// set enters the share from a time on.
func (s *served) set(at time.Duration, q *Queue) {
	s.hold(at)
	all := q.Running + q.Pending
	s.wanted, s.share = q.Leaf && all > 0, 0
	if s.wanted {
		s.share = float64(q.Running) / float64(all)
	}
}

func (s *served) hold(to time.Duration) {
	if seconds := instant.Sub(to, s.since).Seconds(); s.wanted && seconds > 0 {
		s.sum += s.share * seconds
		s.weight += seconds
	}
	s.since = max(s.since, to)
}

// mean returns the mean over time, or the present share if no time has passed. ok is false for a queue without demand.
func (s *served) mean() (v float64, ok bool) {
	if s.weight > 0 {
		return s.sum / s.weight, true
	}
	return s.share, s.wanted
}

// fairness returns Jain's index of the served shares of the queues that had any demand: the square of the sum, divided by the number
// times the sum of squares. It is 1 without such queues.
func (m *Meter) fairness(end time.Duration) float64 {
	n, sum, squares := 0.0, 0.0, 0.0
	for i := range m.queues {
		s := &m.queues[i].served
		s.hold(end)
		if v, ok := s.mean(); ok {
			n, sum, squares = n+1, sum+v, squares+v*v
		}
	}
	if squares == 0 {
		return 1
	}
	return sum * sum / (n * squares)
}
