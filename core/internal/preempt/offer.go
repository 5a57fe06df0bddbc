package preempt

import (
	"cmp"
)

// state is what is known of a node's offer.
type state uint8

const (
	unknown state = iota
	none          // nothing there is enough
	enough        // nobody has to leave there
	bounded       // a set may be there, and none that does less harm than the bound
	plain         // the best set is a few allocations that nothing protects: rows, and what they compare by
	solved        // the best set is known
)

// few is how many victims a plain offer may have.
const few = 4

// offer is what a node has for a problem, as far as it has been looked at.
type offer struct {
	state   state
	guarded bool       // guards stood in the way: with more slack there may be a better one
	pressed bool       // a max asked for more than the node's room did: with less of that there may be a better one
	floor              // harm is at least this
	prios   [few]int32 // from the highest, as many as count says, if it is not more
	oldest  uint64     // of its victims, by order of allocation; larger is better
	// A plain offer's rows, lowest priority first, and the rest of its harm.
	rows   [few]uint16
	shares [2]int64 // the largest in excess, -1 for none
	more   bool     // there are more than these
	exact  bool     // bounded: shares are those of every set of so few victims
	types  int32    // bounded: how many types any victim uses at least
	call   uint32   // in which it was last looked at: there it is lawful
	set    *Set     // solved
	lost   *Set     // bounded: it was searched through, and has nothing better than this
	cut    *floor   // it was not searched through: it may have better, down to this
}

// floor is the harm that a node's sets do at least, in the first things that sets compare by.
type floor struct{ originators, optedOuts, top, count int32 }

func (a floor) compare(b floor) int {
	return cmp.Or(cmp.Compare(a.originators, b.originators), cmp.Compare(a.optedOuts, b.optedOuts), cmp.Compare(a.top, b.top), cmp.Compare(a.count, b.count))
}
