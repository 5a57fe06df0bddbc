package store

import "errors"

// Compact removes segments whose batches are all in the older one of two snapshots and ended before a time, in nanoseconds since
// the Unix epoch. It returns how many it removed. It may run while others append and read.
func (l *Log) Compact(before int64) (removed int, err error) {
	names, err := l.disk.List()
	if err != nil {
		return 0, err
	}
	list := snapshotsIn(names)
	if len(list) < keptSnapshots {
		return 0, nil
	}
	for older := list[len(list)-keptSnapshots]; ; removed++ {
		s := l.removable(older, before)
		if s == nil {
			return removed, nil
		}
		if err := l.remove(s); err != nil {
			return removed, err
		}
	}
}

// removable is the first segment, if its batches are in a snapshot and ended before a time.
func (l *Log) removable(snapshot uint64, before int64) *segment {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.segments) < 2 || l.segments[1].first > snapshot+1 {
		return nil
	}
	if next := l.segments[1]; len(next.marks) == 0 || next.marks[0].At > before {
		return nil
	}
	return l.segments[0]
}

// remove removes the first segment. Before a later one is removed, that must be durable: else a crash could bring back this one alone,
// and the record would have a hole.
func (l *Log) remove(s *segment) error {
	if err := l.syncRemoved(); err != nil {
		return err
	}
	if err := l.disk.Remove(s.name); err != nil {
		return err
	}
	l.removedDurable = false
	l.mu.Lock()
	l.segments = l.segments[1:]
	l.mu.Unlock()
	return errors.Join(s.file.Close(), l.syncRemoved())
}

// syncRemoved makes durable that segments were removed, by this process or one before it.
func (l *Log) syncRemoved() error {
	if l.removedDurable {
		return nil
	}
	err := l.disk.Sync()
	l.removedDurable = err == nil
	return err
}
