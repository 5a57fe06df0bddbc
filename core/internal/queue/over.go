package queue

import (
	"time"

	"github.com/quern-project/quern/core/resource"
)

// Over describes a queue that uses more than its max while preemption by quota is on for it.
type Over struct {
	Since time.Duration
	// Tried is set by a round that could not end the excess. The next round is due only after a change of usage or configuration in
	// the queue.
	Tried bool

	Place   int  // index in the owner's list of such queues
	Noted   bool // something changed that may end the excess
	Changed bool // usage or configuration in the queue changed
}

// Excess returns by how much the usage that is not leaving exceeds a bound, by type, at least 0. It returns nil if no type does. The
// bound is the queue's max, or the one that will replace it.
func (q *Queue) Excess(bound resource.Vec) resource.Vec {
	var excess resource.Vec
	for t, limit := range bound {
		if limit == resource.Unlimited {
			continue
		}
		if over := q.StayingUsage(t) - limit; over > 0 {
			if excess == nil {
				excess = make(resource.Vec, len(bound))
			}
			excess[t] = over
		}
	}
	return excess
}

// GivesAbove reports whether victims of a quota round of an ancestor are still leaving.
func (q *Queue) GivesAbove() bool {
	for p := q.Parent; p != nil; p = p.Parent {
		if p.QuotaVictims > 0 {
			return true
		}
	}
	return false
}
