// Package instant adds durations to instants, which are durations since the start of a journal or since 1970.
//
// No sum wraps: one beyond the range of the clock is the end of that range, Never, or its beginning. All code of the core and
// the host adds instants by Add or Delay; a test of the import rules finds a plain + of two durations.
package instant

import (
	"math"
	"time"
)

// Never is the end of the clock, which no clock reaches. A deadline there is none.
const Never = time.Duration(math.MaxInt64)

// Beginning is the earliest instant of the clock, which comes before every input.
const Beginning = -Never

// Add is an instant and a duration, or the sum of two durations.
func Add(at, d time.Duration) time.Duration {
	switch {
	case d > 0 && at > Never-d:
		return Never
	case d < 0 && at < Beginning-d:
		return Beginning
	}
	return at + d
}

// Sub is the time from one instant to another, or an instant that lies a duration before another.
func Sub(at, d time.Duration) time.Duration {
	if d < Beginning { // the one duration without an opposite
		d = Beginning
	}
	return Add(at, -d)
}

// A Delay is how long something waits from an instant on. The compiler lets it be added to no instant but by After and Before.
type Delay int64

// Seconds makes a delay.
func Seconds(n int64) Delay { return Delay(n * int64(time.Second)) }

// After is the instant at which the delay is over that begins at another; Never, if the clock does not get there.
func (d Delay) After(at time.Duration) time.Duration { return Add(at, time.Duration(d)) }

// Before is the instant at which a delay began that is over at another.
func (d Delay) Before(at time.Duration) time.Duration { return Sub(at, time.Duration(d)) }

// String is that of the duration.
func (d Delay) String() string { return time.Duration(d).String() }

// Sooner is the sooner of two deadlines, of which the first may not be there. One at Never is not.
func Sooner(at time.Duration, there bool, other time.Duration) (time.Duration, bool) {
	switch {
	case other == Never:
		return at, there
	case there && at <= other:
		return at, true
	}
	return other, true
}
