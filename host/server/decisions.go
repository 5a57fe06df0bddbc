package server

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"sync/atomic"

	"github.com/quern-project/quern/host/store"
)

// CompactedError says that decisions are not kept any more.
type CompactedError struct {
	First uint64 // the first one that is
}

func (e *CompactedError) Error() string {
	return fmt.Sprintf("the first decision that is kept is %d", e.First)
}

// Decisions reads decisions out of the record, one after the other.
type Decisions struct {
	view    *View
	record  Record
	reader  *store.Reader
	next    uint64
	rest    []byte // of the batch that is read
	changed <-chan struct{}
	holds   bool         // the record is kept as far as it was not read
	until   atomic.Int64 // the time of the last batch that was read
}

// Decisions returns the decisions from a seq on, which may still have to come. The error may be a *CompactedError.
func (s *Server) Decisions(from uint64) (*Decisions, error) {
	r, err := s.o.Store.ReadDecisions(from)
	if err != nil {
		return nil, err
	}
	d := &Decisions{view: s.view, record: s.o.Store, reader: r, next: from, changed: s.view.Changed()}
	s.view.readers.Add(1)
	line, err := d.read()
	if err == io.EOF {
		return d, nil
	}
	if err != nil {
		return nil, errors.Join(err, d.Close())
	}
	d.rest = append(append(bytes.Clone(line), '\n'), d.rest...)
	return d, nil
}

// FollowDecisions is Decisions for a part of the host that must not miss any: what it has not read is kept until it does, or is closed.
func (s *Server) FollowDecisions(from uint64) (*Decisions, error) {
	// Nothing is removed while the reader is made, and does not hold the record yet.
	s.view.holding.Lock()
	defer s.view.holding.Unlock()
	d, err := s.Decisions(from)
	if err != nil {
		return nil, err
	}
	d.holds = true
	s.view.holders = append(s.view.holders, d)
	return d, nil
}

// heldFrom is the time from which on batches are kept for those who follow decisions.
func (v *View) heldFrom() int64 {
	from := int64(math.MaxInt64)
	for _, d := range v.holders {
		from = min(from, d.until.Load())
	}
	return from
}

// Next returns the line of the next decision, valid until the next call. At the end of what the view knows it is io.EOF, until there
// is more. The error is a *CompactedError where the record was cut off at its beginning faster than it was read.
func (d *Decisions) Next() ([]byte, error) {
	line, err := d.read()
	if err == nil {
		d.next = SeqOf(line) + 1
	}
	return line, err
}

// read returns the next decision that is wanted.
func (d *Decisions) read() ([]byte, error) {
	for {
		line, rest, found := bytes.Cut(d.rest, []byte{'\n'})
		if d.rest = rest; found {
			switch seq := SeqOf(line); {
			case seq > d.next:
				return nil, &CompactedError{First: seq}
			case seq == d.next:
				return line, nil
			}
			continue
		}
		d.changed = d.view.Changed()
		end := d.record.End()
		p, payload, err := d.reader.Next()
		if errors.Is(err, store.ErrCompacted) { // since the reader was made, or read the batch before
			if err = d.reopen(); err == nil {
				continue
			}
		}
		if err == io.EOF {
			d.until.Store(end.At)
		}
		if err != nil {
			return nil, err
		}
		d.until.Store(p.At)
		d.rest = payload
	}
}

// reopen goes on with what is kept.
func (d *Decisions) reopen() error {
	r, err := d.record.ReadDecisions(d.next)
	if err != nil {
		return err
	}
	closed := d.reader.Close()
	d.reader = r
	return closed
}

// More returns a channel that is closed once Next has more than at its last io.EOF.
func (d *Decisions) More() <-chan struct{} { return d.changed }

// Ended returns a channel that is closed when the scheduler has ended: what Next does not have then will not come.
func (d *Decisions) Ended() <-chan struct{} { return d.view.ended }

// Close ends the reading.
func (d *Decisions) Close() error {
	d.view.readers.Add(-1)
	if d.holds {
		d.view.release(d)
	}
	return d.reader.Close()
}

// release has the record kept no more for a reader.
func (v *View) release(d *Decisions) {
	v.holding.Lock()
	defer v.holding.Unlock()
	v.holders = slices.DeleteFunc(d.view.holders, func(h *Decisions) bool { return h == d })
}

// NextDecision is the seq of the decision that comes next.
func (v *View) NextDecision() uint64 {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.follower.at.Decision + 1
}

// Await waits until the view has a batch, and what its inputs brought.
func (v *View) Await(ctx context.Context, batch uint64) error {
	for {
		v.mu.Lock()
		at, changed := v.follower.at.Batch, v.changed
		if len(v.follower.open) > 0 {
			at--
		}
		v.mu.Unlock()
		if at >= batch {
			return nil
		}
		select {
		case <-changed:
		case <-v.ended:
			return ErrStopping
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
