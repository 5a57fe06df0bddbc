package app

// list is a doubly linked list of asks of an application: pending ones in order of submission, or allocations in order. Its links are in
// the orders of the asks, so an ask is in at most one, and appending and removing take constant time.
type list struct{ first, last Slot }

// append appends an ask, which must not be in a list.
func (l *list) append(in *reader, slot Slot) { l.link(in, slot, in.order(slot)) }

// link is append for an ask whose order is known.
func (l *list) link(in *reader, slot Slot, o *order) {
	o.prev, o.next = l.last, NoSlot
	if l.last != NoSlot {
		in.order(l.last).next = slot
	} else {
		l.first = slot
	}
	l.last = slot
}

// remove removes an ask, which must be in the list.
func (l *list) remove(in *reader, slot Slot) {
	o := in.order(slot)
	if o.prev != NoSlot {
		in.order(o.prev).next = o.next
	} else {
		l.first = o.next
	}
	if o.next != NoSlot {
		in.order(o.next).prev = o.prev
	} else {
		l.last = o.prev
	}
	o.prev, o.next = NoSlot, NoSlot
}

// has reports whether an ask is in the list. The ask must not be in another list.
func (l *list) has(in *reader, slot Slot) bool {
	return l.first == slot || in.order(slot).prev != NoSlot
}

// insertLimit is the number of steps from each end that insert takes to find a place.
const insertLimit = 32

// insert inserts an ask in order of submission. If its place is far from both ends, it adds nothing and reports false.
func (l *list) insert(in *reader, slot Slot) bool {
	seq := in.rows.Seq(slot)
	young, old := l.last, l.first
	for range insertLimit {
		if young == NoSlot || in.rows.Seq(young) < seq {
			l.insertAfter(in, young, slot)
			return true
		}
		if in.rows.Seq(old) > seq {
			l.insertAfter(in, in.order(old).prev, slot)
			return true
		}
		young, old = in.order(young).prev, in.order(old).next
	}
	return false
}

// insertAfter inserts an ask after another one or, if that is NoSlot, at the front.
func (l *list) insertAfter(in *reader, prev, slot Slot) {
	next := l.first
	if prev != NoSlot {
		next = in.order(prev).next
		in.order(prev).next = slot
	} else {
		l.first = slot
	}
	if next != NoSlot {
		in.order(next).prev = slot
	} else {
		l.last = slot
	}
	o := in.order(slot)
	o.prev, o.next = prev, next
}

// each calls yield with every ask until it returns false.
func (l *list) each(in *reader, yield func(Ask) bool) bool {
	for slot := l.first; slot != NoSlot; slot = in.order(slot).next {
		if !yield(Ask{in, slot}) {
			return false
		}
	}
	return true
}
