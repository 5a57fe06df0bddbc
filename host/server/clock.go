package server

import "time"

// Clock is the time that inputs are stamped with.
type Clock interface {
	// Now is the time since the Unix epoch.
	Now() time.Duration
	// Wake returns a channel that has a value from a time on. Stop gives up waiting.
	Wake(at time.Duration) (wake <-chan time.Time, stop func())
}

// SystemClock is the machine's clock.
type SystemClock struct{}

// Now implements Clock.
func (SystemClock) Now() time.Duration { return time.Duration(time.Now().UnixNano()) }

// Wake implements Clock.
func (c SystemClock) Wake(at time.Duration) (<-chan time.Time, func()) {
	t := time.NewTimer(at - c.Now())
	return t.C, func() { t.Stop() }
}
