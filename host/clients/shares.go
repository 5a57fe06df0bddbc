package clients

import (
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Shares divides a rate evenly among the clients that use it, so that none of them can use it up for the others.
type Shares struct {
	now  func() time.Time
	rate rate.Limit
	most int // at once

	mu    sync.Mutex
	all   map[string]*share
	swept time.Time
	// whole bounds many clients that come at once, each of which may begin before the others have less.
	whole *rate.Limiter
}

// share is what one client has.
type share struct {
	limiter *rate.Limiter
	last    time.Time
}

// recently is how long a client counts that does nothing any more; up to twice as long.
const recently = time.Second

// NewShares divides a rate a second, of which so many may come at once.
func NewShares(perSecond float64, atOnce int, now func() time.Time) *Shares {
	return &Shares{now: now, rate: rate.Limit(perSecond), most: atOnce, all: map[string]*share{}, whole: rate.NewLimiter(rate.Limit(2*perSecond), 2*atOnce)}
}

// Allow reports whether a client may do one more thing now. Those without a name are one client.
func (s *Shares) Allow(name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now()
	s.sweep(now)
	c := s.all[name]
	if c == nil {
		c = &share{}
		s.all[name] = c
	}
	c.last = now
	limit, most := s.rate/rate.Limit(len(s.all)), max(1, s.most/len(s.all))
	if c.limiter == nil {
		c.limiter = rate.NewLimiter(limit, most)
	}
	c.limiter.SetLimitAt(now, limit)
	c.limiter.SetBurstAt(now, most)
	return c.limiter.AllowN(now, 1) && s.whole.AllowN(now, 1)
}

// sweep forgets clients that rest, from time to time.
func (s *Shares) sweep(now time.Time) {
	if now.Sub(s.swept) < recently {
		return
	}
	s.swept = now
	for name, c := range s.all {
		if now.Sub(c.last) >= recently {
			delete(s.all, name)
		}
	}
}
