package store

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"sort"
)

// CheckOlder reads what a start does not need: segments behind the newest snapshot, and older snapshots. It returns what is damaged or missing
// there, which readers of the past would meet. It may run while others append, read and compact.
func (l *Log) CheckOlder() error {
	all := slices.Clone(l.harmless)
	list := l.older()
	for i := range len(list) - 1 {
		all = append(all, l.checkSegment(list[i], list[i+1]))
	}
	names, err := l.disk.List()
	if all = append(all, err); err != nil {
		return errors.Join(all...)
	}
	for _, batch := range snapshotsIn(names) {
		if _, _, err := snapshotPayload(l.disk, batch); !errors.Is(err, os.ErrNotExist) { // else it was removed meanwhile
			all = append(all, err)
		}
	}
	return errors.Join(all...)
}

// older are the segments that Open did not read, and the one behind them.
func (l *Log) older() []*segment {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := sort.Search(len(l.segments), func(i int) bool { return l.segments[i].first() >= l.walked })
	return slices.Clone(l.segments[:min(n+1, len(l.segments))])
}

// checkSegment reads a segment that another one follows.
func (l *Log) checkSegment(s, next *segment) (err error) {
	file, err := l.disk.Open(s.name)
	if errors.Is(err, os.ErrNotExist) {
		return nil // it was compacted away meanwhile
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	own := &segment{name: s.name, layout: s.layout, after: s.after, file: file, size: s.size}
	offset, after, buf := s.layout.segment, s.after, []byte(nil)
	for after.Batch < next.after.Batch {
		f, _, kind, err := own.read(offset, after, &buf)
		if err != nil {
			return err
		}
		if kind != aBatch {
			return own.damaged(offset, after.Batch+1, kind)
		}
		if err := l.compareState(own, offset, f.Position); err != nil {
			return err
		}
		offset += own.layout.size(f.length)
		after = f.Position
	}
	if !agree(after.Hash, next.after.Hash) {
		return next.damaged(0, next.first(), aStranger)
	}
	return nil
}

// compareState compares a batch at an offset with the snapshot of it, if there is one.
func (l *Log) compareState(s *segment, offset int64, at Position) error {
	if hash, ok := l.hashes[at.Batch]; ok && !agree(hash, at.Hash) {
		return anotherRecord(s.name, offset, at.Batch)
	}
	return nil
}

// addHarmless has CheckOlder return an error, if it is one.
func (l *Log) addHarmless(err error) {
	if err != nil {
		l.harmless = append(l.harmless, err)
	}
}

// checkBeginning returns the damage if batches are missing that were not compacted, of which a start needs none.
func (l *Log) checkBeginning(first uint64) error {
	if found := l.First(); first > 0 && found > first {
		return &DamageError{File: segmentName(first), Problem: fmt.Sprintf("the file is missing, and the record begins with batch %d instead of %d", found, first)}
	}
	return nil
}
