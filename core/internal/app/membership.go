package app

import "github.com/quern-project/quern/core/internal/state/asks"

// Grouped reports whether the ask belongs to a task group of an application with placeholders.
func (a Ask) Grouped() bool { return a.in.rows.Grouped(a.slot) }

// Member returns how the ask belongs to its task group, if it does.
func (a Ask) Member() asks.Member { return a.in.rows.Member(a.slot) }

// TaskGroup returns the task group of an ask that is Grouped.
func (a Ask) TaskGroup() TaskGroup { return TaskGroup{a.App().gang.list[a.Member().Group-1]} }

// IsPlaceholder reports whether the ask is a placeholder, which holds room for a task of its group.
func (a Ask) IsPlaceholder() bool { return a.Grouped() && a.Member().Placeholder }

// WaitsForGang reports whether the ask is pending and not allocated like other asks: it waits for its gang to form, or to replace a
// placeholder.
func (a Ask) WaitsForGang() bool { return a.order().standing != ordinary }

// IsReplacing reports whether a placeholder is leaving so that the ask can replace it.
func (a Ask) IsReplacing() bool { return a.Grouped() && a.Member().Replacing }

// memberList is a list of asks of a task group. An ask is in at most one.
type memberList struct{ first, last Slot }

// neighbours are an ask's neighbours in a memberList.
type neighbours struct{ prev, next Slot }

func (l *memberList) append(in *reader, slot Slot) {
	*in.inGroup(slot) = neighbours{prev: l.last}
	if l.last != NoSlot {
		in.inGroup(l.last).next = slot
	} else {
		l.first = slot
	}
	l.last = slot
}

func (l *memberList) remove(in *reader, slot Slot) {
	n := in.inGroup(slot)
	if n.prev != NoSlot {
		in.inGroup(n.prev).next = n.next
	} else {
		l.first = n.next
	}
	if n.next != NoSlot {
		in.inGroup(n.next).prev = n.prev
	} else {
		l.last = n.prev
	}
	*n = neighbours{}
}

// inGroup returns the neighbours of an ask in the list of its task group. Pages without such asks take no memory.
func (s *reader) inGroup(slot Slot) *neighbours {
	for int(slot) >= len(s.neighbours)*ordersInPage {
		s.neighbours = append(s.neighbours, nil)
	}
	page := &s.neighbours[slot/ordersInPage]
	if *page == nil {
		*page = new([ordersInPage]neighbours)
	}
	return &(*page)[slot%ordersInPage]
}
