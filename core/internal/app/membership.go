package app

// Membership holds the fields that only asks of applications with placeholders need.
type Membership struct {
	Group             *TaskGroup
	Placeholder       bool
	NoPlaceholderFits bool // of a task: no placeholder was large enough, so it is allocated like other asks
	Replacing         bool // of a pending task: it is allocated once the placeholder that it replaces has left

	standing   standing // of a pending task: what it waits for
	prev, next Ask      // neighbours in a list of its task group
}

// IsPlaceholder reports whether the ask is a placeholder, which holds room for a task of its group.
func (a Ask) IsPlaceholder() bool { return a.Member() != nil && a.Member().Placeholder }

// WaitsForGang reports whether the ask is pending and not allocated like other asks: it waits for its gang to form, or to replace a
// placeholder.
func (a Ask) WaitsForGang() bool { return a.Member() != nil && a.Member().standing != ordinary }

// IsReplacing reports whether a placeholder is leaving so that the ask can replace it.
func (a Ask) IsReplacing() bool { return a.Member() != nil && a.Member().Replacing }

// memberList is a list of asks of a task group.
type memberList struct {
	first, last Ask
}

func (l *memberList) append(a Ask) {
	a.Member().prev, a.Member().next = l.last, Ask{}
	if !l.last.IsNone() {
		l.last.Member().next = a
	} else {
		l.first = a
	}
	l.last = a
}

func (l *memberList) remove(a Ask) {
	m := a.Member()
	if !m.prev.IsNone() {
		m.prev.Member().next = m.next
	} else {
		l.first = m.next
	}
	if !m.next.IsNone() {
		m.next.Member().prev = m.prev
	} else {
		l.last = m.prev
	}
	m.prev, m.next = Ask{}, Ask{}
}
