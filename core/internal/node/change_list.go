package node

// changelist lists positions whose entries changed, for readers that catch up only when they are needed.
type changelist struct {
	positions []int32
	readers   int // readers since the last restart; without readers, nothing is listed
	era       int // incremented by each restart
}

// reader is a reader's position in the list.
type reader struct{ era, read int }

// record lists a position. If the list has reached the limit, it restarts instead.
func (l *changelist) record(position int32, limit int) {
	if l.readers == 0 {
		return
	}
	if len(l.positions) >= limit {
		l.restart()
		return
	}
	l.positions = append(l.positions, position)
}

// restart empties the list. Readers then have to read every entry.
func (l *changelist) restart() {
	l.positions, l.readers = l.positions[:0], 0
	l.era++
}

// since returns the positions that changed since the reader's last call. If all is true, they are not known, and any entry may have
// changed.
func (l *changelist) since(r *reader) (positions []int32, all bool) {
	if r.era != l.era+1 { // readers store era+1, so that the zero reader has read nothing
		r.era = l.era + 1
		l.readers++
		all = true
	} else {
		positions = l.positions[r.read:]
	}
	r.read = len(l.positions)
	return positions, all
}

// unread returns how many changes a reader has to read. entries is the number if it has to read all.
func (l *changelist) unread(r *reader, entries int) int {
	if r.era != l.era+1 {
		return entries
	}
	return len(l.positions) - r.read
}
