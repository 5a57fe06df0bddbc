package state

import (
	"math"
	"slices"
	"time"

	"github.com/quern-project/quern/core/internal/app"
)

// Precedence knows the lowest priority allocated since any time: later entries have higher priorities, since what was
// allocated before something lower does not matter any more. It has at most one entry for each priority.
type Precedence []AllocatedAt

// AllocatedAt is an allocation of a priority at a time.
type AllocatedAt struct {
	At       time.Duration
	Priority int32 // as root saw it then
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

// Lowest is the lowest priority allocated at a time or later; math.MaxInt32: none has been allocated.
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

// valid reports whether the entries are as add leaves them.
func (p Precedence) valid(now time.Duration) bool {
	for i, a := range p {
		if a.At > now || i > 0 && (a.At < p[i-1].At || a.Priority <= p[i-1].Priority) {
			return false
		}
	}
	return true
}

// SeenByRoot is an ask's priority as root sees it.
func (s *State) SeenByRoot(ask *app.Ask) int32 { return s.QueueOf(ask).SeenBy(s.Root, ask.Priority) }
