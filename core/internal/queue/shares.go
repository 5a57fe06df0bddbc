package queue

import (
	"math/bits"

	"github.com/quern-project/quern/core/resource"
)

// FairShare returns the largest used share over all types, in billionths. total is the capacity of the cluster.
func (q *Queue) FairShare(total resource.Vec) int64 {
	used, _ := q.shares(total)
	return used
}

// PendingShare returns the largest share of the cluster, over all types, that is pending in the queue, in billionths.
func (q *Queue) PendingShare(total resource.Vec) int64 {
	_, waiting := q.shares(total)
	return waiting
}

// shares returns FairShare and PendingShare.
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

// Denominator returns the amount by which usage of a type is divided: the guarantee, or else the nearest max, or else the total.
func (q *Queue) Denominator(t int, total resource.Vec) int64 {
	if m := q.measures[t]; m != resource.Unlimited {
		return m
	}
	return total[t]
}

// exceeds reports whether the share of an amount, rounded down, is larger than another share. It only multiplies, so that shares
// divides only for a new maximum.
func exceeds(amount, denominator, share int64) bool {
	if denominator <= 0 {
		return share < resource.ShareUnit
	}
	high, low := bits.Mul64(uint64(amount), resource.ShareUnit)
	limitHigh, limitLow := bits.Mul64(uint64(share)+1, uint64(denominator))
	return high > limitHigh || high == limitHigh && low >= limitLow
}
