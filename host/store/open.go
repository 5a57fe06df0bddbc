package store

import (
	"errors"
	"fmt"
)

// Opened says what opening a store found.
type Opened struct {
	// Snapshot is the newest one that can be read, and At its position; both are zero without any.
	Snapshot []byte
	At       Position
	// Skipped says why newer snapshots cannot be read.
	Skipped []error
	// Torn is what was cut off; nil: nothing was.
	Torn *Torn
}

// Torn is a batch that was not written whole when a process or machine ended.
type Torn struct {
	File   string
	Offset int64
	Batch  uint64
}

// String says what was cut off, for people.
func (t *Torn) String() string {
	return fmt.Sprintf("%s: removed batch %d at offset %d, which is incomplete and was never acknowledged", t.File, t.Batch, t.Offset)
}

// Open opens the store of a disk for appending, and makes one where there is none. It reads every batch since the snapshot that it
// returns. What is damaged or of an unknown version makes it fail: see DamageError and VersionError.
func Open(d Disk, o Options) (*Log, Opened, error) {
	l := &Log{disk: d, size: o.SegmentSize, readOnly: o.ReadOnly}
	if l.size == 0 {
		l.size = defaultSegment
	}
	found, err := l.open()
	if err != nil {
		return nil, found, errors.Join(err, l.Close())
	}
	return l, found, nil
}

func (l *Log) open() (Opened, error) {
	names, err := l.disk.List()
	if err != nil {
		return Opened{}, err
	}
	found, err := newestSnapshot(l.disk, names)
	if err != nil {
		return found, err
	}
	l.end, l.newest = found.At, found.At
	if err := l.openSegments(names); err != nil {
		return found, err
	}
	if len(l.segments) == 0 {
		if l.readOnly {
			return found, nil
		}
		return found, l.rotate(l.end.Batch+1, 0)
	}
	if first := l.segments[0].first; first > l.end.Batch+1 {
		return found, &DamageError{File: l.segments[0].name, Problem: fmt.Sprintf("the record begins with batch %d, and %s", first, missing(found.At))}
	}
	if found.Torn, err = l.walk(); err == nil && !l.readOnly {
		err = l.disk.Sync() // which segments there are, too, may be known to the cache alone
	}
	return found, err
}

// missing says what there is of the batches before the record, for a message.
func missing(snapshot Position) string {
	if snapshot.Batch == 0 {
		return "there is no snapshot of the batches before it"
	}
	return fmt.Sprintf("the snapshot that can be read ends with batch %d", snapshot.Batch)
}

func (l *Log) openSegments(names []string) error {
	for _, name := range names {
		first, ok := numberIn(name, segmentSuffix)
		if !ok {
			continue
		}
		s, err := openSegment(l.disk, name, first)
		if err != nil {
			return err
		}
		l.segments = append(l.segments, s)
	}
	return nil
}

// walk reads every batch since the snapshot, and finds the end. A batch at the end that was not written whole is cut off.
func (l *Log) walk() (*Torn, error) {
	i := len(l.segments) - 1
	for i > 0 && l.segments[i].first > l.end.Batch+1 {
		i--
	}
	wanted := l.end.Batch
	for ; i < len(l.segments); i++ {
		torn, err := l.walkSegment(i)
		if torn != nil && !l.readOnly {
			err = l.rotate(torn.Batch, 0)
		}
		if torn != nil || err != nil {
			return torn, err
		}
	}
	if l.end.Batch < wanted {
		return nil, &DamageError{File: l.last().name, Offset: l.offset, Problem: fmt.Sprintf("the record ends with batch %d, the snapshot with batch %d", l.end.Batch, wanted)}
	}
	return nil, nil
}

// walkSegment reads a segment up to where the next one begins, or to its end.
func (l *Log) walkSegment(i int) (*Torn, error) {
	s, last, buf := l.segments[i], i == len(l.segments)-1, []byte(nil)
	l.offset = segmentHeader
	begin := l.offset // of the last batch
	for number := s.first; last || number < l.segments[i+1].first; number++ {
		f, _, kind, err := s.read(l.offset, number, &buf)
		switch {
		case err != nil:
			return nil, err
		case kind == aBatch:
			l.end = f.Position
			s.mark(f.Position, l.offset)
			begin = l.offset
			l.offset += frameSize(f.length)
		case kind == theEnd && last:
			return nil, l.settle(s, begin)
		case kind == aTear && last:
			return &Torn{File: s.name, Offset: l.offset, Batch: number}, nil
		default:
			return nil, s.damaged(l.offset, number, kind)
		}
	}
	return nil, nil
}

// settle makes the last batch durable, which begins at an offset of the last segment. The process that wrote it may have ended after a sync
// that failed: then the system's cache shows the batch, will not write it, and would lose it in a crash. Those before it were synced
// before it was written.
func (l *Log) settle(s *segment, begin int64) error {
	if l.readOnly || begin == l.offset {
		return nil
	}
	var buf []byte
	b, err := s.bytes(begin, l.offset-begin, &buf)
	if err != nil {
		return err
	}
	if _, err := s.file.WriteAt(b, begin); err != nil {
		return fmt.Errorf("%s: writing at %d: %w", s.name, begin, err)
	}
	if err := s.file.Sync(); err != nil {
		return fmt.Errorf("%s: syncing: %w", s.name, err)
	}
	return nil
}
