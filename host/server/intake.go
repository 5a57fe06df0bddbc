package server

import (
	"slices"
	"sync"
)

// What waits is bounded for each source, and so is what one round takes.
const (
	waitingInputs = 20_000 // of one source
	roundInputs   = 5_000  // a round stops taking requests once it has so many
	RequestInputs = 20_000 // of one request

	waitingBytes = 64 << 20 // of the lines of one source's inputs
	roundBytes   = 16 << 20 // a round stops taking requests once their lines have so many
)

// intake holds the requests of all sources until a round takes them, in turn.
type intake struct {
	mu       sync.Mutex
	sources  []*Source
	observer Observer
	audit    func(*Request, *Answer, error)
	turn     int // the source that is served first
	closed   bool
	guarded  bool          // only the host itself may announce policy modules
	wake     chan struct{} // has a value when requests may wait
}

// Source is the origin of requests: a protocol, or one of its clients. Each has its own queue, so that none delays another.
type Source struct {
	intake  *intake
	record  Record
	queue   []*waiting
	inputs  int    // in the queue
	bytes   int    // of their lines
	shared  *share // what waits of it and others; nil: of it alone
	retired bool
	room    chan struct{} // has a value when a request has left the queue
}

func newIntake(o Observer) *intake {
	return &intake{observer: o, audit: func(*Request, *Answer, error) {}, wake: make(chan struct{}, 1)}
}

// source makes a source.
func (i *intake) source(record Record) *Source {
	i.mu.Lock()
	defer i.mu.Unlock()
	s := &Source{intake: i, record: record, room: make(chan struct{}, 1)}
	i.sources = append(i.sources, s)
	return s
}

// Close ends a source. Its requests that wait are still served.
func (s *Source) Close() {
	i := s.intake
	i.mu.Lock()
	defer i.mu.Unlock()
	s.retired = true
	i.sweep()
}

// sweep forgets closed sources without requests.
func (i *intake) sweep() {
	i.sources = slices.DeleteFunc(i.sources, func(s *Source) bool { return s.retired && len(s.queue) == 0 })
}

// put has a request wait.
func (i *intake) put(s *Source, w *waiting) error {
	n := len(w.Inputs)
	i.mu.Lock()
	defer i.mu.Unlock()
	switch {
	case i.closed || s.retired:
		return ErrStopping
	case n > RequestInputs:
		return ErrTooLarge
	case s.inputs+n > waitingInputs, len(s.queue) > 0 && s.bytes+len(w.lines) > waitingBytes,
		len(s.queue) > 0 && s.shared != nil && s.shared.bytes+len(w.lines) > clientBytes:
		return ErrBusy
	}
	s.queue = append(s.queue, w)
	s.count(n, len(w.lines))
	i.ring()
	return nil
}

// count counts what waits more, or less.
func (s *Source) count(inputs, bytes int) {
	s.inputs, s.bytes = s.inputs+inputs, s.bytes+bytes
	if s.shared != nil {
		s.shared.bytes += bytes
	}
}

// signal says that there may be room in the queue.
func (s *Source) signal() {
	select {
	case s.room <- struct{}{}:
	default:
	}
}

// ring wakes the loop.
func (i *intake) ring() {
	select {
	case i.wake <- struct{}{}:
	default:
	}
}

// take takes what one round serves: a request of each source in turn, until there are inputs enough. More may wait then.
func (i *intake) take() (list []*waiting, more bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	bytes := 0
	for n, idle := 0, 0; idle < len(i.sources); i.turn++ {
		s := i.sources[i.turn%len(i.sources)]
		if len(s.queue) == 0 {
			idle++
			continue
		}
		if n >= roundInputs || bytes >= roundBytes {
			return list, true
		}
		w := s.queue[0]
		s.queue[0] = nil
		s.queue = s.queue[1:]
		s.count(-len(w.Inputs), -len(w.lines))
		n, bytes = n+len(w.Inputs), bytes+len(w.lines)
		list, idle = append(list, w), 0
		s.signal()
	}
	i.sweep()
	return list, false
}

// close refuses what comes from now on.
func (i *intake) close() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.closed = true
	i.ring()
}
