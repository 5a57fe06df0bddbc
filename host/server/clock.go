package server

import (
	"time"

	"github.com/quern-project/quern/host/clock"
)

// Clock is the time that inputs are stamped with.
type Clock interface {
	// Now is the time since the Unix epoch.
	Now() time.Duration
	// Wake returns a channel that has a value from a time on. Stop gives up waiting.
	Wake(at time.Duration) (wake <-chan time.Time, stop func())
}

// SystemClock begins with the machine's date, and counts the time that passes from there. All timers of the scheduler run by it, so a date that is
// corrected ends none of them early, and holds none up. Make one with NewSystemClock.
type SystemClock struct {
	begin   time.Duration // since the Unix epoch
	began   time.Duration // on the clock elapsed
	elapsed func() time.Duration
}

// NewSystemClock returns a clock that goes on from the end of a record, its last time since the Unix epoch, if the date is before that. 0 is
// that of an empty record.
func NewSystemClock(end time.Duration) *SystemClock {
	return newSystemClock(end, time.Now(), clock.Now)
}

func newSystemClock(end time.Duration, date time.Time, elapsed func() time.Duration) *SystemClock {
	return &SystemClock{begin: max(end, time.Duration(date.UnixNano())), began: elapsed(), elapsed: elapsed}
}

// Now implements Clock.
func (c *SystemClock) Now() time.Duration { return c.begin + c.elapsed() - c.began }

// Wake implements Clock.
func (c *SystemClock) Wake(at time.Duration) (<-chan time.Time, func()) {
	t := time.NewTimer(at - c.Now())
	return t.C, func() { t.Stop() }
}
