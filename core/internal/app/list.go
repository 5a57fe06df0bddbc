package app

// Chain names a list that an allocation is in.
type Chain int

// The lists: an allocation is in both.
const (
	OfApp  Chain = iota // allocations of one application
	OnNode              // allocations on one node
	chains
)

// List is a list of allocations, in the order in which they were appended. Its links are in the asks, so that appending
// and removing cost the same however long it is, and nothing is made for them.
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
