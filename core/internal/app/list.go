package app

// Chain names a list that an ask is in.
type Chain int

// The lists: an allocation is in both. A pending ask is in one of its application, in submission order.
const (
	OfApp  Chain = iota // allocations of one application, or pending asks of one
	OnNode              // allocations on one node
	chains
)

// List is a list of asks, in the order in which they were appended. Its links are in the asks, so that appending and
// removing cost the same however long it is, and nothing is made for them.
type List struct {
	First, last *Ask
}

// links are an ask's neighbours in a list.
type links struct {
	prev, next *Ask
}

// Next is the ask after this one in a list, or nil.
func (a *Ask) Next(c Chain) *Ask { return a.links[c].next }

// Append adds an ask that is in no list of the kind.
func (l *List) Append(a *Ask, c Chain) {
	a.links[c] = links{prev: l.last}
	if l.last != nil {
		l.last.links[c].next = a
	} else {
		l.First = a
	}
	l.last = a
}

// Remove takes out an ask that is in the list.
func (l *List) Remove(a *Ask, c Chain) {
	at := a.links[c]
	if at.prev != nil {
		at.prev.links[c].next = at.next
	} else {
		l.First = at.next
	}
	if at.next != nil {
		at.next.links[c].prev = at.prev
	} else {
		l.last = at.prev
	}
	a.links[c] = links{}
}

// has reports whether an ask, which is in no other list of its application, is in the list.
func (l *List) has(a *Ask) bool { return l.First == a || a.links[OfApp].prev != nil }

// insertLimit is how many steps from either end insert looks for a place.
const insertLimit = 32

// insert adds a pending ask at its place in the order of submission. It reports false, and adds nothing, when the place is
// far from both ends.
func (l *List) insert(a *Ask) bool {
	young, old := l.last, l.First
	for range insertLimit {
		if young == nil || young.Seq < a.Seq {
			l.insertAfter(young, a)
			return true
		}
		if old.Seq > a.Seq {
			l.insertAfter(old.links[OfApp].prev, a)
			return true
		}
		young, old = young.links[OfApp].prev, old.links[OfApp].next
	}
	return false
}

// insertAfter adds a pending ask behind one that is in the list; nil: before all others.
func (l *List) insertAfter(prev, a *Ask) {
	next := l.First
	if prev != nil {
		next = prev.links[OfApp].next
		prev.links[OfApp].next = a
	} else {
		l.First = a
	}
	if next != nil {
		next.links[OfApp].prev = a
	} else {
		l.last = a
	}
	a.links[OfApp] = links{prev: prev, next: next}
}
