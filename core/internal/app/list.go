package app

// Chain is a kind of list. An ask is in at most one list of each kind.
type Chain int

// The kinds of lists. An allocation is in one of each kind. A pending ask may be in a list of its application, in order of submission.
const (
	OfApp  Chain = iota // allocations of one application, or pending asks of one
	OnNode              // allocations on one node
	chains
)

// List is a doubly linked list of asks. Its links are in the asks, so appending and removing take constant time and do not allocate
// memory.
type List struct {
	First, last Ask
}

// links are an ask's neighbours in a list.
type links struct {
	prev, next Ask
}

// Next returns the next ask in a list, or nil.
func (a Ask) Next(c Chain) Ask { return a.links[c].next }

// Append appends an ask, which must not be in a list of the kind.
func (l *List) Append(a Ask, c Chain) {
	a.links[c] = links{prev: l.last}
	if !l.last.IsNone() {
		l.last.links[c].next = a
	} else {
		l.First = a
	}
	l.last = a
}

// Remove removes an ask, which must be in the list.
func (l *List) Remove(a Ask, c Chain) {
	at := a.links[c]
	if !at.prev.IsNone() {
		at.prev.links[c].next = at.next
	} else {
		l.First = at.next
	}
	if !at.next.IsNone() {
		at.next.links[c].prev = at.prev
	} else {
		l.last = at.prev
	}
	a.links[c] = links{}
}

// has reports whether an ask is in the list. The ask must not be in another list of its application.
func (l *List) has(a Ask) bool { return l.First == a || !a.links[OfApp].prev.IsNone() }

// insertLimit is the number of steps from each end that insert takes to find a place.
const insertLimit = 32

// insert inserts a pending ask in order of submission. If its place is far from both ends, it adds nothing and reports false.
func (l *List) insert(a Ask) bool {
	young, old := l.last, l.First
	for range insertLimit {
		if young.IsNone() || young.Seq() < a.Seq() {
			l.insertAfter(young, a)
			return true
		}
		if old.Seq() > a.Seq() {
			l.insertAfter(old.links[OfApp].prev, a)
			return true
		}
		young, old = young.links[OfApp].prev, old.links[OfApp].next
	}
	return false
}

// insertAfter inserts a pending ask after another one or, if prev is nil, at the front.
func (l *List) insertAfter(prev, a Ask) {
	next := l.First
	if !prev.IsNone() {
		next = prev.links[OfApp].next
		prev.links[OfApp].next = a
	} else {
		l.First = a
	}
	if !next.IsNone() {
		next.links[OfApp].prev = a
	} else {
		l.last = a
	}
	a.links[OfApp] = links{prev: prev, next: next}
}
