package queue

import (
	"time"

	"github.com/quern-project/quern/core/resource"
)

// Over is since when a queue uses more than its max while preemption by quota is on for it.
type Over struct {
	Since time.Duration
	// Tried is set by a round that could not end the excess: no other is due until usage or configuration in the queue changes.
	Tried bool

	Place   int  // in the owner's list of such queues
	Noted   bool // something changed that may end the excess
	Changed bool // usage or configuration in the queue
}

// Excess is by how much what stays in the queue passes its max, by type, at least 0; nil: by nothing. bound is the max, or what
// is to take its place.
func (q *Queue) Excess(bound resource.Vec) resource.Vec {
	var excess resource.Vec
	for t, limit := range bound {
		if limit == resource.Unlimited {
			continue
		}
		if over := q.Stays(t) - limit; over > 0 {
			if excess == nil {
				excess = make(resource.Vec, len(bound))
			}
			excess[t] = over
		}
	}
	return excess
}

// GivesAbove reports whether victims of a round of a queue above are still leaving.
func (q *Queue) GivesAbove() bool {
	for p := q.Parent; p != nil; p = p.Parent {
		if p.Giving > 0 {
			return true
		}
	}
	return false
}
