package livetest

import (
	"sync"
	"time"
)

// Clock is a time that a test sets. It begins at the Unix epoch.
type Clock struct {
	mu    sync.Mutex
	now   time.Duration
	wakes map[chan time.Time]time.Duration
}

// Now implements server.Clock.
func (c *Clock) Now() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Set moves the clock forward, and wakes all that wait for a time up to then.
func (c *Clock) Set(now time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = now
	c.ring()
}

// Wake implements server.Clock.
func (c *Clock) Wake(at time.Duration) (<-chan time.Time, func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	wake := make(chan time.Time, 1)
	if c.wakes == nil {
		c.wakes = map[chan time.Time]time.Duration{}
	}
	c.wakes[wake] = at
	c.ring()
	return wake, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.wakes, wake)
	}
}

// ring wakes those whose time has come.
func (c *Clock) ring() {
	for wake, at := range c.wakes {
		if at <= c.now {
			wake <- time.Unix(0, int64(c.now))
			delete(c.wakes, wake)
		}
	}
}
