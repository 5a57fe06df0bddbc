package store

import (
	"errors"
	"fmt"
	"sync"
)

// Options of a store. The zero value has the usual sizes.
type Options struct {
	// SegmentSize is how large a segment is made, in bytes; 0: 64 MiB. A batch that is larger gets a segment of its own.
	SegmentSize int64
	// ReadOnly leaves the disk as it is: a torn batch is told and stays, and nothing can be appended.
	ReadOnly bool
	// Live says that another process may be writing: what is not whole behind the last batch that was acknowledged is its business. It
	// implies ReadOnly.
	Live bool
}

const defaultSegment = 64 << 20

// Log is the record of a live scheduler, open for writing. One goroutine appends; any may read.
type Log struct {
	disk     Disk
	size     int64 // of a new segment
	readOnly bool
	live     bool

	mu       sync.Mutex // guards what readers see
	segments []*segment // the last is written to
	end      Position   // of the last durable batch
	offset   int64      // behind it, in the last segment
	failed   error      // why Append refuses
	newest   Position   // of a snapshot
	closed   bool

	acknowledged markFile
	torn         bool            // Open found a tear, behind which a new segment begins
	walked       uint64          // the first batch that Open read
	harmless     []error         // what Open found that is damaged and that a start does not need
	hashes       map[uint64]Hash // of batches, as the snapshots of them have it

	snapshots sync.Mutex // one is written at a time

	removedDurable bool   // that segments were removed; of Compact
	frame          []byte // scratch
	spare          spare
}

// End is the position of the last durable batch; of a store without any, the position before the first.
func (l *Log) End() Position {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.end
}

// First is the number of the first batch that is kept, or of the one to come.
func (l *Log) First() uint64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.segments) == 0 {
		return l.end.Batch + 1
	}
	return l.segments[0].first()
}

// Append writes a batch and returns when it is durable. The decision is the seq of the last decision in it or before it, at its
// time in nanoseconds since the Unix epoch. After an error nothing of the batch counts as written, and Append goes on refusing
// until Reopen.
func (l *Log) Append(decision uint64, at int64, payload []byte) (Position, error) {
	if err := l.usable(); err != nil {
		return Position{}, err
	}
	if len(payload) == 0 || len(payload) > MaxBatch {
		return Position{}, fmt.Errorf("expected a batch of 1 to %d bytes, found %d", MaxBatch, len(payload))
	}
	p := Position{Batch: l.end.Batch + 1, Decision: decision, At: at}
	l.frame, p.Hash = appendFrame(l.frame[:0], p, l.end, payload)
	if err := l.write(); err != nil {
		l.mu.Lock()
		l.failed = err
		l.mu.Unlock()
		return Position{}, err
	}
	l.mu.Lock()
	l.last().mark(p, l.end.Hash, l.offset)
	l.end = p
	l.offset += int64(len(l.frame))
	l.mu.Unlock()
	l.acknowledged.move(p)
	return p, nil
}

func (l *Log) usable() error {
	switch {
	case l.closed:
		return ErrClosed
	case l.readOnly:
		return errReadOnly
	case l.failed != nil:
		return fmt.Errorf("the store accepts no batches after a failure: %w", l.failed)
	}
	return nil
}

// write makes the frame durable, in a new segment where the present one has no room for it.
func (l *Log) write() error {
	s := l.writing()
	if l.offset+int64(len(l.frame)) > s.size {
		if err := l.rotate(int64(len(l.frame))); err != nil {
			return err
		}
		s = l.writing()
	}
	if _, err := s.file.WriteAt(l.frame, l.offset); err != nil {
		return fmt.Errorf("%s: writing at %d: %w", s.name, l.offset, err)
	}
	if err := s.file.Sync(); err != nil {
		return fmt.Errorf("%s: syncing: %w", s.name, err)
	}
	return nil
}

// last is the segment that is written to. The lock is held.
func (l *Log) last() *segment { return l.segments[len(l.segments)-1] }

// writing is last for who does not hold the lock. The list may lose its first segments meanwhile.
func (l *Log) writing() *segment {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.last()
}

// rotate begins a new segment behind the last batch, with room for a frame. One of that number is replaced: nothing in it is durable.
func (l *Log) rotate(room int64) error {
	s, err := l.spare.take(l.disk, l.end, max(l.size, present.segment+room))
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if last := len(l.segments) - 1; last >= 0 && l.segments[last].first() == s.first() {
		err = l.segments[last].file.Close()
		l.segments = l.segments[:last]
	}
	l.segments = append(l.segments, s)
	l.offset = s.layout.segment
	return err
}

// Prepare makes the next segment ready, so that no append has to wait for that. It may run while others append and read.
func (l *Log) Prepare() error { return l.spare.prepare(l.disk, l.size) }

// SyncAcknowledged makes durable, in a file of its own, how far the record was acknowledged. Called within a bounded time of each Append, it
// bounds the batches at the end whose loss would look as if they had never been acknowledged. It may run while others append and read.
func (l *Log) SyncAcknowledged() error { return l.acknowledged.sync() }

// AcknowledgedUnsynced reports whether there is something for SyncAcknowledged to do.
func (l *Log) AcknowledgedUnsynced() bool { return l.acknowledged.isDirty() }

// Reopen has a log that failed take batches again, if the disk lets it. It reads back the last segment and begins a new one, which
// ends that at its last durable batch. After an error the log goes on refusing; a *DamageError says that what was acknowledged is
// not there any more, so that only opening the store again can tell what is.
func (l *Log) Reopen() error {
	if l.closed {
		return ErrClosed
	}
	if l.failed == nil {
		return nil
	}
	if err := l.readBack(); err != nil {
		return err
	}
	if err := l.rotate(0); err != nil {
		return err
	}
	l.failed = nil
	return nil
}

// readBack checks that the batches of the last segment that were acknowledged are there.
func (l *Log) readBack() error {
	s, buf := l.writing(), []byte(nil)
	after := s.after
	for offset := s.layout.segment; after.Batch < l.end.Batch; {
		f, _, kind, err := s.read(offset, after, &buf)
		if err != nil {
			return err
		}
		if kind != aBatch {
			return &DamageError{File: s.name, Offset: offset, Problem: fmt.Sprintf("batch %d was durable, but cannot be read back", after.Batch+1)}
		}
		offset += s.layout.size(f.length)
		after = f.Position
	}
	return nil
}

// Close ends the use of the store.
func (l *Log) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil
	}
	l.closed = true
	errs := []error{l.spare.close(), l.acknowledged.sync(), l.acknowledged.close()}
	for _, s := range l.segments {
		errs = append(errs, s.file.Close())
	}
	return errors.Join(append(errs, l.disk.Close())...)
}
