package node

// changelist lists positions whose entries changed, for readers that follow them when they are needed, if ever.
type changelist struct {
	positions []int32
	readers   int // that have read it since it last restarted: without any, nothing is listed
	era       int // grows when the list restarts
}

// reader is how far a reader has read.
type reader struct{ era, read int }

// note lists a position; limit is how many are listed at most.
func (l *changelist) note(position int32, limit int) {
	if l.readers == 0 {
		return
	}
	if len(l.positions) >= limit {
		l.restart()
		return
	}
	l.positions = append(l.positions, position)
}

// restart empties the list: readers have to look at every entry.
func (l *changelist) restart() {
	l.positions, l.readers = l.positions[:0], 0
	l.era++
}

// since returns what changed since a reader last read; all reports that this is not known.
func (l *changelist) since(r *reader) (positions []int32, all bool) {
	if r.era != l.era+1 { // 0 is before any era
		r.era = l.era + 1
		l.readers++
		all = true
	} else {
		positions = l.positions[r.read:]
	}
	r.read = len(l.positions)
	return positions, all
}

// unread is how many changes a reader has yet to read, some number of entries where it has to look at all.
func (l *changelist) unread(r *reader, entries int) int {
	if r.era != l.era+1 {
		return entries
	}
	return len(l.positions) - r.read
}
