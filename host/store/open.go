package store

import (
	"errors"
	"fmt"
	"slices"
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
	// Unmarked says why the file that says how far the record was acknowledged cannot be read, or a half of it. Nothing else was damaged;
	// unless the store was opened for reading, the file was written again.
	Unmarked error
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
// returns. What is damaged, lost or of an unknown version makes it fail: see DamageError and VersionError.
func Open(d Disk, o Options) (*Log, Opened, error) {
	l := &Log{disk: d, size: o.SegmentSize, readOnly: o.ReadOnly || o.Live, live: o.Live}
	if l.size == 0 {
		l.size = defaultSegment
	}
	found, err := l.open()
	if err != nil {
		return nil, found, errors.Join(err, l.Close())
	}
	return l, found, nil
}

func (l *Log) open() (found Opened, err error) {
	proof, err := l.readProof(&found) // before the batches: another process may be writing both
	if err != nil {
		return found, err
	}
	names, err := l.disk.List()
	if err == nil {
		err = newestSnapshot(l.disk, names, &found)
	}
	if err != nil {
		return found, err
	}
	l.end, l.newest = found.At, found.At
	if err := l.openSegments(names); err != nil {
		return found, err
	}
	proof.segments(l.segments)
	l.hashes = proof.snapshots(l.disk, names)
	if !proof.marked && !l.chained() || proof.marked && l.live {
		found.Unmarked = nil // an earlier release wrote no such file, or a process is writing it
	}
	if err := l.readRecord(&found, &proof); err != nil {
		return found, err
	}
	l.addHarmless(l.checkBeginning(proof.first))
	if l.readOnly {
		return found, nil
	}
	return found, l.begin(&proof, found.Unmarked != nil)
}

// readRecord reads the batches since the snapshot, and cuts off what was never acknowledged.
func (l *Log) readRecord(found *Opened, proof *proof) (err error) {
	if len(l.segments) == 0 {
		return proof.check(l.end.Batch, &DamageError{File: segmentName(l.end.Batch + 1), Problem: "the file is missing, or one before it"})
	}
	if first := l.segments[0].first(); first > l.end.Batch+1 {
		return &DamageError{File: l.segments[0].name, Problem: fmt.Sprintf("the record begins with batch %d, and %s", first, missing(found.At))}
	}
	if found.Torn, err = l.walk(found.At, proof); found.Torn == nil || err != nil {
		return err
	}
	if found.Unmarked != nil && !proof.marked {
		return &DamageError{File: found.Torn.File, Offset: found.Torn.Offset,
			Problem: fmt.Sprintf("batch %d is incomplete, and whether it was acknowledged is not known: %v", found.Torn.Batch, found.Unmarked)}
	}
	return nil
}

// begin makes the record one that can be appended to: how far it was acknowledged is durable before there is a segment whose end is
// judged by that.
func (l *Log) begin(proof *proof, unmarked bool) (err error) {
	m := acknowledged{l.end, proof.first}
	if !proof.marked {
		m.first = l.First()
	}
	if !proof.marked || unmarked {
		err = l.acknowledged.make(l.disk, m)
	} else if err = l.acknowledged.open(l.disk, proof.mark, proof.writes); err == nil {
		l.acknowledged.move(l.end) // also where it is there: the system's cache alone may know of it
		err = l.acknowledged.sync()
	}
	if err != nil {
		return err
	}
	if len(l.segments) == 0 || l.torn || l.last().layout != present {
		if err := l.rotate(0); err != nil {
			return err
		}
	}
	return l.disk.Sync() // which segments there are, too, may be known to the cache alone
}

// missing says what there is of the batches before the record, for a message.
func missing(snapshot Position) string {
	if snapshot.Batch == 0 {
		return "there is no snapshot of the batches before it"
	}
	return fmt.Sprintf("the snapshot that can be read ends with batch %d", snapshot.Batch)
}

// chained reports whether a release wrote to the record that chains batches.
func (l *Log) chained() bool {
	return slices.ContainsFunc(l.segments, func(s *segment) bool { return s.layout.chained() })
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

// walk reads every batch since the snapshot, and finds the end. It returns a batch there that was not written whole and never acknowledged.
func (l *Log) walk(snapshot Position, proof *proof) (*Torn, error) {
	i := len(l.segments) - 1
	for i > 0 && l.segments[i].first() > snapshot.Batch+1 {
		i--
	}
	l.walked = l.segments[i].first()
	if s := l.segments[i]; s.after.Batch != snapshot.Batch {
		l.end = s.after
	} else if !agree(s.after.Hash, snapshot.Hash) {
		return nil, anotherRecord(s.name, 0, snapshot.Batch)
	}
	for ; i < len(l.segments); i++ {
		if torn, err := l.walkSegment(i, snapshot, proof); torn != nil || err != nil {
			l.torn = torn != nil
			return torn, err
		}
	}
	return nil, proof.check(l.end.Batch, &DamageError{File: l.last().name, Offset: l.offset, Problem: fmt.Sprintf("the record ends with batch %d", l.end.Batch)})
}

// anotherRecord says that a snapshot does not belong to the batches beside it.
func anotherRecord(file string, offset int64, batch uint64) error {
	return &DamageError{File: file, Offset: offset, Problem: fmt.Sprintf("batch %d is not the one that %s contains: one of these files is of another record", batch, snapshotName(batch))}
}

// walkSegment reads a segment up to where the next one begins, or to its end.
func (l *Log) walkSegment(i int, snapshot Position, proof *proof) (*Torn, error) {
	s, last, buf := l.segments[i], i == len(l.segments)-1, []byte(nil)
	if !agree(s.after.Hash, l.end.Hash) {
		return nil, s.damaged(0, s.first(), aStranger)
	}
	l.offset = s.layout.segment
	begin := l.offset // of the last batch
	for last || l.end.Batch+1 < l.segments[i+1].first() {
		f, kind, err := l.readNext(s, &buf)
		if err != nil {
			return nil, err
		}
		if kind == aBatch {
			if err := proof.compare(s, l.offset, f.Position, snapshot); err != nil {
				return nil, err
			}
			l.addHarmless(l.compareState(s, l.offset, f.Position))
			s.mark(f.Position, f.before, l.offset)
			l.end, begin = f.Position, l.offset
			l.offset += s.layout.size(f.length)
			continue
		}
		return l.ended(s, last, kind, begin, proof)
	}
	return nil, nil
}

// readNext reads what stands behind the last batch. A batch that another process is writing may look damaged for a moment.
func (l *Log) readNext(s *segment, buf *[]byte) (f frame, kind found, err error) {
	for range 10 {
		if f, _, kind, err = s.read(l.offset, l.end, buf); kind != aDamage || err != nil || !l.live {
			break
		}
	}
	return f, kind, err
}

// ended says what it means that a segment has no further batch.
func (l *Log) ended(s *segment, last bool, kind found, begin int64, proof *proof) (*Torn, error) {
	number := l.end.Batch + 1
	switch {
	case kind == theEnd && last:
		return nil, l.rewriteLast(s, begin)
	case !last:
		return nil, s.damaged(l.offset, number, kind)
	case number <= proof.batch:
		return nil, proof.lost(s, l.offset, number, kind)
	case kind == aTear && l.live:
		return nil, nil // it is being written
	case kind == aTear:
		return &Torn{File: s.name, Offset: l.offset, Batch: number}, nil
	}
	return nil, s.damaged(l.offset, number, kind)
}

// rewriteLast makes the last batch durable, which begins at an offset of the last segment. The process that wrote it may have ended after a
// sync that failed: then the system's cache shows the batch, will not write it, and would lose it in a crash. Those before it were synced
// before it was written.
func (l *Log) rewriteLast(s *segment, begin int64) error {
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
