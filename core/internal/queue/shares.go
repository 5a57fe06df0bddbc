package queue

import (
	"math/bits"

	"github.com/quern-project/quern/core/resource"
)

// FairShare is the largest share, over the types used or guaranteed, in billionths. total is the cluster's.
func (q *Queue) FairShare(total resource.Vec) int64 {
	used, _ := q.shares(total)
	return used
}

// PendingShare is the largest share of the cluster, over types, that waits in the queue.
func (q *Queue) PendingShare(total resource.Vec) int64 {
	_, waiting := q.shares(total)
	return waiting
}

// shares are FairShare and PendingShare.
func (q *Queue) shares(total resource.Vec) (used, waiting int64) {
	amounts, measures := q.Used[:len(total)], q.measures[:len(total)]
	for t, whole := range total {
		if amount := amounts[t]; amount > 0 {
			by := measures[t]
			if by == resource.Unlimited {
				by = whole
			}
			if used == 0 || exceeds(amount, by, used) {
				used = resource.Share(amount, by)
			}
		}
		if amount := q.Waiting.At(t); amount > 0 && (waiting == 0 || exceeds(amount, whole, waiting)) {
			waiting = resource.Share(amount, whole)
		}
	}
	return used, waiting
}

// Denominator is what usage of a type is measured by: what is guaranteed of it, else the nearest max.
func (q *Queue) Denominator(t int, total resource.Vec) int64 {
	if m := q.measures[t]; m != resource.Unlimited {
		return m
	}
	return total[t]
}

// exceeds reports whether the share of an amount, rounded down, is above another share. It multiplies, so that a division is
// needed only for the largest share: the types of a queue are often used alike.
func exceeds(amount, denominator, share int64) bool {
	if denominator <= 0 {
		return share < resource.ShareUnit
	}
	high, low := bits.Mul64(uint64(amount), resource.ShareUnit)
	limitHigh, limitLow := bits.Mul64(uint64(share)+1, uint64(denominator))
	return high > limitHigh || high == limitHigh && low >= limitLow
}
