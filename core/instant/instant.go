// Package instant adds durations to instants. An instant is a duration since the start of a journal, or since 1970.
//
// Sums saturate: a sum beyond the range of the clock is Never or Beginning. All code of the core and the host uses Add or Delay; a test
// of the import rules reports a plain + of two durations.
package instant

import (
	"math"
	"time"
)

// Never is the end of the clock, which no clock reaches. A deadline at Never means that there is none.
const Never = time.Duration(math.MaxInt64)

// Beginning is the earliest instant. It is before every input.
const Beginning = -Never

// Add returns an instant plus a duration, or the sum of two durations.
func Add(at, d time.Duration) time.Duration {
	switch {
	case d > 0 && at > Never-d:
		return Never
	case d < 0 && at < Beginning-d:
		return Beginning
	}
	return at + d
}

// Sub returns the time between two instants, or an instant minus a duration.
func Sub(at, d time.Duration) time.Duration {
	if d < Beginning { // the only duration that cannot be negated
		d = Beginning
	}
	return Add(at, -d)
}

// A Delay is a duration that can be added to an instant only by After and Before. The compiler enforces that.
type Delay int64

// After returns the end of a delay that begins at an instant, at most Never.
func (d Delay) After(at time.Duration) time.Duration { return Add(at, time.Duration(d)) }

// Before returns the start of a delay that ends at an instant.
func (d Delay) Before(at time.Duration) time.Duration { return Sub(at, time.Duration(d)) }

// String formats the delay as a duration.
func (d Delay) String() string { return time.Duration(d).String() }

// Sooner returns the earlier of two deadlines. The first exists only if there is set, and the second only if it is not Never.
func Sooner(at time.Duration, there bool, other time.Duration) (time.Duration, bool) {
	switch {
	case other == Never:
		return at, there
	case there && at <= other:
		return at, true
	}
	return other, true
}
