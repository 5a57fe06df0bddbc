package app

// Membership is what an ask of a gang application has beside those of others.
type Membership struct {
	Group       *TaskGroup
	Placeholder bool
	GaveUp      bool // a task: no placeholder was large enough, so it is placed as any ask
	Bound       bool // a pending task: it lands when the placeholder has left that was told to leave for it

	standing   standing // of a pending task: how it waits, if it is not placed as any ask
	prev, next *Ask     // in a list of its task group
}

// IsPlaceholder reports whether the ask holds room for a task of its group.
func (a *Ask) IsPlaceholder() bool { return a.Member != nil && a.Member.Placeholder }

// Rests reports whether the ask is pending and not placed as any other: it waits for its gang to form, for the place of a
// placeholder, or for its placeholder to leave.
func (a *Ask) Rests() bool { return a.Member != nil && a.Member.standing != ordinary }

// IsBound reports whether a placeholder was told to leave for the ask.
func (a *Ask) IsBound() bool { return a.Member != nil && a.Member.Bound }

// memberList is a list of asks of a task group.
type memberList struct {
	first, last *Ask
}

func (l *memberList) append(a *Ask) {
	a.Member.prev, a.Member.next = l.last, nil
	if l.last != nil {
		l.last.Member.next = a
	} else {
		l.first = a
	}
	l.last = a
}

func (l *memberList) remove(a *Ask) {
	m := a.Member
	if m.prev != nil {
		m.prev.Member.next = m.next
	} else {
		l.first = m.next
	}
	if m.next != nil {
		m.next.Member.prev = m.prev
	} else {
		l.last = m.prev
	}
	m.prev, m.next = nil, nil
}
