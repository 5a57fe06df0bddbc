package store

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
		s := l.detach(older, before)
		if s == nil {
			return removed, nil
		}
		if err := s.file.Close(); err != nil {
			return removed, err
		}
		if err := l.disk.Remove(s.name); err != nil {
			return removed, err
		}
		if err := l.disk.Sync(); err != nil { // in order, so that no later one is gone while this one is there
			return removed, err
		}
	}
}

// detach takes the first segment off the log, if its batches are in a snapshot and ended before a time.
func (l *Log) detach(snapshot uint64, before int64) *segment {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.segments) < 2 || l.segments[1].first > snapshot+1 {
		return nil
	}
	if next := l.segments[1]; len(next.marks) == 0 || next.marks[0].At > before {
		return nil
	}
	s := l.segments[0]
	l.segments = l.segments[1:]
	return s
}
