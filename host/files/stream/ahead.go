package stream

import (
	"sync"
	"sync/atomic"

	"github.com/quern-project/quern/core/journal"
)

// Entries are handed over in batches, since handing over costs more than most entries do. A few batches are enough to even
// out that some entries take longer to apply than others.
const (
	batchSize = 128
	batches   = 4
)

// batch is some entries in a row, and what ended them.
type batch struct {
	entries []journal.Slot
	err     error // after the entries; nil: more follow
}

// ahead reads the entries of a source in a goroutine of its own while the caller works on those before. The caller gets what
// it would get from the source: the same entries, and then the same error for good.
type ahead struct {
	source  journal.Source
	once    sync.Once
	full    chan *batch // read, in order
	free    chan *batch // to be filled
	stop    atomic.Bool
	stopped chan struct{} // closed when nothing reads the source any more

	current *batch
	next    int
}

// readAhead begins to read with the first Next. Close must come before the source's own readers are closed. It waits for a
// read that is under way, so reading must not wait for anyone.
func readAhead(source journal.Source) *ahead {
	return &ahead{
		source: source, full: make(chan *batch, batches), free: make(chan *batch, batches),
		stopped: make(chan struct{}), current: &batch{},
	}
}

// Next implements journal.Source.
func (a *ahead) Next() (*journal.Entry, error) {
	a.once.Do(a.start)
	for a.next == len(a.current.entries) {
		if a.current.err != nil {
			return nil, a.current.err
		}
		a.free <- a.current
		a.current, a.next = <-a.full, 0
	}
	a.next++
	return a.current.entries[a.next-1].Entry(), nil
}

// Close ends the reading. Next must not be called any more.
func (a *ahead) Close() error {
	a.once.Do(func() { close(a.stopped) }) // it never started
	a.stop.Store(true)
	for {
		select {
		case a.free <- &batch{}: // it may wait for one
		case <-a.full:
		case <-a.stopped:
			return nil
		}
	}
}

func (a *ahead) start() {
	for range batches - 1 {
		a.free <- &batch{}
	}
	go a.read()
}

// read fills batches until the source ends or Close comes.
func (a *ahead) read() {
	defer close(a.stopped)
	for b := range a.free {
		a.fill(b)
		a.full <- b
		if b.err != nil || a.stop.Load() {
			return
		}
	}
}

// fill reads a batch. Entries are copied: those of a source are valid only until its next.
func (a *ahead) fill(b *batch) {
	if b.entries == nil {
		b.entries = make([]journal.Slot, 0, batchSize)
	}
	b.entries = b.entries[:0]
	for len(b.entries) < batchSize && !a.stop.Load() {
		e, err := a.source.Next()
		if err != nil {
			b.err = err
			return
		}
		b.entries = b.entries[:len(b.entries)+1]
		b.entries[len(b.entries)-1].Set(e)
	}
}
