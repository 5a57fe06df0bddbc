package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/store"
)

// CompactedError says that decisions are not kept any more.
type CompactedError struct {
	First uint64 // the first one that is
}

func (e *CompactedError) Error() string {
	return fmt.Sprintf("the first decision that is kept is %d", e.First)
}

// Decisions reads decisions out of the record, one after the other. The newest are read from memory, which all readers share.
type Decisions struct {
	view   *View
	filter Filter
	paced  bool

	reader  *store.Reader // of what is not in memory; nil: it is
	number  uint64        // of the batch that was read last
	lines   *batchLines   // of it
	at      int           // index of the line that is next
	next    uint64        // its seq
	changed <-chan struct{}
	took    bool         // a decision, since More
	holds   bool         // the record is kept as far as it was not read
	until   atomic.Int64 // the time of the last batch that was read
}

// Decisions returns the decisions from a seq on, which may still have to come. The error may be a *CompactedError.
func (s *Server) Decisions(from uint64) (d *Decisions, err error) {
	d = &Decisions{view: s.view, next: from, lines: &batchLines{}}
	var kept bool
	if d.number, kept = s.view.tail.before(from); !kept {
		if d.reader, err = s.o.Store.ReadDecisions(from); err != nil {
			return nil, err
		}
	}
	s.view.readers.Add(1)
	for err == nil && d.at == len(d.lines.lines) {
		err = d.advance()
	}
	if err != nil && err != io.EOF {
		return nil, errors.Join(err, d.Close())
	}
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

// heldFrom is the time of the oldest batch that is kept for followers of decisions.
func (v *View) heldFrom() int64 {
	from := int64(math.MaxInt64)
	for _, d := range v.holders {
		from = min(from, d.until.Load())
	}
	return from
}

// Only leaves out decisions that a filter does not want.
func (d *Decisions) Only(f Filter) {
	_, f.Queue = core.SplitPath(strings.ToLower(f.Queue))
	d.filter = f
}

// gathering is how long decisions gather for a reader that has just received some.
const gathering = 20 * time.Millisecond

// Gather lets decisions gather before More reports them, unless there were none for a while. Many readers that take each decision as it comes would
// slow a busy host.
func (d *Decisions) Gather() { d.paced = true }

// mostLeftOut is how many decisions Next leaves out at once.
const mostLeftOut = 10_000

// Next returns the next decision that is wanted, which must not be changed. It is nil where many came that are not: there may be
// more at once. At the end of what the view knows the error is io.EOF, until there is more. It is a *CompactedError where the record was
// cut off at its beginning faster than it was read.
func (d *Decisions) Next() (*Decision, error) {
	for leftOut := 0; leftOut < mostLeftOut; {
		if d.at == len(d.lines.lines) {
			if err := d.advance(); err != nil {
				return nil, err
			}
			continue
		}
		i, err := d.lines.find(d.at, &d.filter)
		if err != nil {
			return nil, err
		}
		leftOut += i - d.at
		d.next += uint64(i - d.at)
		if d.at = i; i < len(d.lines.lines) {
			d.at, d.next, d.took = i+1, d.next+1, true
			return d.lines.decision(i), nil
		}
	}
	return nil, nil
}

// Seq is the seq of the decision that Next looks at next: those before it were returned or left out.
func (d *Decisions) Seq() uint64 { return d.next }

// advance goes on to the next batch.
func (d *Decisions) advance() error {
	lines, end := d.view.tail.get(d.number + 1)
	switch {
	case end != nil:
		d.changed = end.changed
		d.until.Store(end.at)
		return io.EOF
	case lines != nil:
		return errors.Join(d.enter(lines), d.closeReader())
	}
	at, payload, err := d.read()
	if err != nil {
		return err
	}
	lines = &batchLines{at: at}
	lines.split(payload)
	return d.enter(lines)
}

// read reads the next batch from the record, or the oldest one that is kept if the record was trimmed meanwhile.
func (d *Decisions) read() (store.Position, []byte, error) {
	for {
		var err error
		if d.reader == nil { // memory has gone on meanwhile
			d.reader, err = d.view.store.ReadFrom(d.number + 1)
		}
		if err == nil {
			var at store.Position
			var payload []byte
			if at, payload, err = d.reader.Next(); err == nil {
				return at, payload, nil
			}
		}
		if !errors.Is(err, store.ErrCompacted) {
			return store.Position{}, nil, err
		}
		if err = d.closeReader(); err != nil {
			return store.Position{}, nil, err
		}
		d.number = 0 // the batch before it is not known
		if d.reader, err = d.view.store.ReadDecisions(d.next); err != nil {
			return store.Position{}, nil, err
		}
	}
}

// enter goes on with the lines of a batch.
func (d *Decisions) enter(lines *batchLines) error {
	d.lines, d.number, d.at = lines, lines.at.Batch, 0
	d.until.Store(lines.at.At)
	switch n := uint64(len(lines.lines)); {
	case n == 0:
	case d.next < lines.first:
		return &CompactedError{First: lines.first}
	default:
		d.at = int(min(d.next-lines.first, n))
	}
	return nil
}

func (d *Decisions) closeReader() error {
	if d.reader == nil {
		return nil
	}
	r := d.reader
	d.reader = nil
	return r.Close()
}

// More returns a channel that is closed once Next may have more than at its last io.EOF.
func (d *Decisions) More() <-chan struct{} {
	if !d.paced || !d.took {
		return d.changed
	}
	d.took = false
	gathered := make(chan struct{})
	time.AfterFunc(gathering, func() { close(gathered) })
	return gathered
}

// Ended returns a channel that is closed when the scheduler has ended: what Next does not have then will not come.
func (d *Decisions) Ended() <-chan struct{} { return d.view.ended }

// Close ends the reading.
func (d *Decisions) Close() error {
	d.view.readers.Add(-1)
	if d.holds {
		d.view.release(d)
	}
	return d.closeReader()
}

// release has the record kept no more for a reader.
func (v *View) release(d *Decisions) {
	v.holding.Lock()
	defer v.holding.Unlock()
	v.holders = slices.DeleteFunc(v.holders, func(h *Decisions) bool { return h == d })
}

// NextDecision is the seq of the decision that comes next.
func (v *View) NextDecision() uint64 {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.memory.at.Decision + 1
}

// Await waits until the view has a batch, and what its inputs brought.
func (v *View) Await(ctx context.Context, batch uint64) error {
	for {
		v.mu.Lock()
		at, changed := v.memory.at.Batch, v.changed
		if len(v.memory.open) > 0 {
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
