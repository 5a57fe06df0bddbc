package store

import (
	"errors"
	"io"
	"os"
	"sort"
)

// Reader reads durable batches in order, while others are appended. It is for one goroutine.
type Reader struct {
	log    *Log
	own    *segment // with a file of its own, so that it can be read while it is removed; nil: none is open
	offset int64
	after  Position // the batch before offset
	next   uint64   // the batch to be returned
	buf    []byte
}

// ReadFrom returns a reader whose first batch has a number, which may still have to come. Batches that were compacted away are
// ErrCompacted.
func (l *Log) ReadFrom(batch uint64) (*Reader, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.readFrom(batch)
}

func (l *Log) readFrom(batch uint64) (*Reader, error) {
	if l.closed {
		return nil, ErrClosed
	}
	if len(l.segments) > 0 && batch < l.segments[0].first() {
		return nil, ErrCompacted
	}
	return &Reader{log: l, next: batch}, nil
}

// ReadDecisions returns a reader that begins with a batch that has the decision of a seq, or comes soon before it. Where that may have
// been compacted away, it begins with the first batch that is left; if that is compacted away before it is read, Next says so.
func (l *Log) ReadDecisions(seq uint64) (*Reader, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.readFrom(l.before(seq))
}

func (l *Log) before(seq uint64) (batch uint64) {
	if len(l.segments) > 0 {
		batch = l.segments[0].first()
	}
	for _, s := range l.segments {
		for _, m := range s.marks {
			if m.Decision >= seq {
				return batch
			}
			batch = m.Batch
		}
	}
	return batch
}

// Next returns the next batch, whose payload is valid until the next call. At the end of what is durable it returns io.EOF; once more
// is, it goes on.
func (r *Reader) Next() (Position, []byte, error) {
	if err := r.enter(); err != nil {
		return Position{}, nil, err
	}
	for {
		f, payload, kind, err := r.own.read(r.offset, r.after, &r.buf)
		switch {
		case err != nil:
			return Position{}, nil, err
		case kind != aBatch:
			return Position{}, nil, r.own.damaged(r.offset, r.after.Batch+1, kind)
		}
		r.offset += r.own.layout.size(f.length)
		r.after = f.Position
		if f.Batch == r.next {
			r.next++
			return f.Position, payload, nil
		}
	}
}

// enter opens the segment of the next batch, unless it is open.
func (r *Reader) enter() error {
	l := r.log
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.closed:
		return ErrClosed
	case r.next > l.end.Batch:
		return io.EOF
	case len(l.segments) == 0 || r.next < l.segments[0].first():
		return ErrCompacted
	}
	s := l.segments[sort.Search(len(l.segments), func(i int) bool { return l.segments[i].first() > r.next })-1]
	if r.own != nil && r.own.name == s.name {
		return nil
	}
	if err := r.Close(); err != nil {
		return err
	}
	f, err := l.disk.Open(s.name)
	if errors.Is(err, os.ErrNotExist) {
		return ErrCompacted
	}
	if err != nil {
		return err
	}
	r.own = &segment{name: s.name, layout: s.layout, after: s.after, file: f, size: s.size}
	r.offset, r.after = s.layout.segment, s.after
	if m := sort.Search(len(s.marks), func(m int) bool { return s.marks[m].Batch > r.next }) - 1; m >= 0 {
		r.offset, r.after = s.marks[m].offset, Position{Batch: s.marks[m].Batch - 1, Hash: s.marks[m].before}
	}
	return nil
}

// Close ends the reading.
func (r *Reader) Close() error {
	if r.own == nil {
		return nil
	}
	f := r.own.file
	r.own = nil
	return f.Close()
}
