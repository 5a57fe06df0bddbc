package store

import "errors"

// Compact removes snapshots except the last two, and segments whose batches are all in the older one of these and ended before a time, in
// nanoseconds since the Unix epoch. Batches that are kept beyond that keep a snapshot, too, with which they begin: see spaced. It returns
// how many segments it removed. It may run while others append and read.
func (l *Log) Compact(before int64) (removed int, err error) {
	list, err := l.dropSnapshots(before)
	if err != nil || len(list) < keptSnapshots {
		return 0, err
	}
	oldest := list[0]
	switch {
	case oldest.At <= before:
	case l.First() == 1:
		return 0, nil // what is kept begins with the beginning
	default: // what is kept begins nowhere, since an earlier release kept no snapshot for it
		oldest = list[len(list)-keptSnapshots]
	}
	for ; ; removed++ {
		s := l.removable(oldest.Batch, before)
		if s == nil {
			return removed, nil
		}
		if err := l.remove(s); err != nil {
			return removed, err
		}
	}
}

// dropSnapshots removes the snapshots that nothing needs, and returns the positions of the others, ascending.
func (l *Log) dropSnapshots(before int64) (kept []Position, err error) {
	l.snapshots.Lock() // none is read meanwhile
	defer l.snapshots.Unlock()
	names, err := l.disk.List()
	if err != nil {
		return nil, err
	}
	batches := snapshotsIn(names)
	var list []Position
	for i, batch := range batches {
		p, err := snapshotPosition(l.disk, batch)
		if err != nil && len(batches)-i > keptSnapshots { // it cannot be read, so it has no use
			if err := l.disk.Remove(snapshotName(batch)); err != nil {
				return nil, err
			}
			continue
		}
		p.Batch = batch
		list = append(list, p)
	}
	needed := spaced(list, before)
	for i, p := range list {
		if !needed[i] {
			if err := l.disk.Remove(snapshotName(p.Batch)); err != nil {
				return nil, err
			}
			continue
		}
		kept = append(kept, p)
	}
	return kept, nil
}

// spacings is how many snapshots are kept, about, in the time from which batches are kept.
const spacings = 4

// spaced says which snapshots are needed, of all that there are: the last two, the last one that is no later than a time, and between these
// one from time to time. So there is always one to begin with soon before that time, as it goes on.
func spaced(list []Position, before int64) []bool {
	needed, first := make([]bool, len(list)), 0
	for i, p := range list {
		if p.At <= before {
			first = i
		}
	}
	last := first
	for i := first; i < len(list); i++ {
		if i == first || list[i].At-list[last].At >= (list[len(list)-1].At-before)/spacings {
			needed[i], last = true, i
		}
	}
	for i := max(0, len(list)-keptSnapshots); i < len(list); i++ {
		needed[i] = true
	}
	return needed
}

// removable is the first segment, if its batches are in a snapshot and ended before a time.
func (l *Log) removable(snapshot uint64, before int64) *segment {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.segments) < 2 || l.segments[1].first() > snapshot+1 {
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
	if err := l.acknowledged.begin(l.second()); err != nil { // else its absence would look like a loss
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

// second is the first batch of the second segment.
func (l *Log) second() uint64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.segments[1].first()
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
