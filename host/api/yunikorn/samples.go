package yunikorn

import (
	"time"

	"github.com/quern-project/quern/core/instant"
)

// sample is how much ran at the end of a minute.
type sample struct {
	at                  time.Duration
	running, containers int64
}

// samples takes one a minute.
type samples struct {
	ring                *ring[sample]
	at                  time.Duration // up to which they were taken; 0: nothing has happened yet
	running, containers int64         // now
}

// until takes those that are due before something changes at a time. Of a long time without any change only the last ones are kept.
func (s *samples) until(now time.Duration) {
	if s.at == 0 {
		s.at = now
		return
	}
	next := instant.Add(s.at.Truncate(time.Minute), time.Minute)
	if earliest := now.Truncate(time.Minute) - mostSamples*time.Minute; next < earliest {
		next = earliest
	}
	for ; next <= now; next = instant.Add(next, time.Minute) {
		s.ring.add(sample{next, s.running, s.containers})
	}
	s.at = max(s.at, now)
}
