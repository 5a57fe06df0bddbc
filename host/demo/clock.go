package demo

import (
	"sync"
	"time"
)

// begins is the time of the day at which a demonstration begins: shortly before the new configuration of noon.
const begins = 11*time.Hour + 50*time.Minute

// Clock is a server.Clock in time lapse.
type Clock struct {
	mu    sync.Mutex
	began time.Time // by the machine's clock
	at    time.Duration
	speed float64
	wakes map[*wake]struct{} // that are not due yet, or were not stopped
}

// wake is a timer that is due at a time of the clock.
type wake struct {
	at    time.Duration
	timer *time.Timer
}

// NewClock returns a clock that goes on from the end of a record, its last time since the Unix epoch. 0 is that of an empty record.
func NewClock(end time.Duration, speed float64) *Clock {
	c := &Clock{began: time.Now(), at: end, speed: speed, wakes: map[*wake]struct{}{}}
	if end == 0 {
		c.at = time.Duration(c.began.UnixNano()).Truncate(day) + begins
	}
	return c
}

// Now implements server.Clock.
func (c *Clock) Now() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now()
}

func (c *Clock) now() time.Duration {
	return c.at + time.Duration(float64(time.Since(c.began))*c.speed)
}

// until is how long it takes by the machine's clock until a time.
func (c *Clock) until(at time.Duration) time.Duration {
	return time.Duration(float64(at-c.now()) / c.speed)
}

// Wake implements server.Clock.
func (c *Clock) Wake(at time.Duration) (<-chan time.Time, func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	w := &wake{at, time.NewTimer(c.until(at))}
	c.wakes[w] = struct{}{}
	return w.timer.C, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		w.timer.Stop()
		delete(c.wakes, w)
	}
}

// Speed is how many times faster than the machine's the clock runs.
func (c *Clock) Speed() float64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.speed
}

// SetSpeed has time pass at another speed from now on, also for who waits already.
func (c *Clock) SetSpeed(speed float64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at, c.began = c.now(), time.Now()
	c.speed = speed
	for w := range c.wakes {
		w.timer.Reset(c.until(w.at))
	}
}
