package si

import (
	"slices"
	"sync"
	"time"
)

const (
	mostWaiting  = 200_000         // answers that wait for a stream; with more the resource manager has to register again
	mostMerged   = 500             // answers in one message
	readOn       = 10_000          // requests are read while fewer answers wait
	mostSent     = 100_000         // answers that are sent again if their stream breaks
	deliveredFor = 2 * time.Minute // a connection that has died is found out well before
)

// piece is an answer: a part of a message R. A client looks at the parts of a message by rank, so that pieces are only merged in
// that order.
type piece[R any] struct {
	rank int
	add  func(*R)
}

// outbox holds the answers of one kind of stream. A broken stream may have lost what it sent last: that is sent again by the next.
type outbox[R any] struct {
	now func() time.Time

	mu      sync.Mutex
	waiting []piece[R]
	sent    []piece[R]
	times   []time.Time   // of sent
	changed chan struct{} // closed when something has come or gone
	full    bool          // answers were lost
	reader  int           // the stream that may take answers: the last one
}

func newOutbox[R any](now func() time.Time) *outbox[R] {
	return &outbox[R]{now: now, changed: make(chan struct{})}
}

func (o *outbox[R]) change() {
	close(o.changed)
	o.changed = make(chan struct{})
}

// put has an answer wait.
func (o *outbox[R]) put(rank int, add func(*R)) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.waiting) >= mostWaiting {
		o.full, o.waiting, o.sent, o.times = true, nil, nil, nil
	}
	if !o.full {
		o.waiting = append(o.waiting, piece[R]{rank, add})
	}
	o.change()
}

// attach has a stream take answers, in place of the one before, which may have lost what it sent last.
func (o *outbox[R]) attach() (reader int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.takeBack()
	o.reader++
	return o.reader
}

// detach ends the taking of answers. A stream that ended in good order has lost nothing.
func (o *outbox[R]) detach(reader int, broken bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if reader != o.reader {
		return
	}
	o.reader++
	if broken {
		o.takeBack()
	}
	o.sent, o.times = nil, nil
}

func (o *outbox[R]) takeBack() {
	o.forget(o.now().Add(-deliveredFor))
	o.waiting = append(o.sent, o.waiting...)
	o.sent, o.times = nil, nil
	o.change()
}

// message merges what waits. It returns nil if nothing does, and then a channel that is closed when that has changed.
func (o *outbox[R]) message(reader int) (m *R, changed <-chan struct{}, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch {
	case reader != o.reader:
		return nil, nil, errTakenOver
	case o.full:
		return nil, nil, errFull
	case len(o.waiting) == 0:
		return nil, o.changed, nil
	}
	m = new(R)
	n, now := 0, o.now()
	for rank := 0; n < len(o.waiting) && n < mostMerged && o.waiting[n].rank >= rank; n++ {
		rank = o.waiting[n].rank
		o.waiting[n].add(m)
		o.times = append(o.times, now)
	}
	o.sent = append(o.sent, o.waiting[:n]...)
	o.waiting = slices.Delete(o.waiting, 0, n)
	o.forget(now.Add(-deliveredFor))
	o.change()
	return m, nil, nil
}

// forget drops what was sent before a time: it has arrived.
func (o *outbox[R]) forget(before time.Time) {
	n := max(0, len(o.sent)-mostSent)
	for n < len(o.times) && o.times[n].Before(before) {
		n++
	}
	o.sent, o.times = slices.Delete(o.sent, 0, n), slices.Delete(o.times, 0, n)
}

// room waits until requests are to be read.
func (o *outbox[R]) room(done <-chan struct{}) {
	for {
		o.mu.Lock()
		n, changed := len(o.waiting), o.changed
		o.mu.Unlock()
		if n < readOn {
			return
		}
		select {
		case <-changed:
		case <-done:
			return
		}
	}
}
