package ledger

import (
	"math/bits"
	"time"

	"github.com/quern-project/quern/core/instant"
)

// level is an amount that holds until it changes.
type level struct {
	value  int64 // never negative
	since  time.Duration
	sum    Area
	peak   int64
	peakAt time.Duration
}

// set says that the amount is v from a time on.
func (l *level) set(at time.Duration, v int64) {
	if v = max(0, v); v != l.value {
		l.hold(at)
		l.value = v
	}
}

// hold adds the amount up to a time.
func (l *level) hold(to time.Duration) {
	if to <= l.since {
		return
	}
	l.reachPeak()
	l.sum.add(l.value, instant.Sub(to, l.since))
	l.since = to
}

func (l *level) reachPeak() {
	if l.value > l.peak {
		l.peak, l.peakAt = l.value, l.since
	}
}

// finish holds the amount to the end of the run, which may be the moment since when it holds.
func (l *level) finish(end time.Duration) {
	l.hold(end)
	l.reachPeak()
}

// mean is that over a time that finish has ended; the amount itself where no time passed.
func (l *level) mean(over time.Duration) int64 {
	if over <= 0 {
		return l.value
	}
	quotient, _ := bits.Div64(l.sum.hi, l.sum.lo, uint64(over))
	return int64(quotient)
}

// share returns the mean as a share of the mean of a whole over the same time, which finish has ended; 0 without a whole.
func (l *level) share(whole *level) float64 {
	part, all := l.sum.float(), whole.sum.float()
	if all == 0 { // no time passed, or there was no capacity in it
		part, all = float64(l.value), float64(whole.value)
	}
	if all == 0 {
		return 0
	}
	return part / all
}
