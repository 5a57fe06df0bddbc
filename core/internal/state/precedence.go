package state

import (
	"math"
	"slices"
	"time"

	"github.com/quern-project/quern/core/internal/app"
)

// Precedence answers which was the lowest priority allocated since a time. Later entries have higher priorities, since an allocation before
// one of lower priority no longer matters. So there is at most one entry per priority.
type Precedence []AllocatedAt

// AllocatedAt is an allocation of an ask with a priority at a time.
type AllocatedAt struct {
	At       time.Duration
	Priority int32 // in the view of root at that time
}

func (p *Precedence) add(at time.Duration, priority int32) {
	list := *p
	if last := len(list) - 1; last >= 0 && list[last] == (AllocatedAt{at, priority}) {
		return
	}
	for len(list) > 0 && list[len(list)-1].Priority >= priority {
		list = list[:len(list)-1]
	}
	*p = append(list, AllocatedAt{at, priority})
}

// Lowest returns the lowest priority allocated at a time or later, or math.MaxInt32 if there was no allocation.
func (p Precedence) Lowest(since time.Duration) int32 {
	i, _ := slices.BinarySearchFunc(p, since, func(a AllocatedAt, t time.Duration) int {
		if a.At < t {
			return -1
		}
		return 1
	})
	if i == len(p) {
		return math.MaxInt32
	}
	return p[i].Priority
}

// valid reports whether the entries are sorted as add leaves them, and none is later than now.
func (p Precedence) valid(now time.Duration) bool {
	for i, a := range p {
		if a.At > now || i > 0 && (a.At < p[i-1].At || a.Priority <= p[i-1].Priority) {
			return false
		}
	}
	return true
}

// SeenByRoot returns an ask's priority in the view of root.
func (s *State) SeenByRoot(ask app.Ask) int32 {
	return s.Queues().SeenBy(s.QueueOf(ask), s.Queues().Root(), ask.Priority())
}
