package demo

import "time"

// begins is the time of the day at which a demonstration begins: shortly before the new configuration of noon.
const begins = 11*time.Hour + 50*time.Minute

// Clock is a server.Clock in time lapse.
type Clock struct {
	began time.Time // by the machine's clock
	at    time.Duration
	speed float64
}

// NewClock returns a clock that goes on from the end of a record, its last time since the Unix epoch. 0 is that of an empty record.
func NewClock(end time.Duration, speed float64) *Clock {
	c := &Clock{began: time.Now(), at: end, speed: speed}
	if end == 0 {
		c.at = time.Duration(c.began.UnixNano()).Truncate(day) + begins
	}
	return c
}

// Now implements server.Clock.
func (c *Clock) Now() time.Duration {
	return c.at + time.Duration(float64(time.Since(c.began))*c.speed)
}

// Wake implements server.Clock.
func (c *Clock) Wake(at time.Duration) (<-chan time.Time, func()) {
	t := time.NewTimer(time.Duration(float64(at-c.Now()) / c.speed))
	return t.C, func() { t.Stop() }
}
