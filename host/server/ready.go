package server

import (
	"cmp"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/quern-project/quern/host/store"
)

// Errors of a server that takes inputs, but does not go on with them.
var (
	ErrStalled = errors.New("the loop does not finish a round")
	ErrLagging = errors.New("readers do not see what was decided")
)

// mostStall is how long a round may take, or the view be behind, until the server is not ready.
const mostStall = 10 * time.Second

// heartbeat notes the rounds of the loop.
type heartbeat struct {
	mu       sync.Mutex
	began    time.Time // of the round that is under way; zero: none is
	finished time.Time // of the last round
}

func (h *heartbeat) begin() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.began = time.Now()
}

func (h *heartbeat) end() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.began, h.finished = time.Time{}, time.Now()
}

// waited is how long a request has waited at a time without a finished round, if the oldest came at another; zero: there is none.
func (h *heartbeat) waited(now, oldest time.Time) time.Duration {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case !h.began.IsZero():
		return now.Sub(h.began)
	case oldest.IsZero():
		return 0
	case oldest.Before(h.finished):
		return now.Sub(h.finished)
	}
	return now.Sub(oldest)
}

// Ready is why the server takes no inputs or does not go on with them; nil: it does. It waits neither for the loop nor for readers.
func (s *Server) Ready() error {
	if err := s.view.Failure(); err != nil {
		return err
	}
	now, most := time.Now(), cmp.Or(s.o.MostStall, mostStall)
	if d := s.heart.waited(now, s.intake.oldest()); d > most {
		return fmt.Errorf("%w: none in the last %v", ErrStalled, d.Round(time.Second))
	}
	if d := s.view.lag(now); d > most {
		return fmt.Errorf("%w: their view has been behind for %v", ErrLagging, d.Round(time.Second))
	}
	return nil
}

// oldest is when the request came that has waited longest for a round; zero: none waits.
func (i *intake) oldest() (at time.Time) {
	i.mu.Lock()
	defer i.mu.Unlock()
	for _, s := range i.sources {
		if len(s.queue) > 0 && (at.IsZero() || s.queue[0].passage.Arrived.Before(at)) {
			at = s.queue[0].passage.Arrived
		}
	}
	return at
}

// behind is how far the view is from the end of the record.
type behind struct {
	followed store.Position // as far as it has come
	written  uint64         // the last batch that was handed to it
	awaited  uint64         // a batch that it has to reach
	since    time.Time      // when that was handed to it
}

// note records that a batch was handed to the view or reached by it. Once the view reaches the awaited batch, the end of the record is awaited next.
func (b *behind) note() {
	if b.followed.Batch >= b.awaited && b.written > b.followed.Batch {
		b.awaited, b.since = b.written, time.Now()
	}
}

// lag is how long the view has been behind at a time.
func (v *View) lag(now time.Time) time.Duration {
	v.told.Lock()
	defer v.told.Unlock()
	if v.behind.followed.Batch >= v.behind.awaited {
		return 0
	}
	return now.Sub(v.behind.since)
}
