package aged

import (
	"time"

	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/internal/decay"
)

// Orders by aged usage follow it only at multiples of a period: a fraction of the half-life, and not more often than once a second.
const (
	leastPeriod = time.Second
	periods     = 1024 // in a half-life
)

// remembered is the number of half-lives for which the usage of a user without any, or of a queue that is gone, is kept.
const remembered = 20

// Period returns the time between two multiples.
func Period(halfLife instant.Delay) time.Duration {
	return max(leastPeriod, time.Duration(halfLife)/periods)
}

// Multiple returns the last multiple of the period of a half-life up to now.
func Multiple(now time.Duration, halfLife instant.Delay) time.Duration {
	period := Period(halfLife)
	rest := now % period
	if rest < 0 {
		rest = instant.Add(rest, period)
	}
	return instant.Sub(now, rest)
}

// factor returns by how much past usage weighs less at an instant than at the last change.
func (r *row) factor(at time.Duration) decay.Factor {
	if r.halfLife == 0 {
		return decay.Factor{}
	}
	return decay.Over(uint64(at)-uint64(r.at), int64(r.halfLife))
}

// forgotten reports whether the usage of a user or a gone queue is too old to count at an instant.
func (r *row) forgotten(at time.Duration) bool {
	return r.idle && (uint64(at)-uint64(r.since))/remembered >= uint64(r.halfLife) && at >= r.since
}
