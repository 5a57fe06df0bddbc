package victim

import (
	"cmp"
	"slices"
)

// state is how far a candidate is known.
type state uint8

const (
	unexamined state = iota
	infeasible       // no lawful set there is enough
	fits             // the ask fits there without victims
	bounded          // there may be a set, and none does less harm than the bound
	exactFew         // the best set is a few unprotected victims: their indices and harm are here
	exactSet         // the best set is known
)

// few is how many victims a candidate in state exactFew may have.
const few = 4

// candidate is a node with its best set of victims for a problem, as far as that is known.
type candidate struct {
	state      state
	guardBinds bool       // a guard rules victims out: with more slack there may be a better set
	maxBinds   bool       // a max asks for more than the node's room does: when less is missing below it there may be a better set
	exact      bool       // bounded: shares are those of every set of count victims
	more       bool       // there are more shares than two
	harmFloor             // of every set
	prios      [few]int64 // of the victims, from the highest, where count is at most few
	oldest     uint64     // the oldest victim in the order of allocation; where bounded it is at most this
	shares     [2]int64   // the largest that are left in excess, -1 for none
	victims    [few]uint16
	types      int32  // bounded: how many types every victim uses at least
	call       uint32 // of Find that examined it: in that call it is lawful
	set        *Set   // exactSet
	notBelow   *Set   // bounded: a full search found no set that does less harm than this one
	cut        *harmFloor
}

// harmFloor is a lower bound of a set's harm in the first criteria by which sets are compared.
type harmFloor struct {
	originators, optedOuts, count int32
	top                           int64
}

func (a harmFloor) compare(b harmFloor) int {
	switch {
	case a.originators != b.originators:
		return cmp.Compare(a.originators, b.originators)
	case a.optedOuts != b.optedOuts:
		return cmp.Compare(a.optedOuts, b.optedOuts)
	case a.top != b.top:
		return cmp.Compare(a.top, b.top)
	}
	return cmp.Compare(a.count, b.count)
}

// beforeCount leaves the number of victims out.
func (a harmFloor) beforeCount() harmFloor {
	a.count = 0
	return a
}

// incumbent is the best candidate so far; slot is below 0 while there is none.
type incumbent struct {
	slot int32
	candidate
}

// dominated reports whether a candidate cannot be better than the incumbent.
func (f *Finder) dominated(p *problem, slot int32, c *candidate, best *incumbent) bool {
	if best.slot < 0 {
		return false
	}
	order := c.harmFloor.compare(best.harmFloor)
	if f.Ranks != nil { // ranks come before the number of victims
		order = c.harmFloor.beforeCount().compare(best.beforeCount())
	}
	switch {
	case order != 0:
		return order > 0
	case c.state == bounded && c.notBelow != nil && f.setOf(p, best.slot, &best.candidate).compare(c.notBelow) <= 0:
		return true
	case c.state == bounded:
		return f.Ranks == nil && c.count <= few && best.beatsBoundOf(c)
	}
	return f.compare(p, slot, c, best) >= 0
}

// beatsBoundOf reports whether a bounded candidate of the same harmFloor cannot be better than the incumbent, which leaves
// less in excess than the other must, or as little with victims that are younger than all that the other could take.
func (best *incumbent) beatsBoundOf(c *candidate) bool {
	if order := comparePriorities(&c.prios, &best.prios, int(c.count)); order != 0 {
		return order > 0
	}
	if c.exact {
		order := compareShares(&c.shares, &best.shares)
		return order > 0 || order == 0 && !c.more && !best.more && c.oldest < best.oldest
	}
	types := int32(0)
	for _, share := range best.shares {
		if share > 0 {
			return false
		}
		if share == 0 {
			types++
		}
	}
	return types <= c.types && !best.more && c.oldest < best.oldest
}

// morePromisingThan reports whether a candidate's bounds are better than those of another, as far as both are known.
func (c *candidate) morePromisingThan(other *candidate) bool {
	if c.exact != other.exact {
		return c.exact
	}
	if order := c.harmFloor.compare(other.harmFloor); order != 0 {
		return order < 0
	}
	if order := comparePriorities(&c.prios, &other.prios, few); order != 0 {
		return order < 0
	}
	if order := compareShares(&c.shares, &other.shares); order != 0 {
		return order < 0
	}
	return c.oldest > other.oldest
}

// comparePriorities compares the first n of two lists of priorities.
func comparePriorities(a, b *[few]int64, n int) int {
	for i := range n {
		if a[i] != b[i] {
			return cmp.Compare(a[i], b[i])
		}
	}
	return 0
}

func compareShares(a, b *[2]int64) int {
	if a[0] != b[0] {
		return cmp.Compare(a[0], b[0])
	}
	return cmp.Compare(a[1], b[1])
}

// compare orders two exact candidates of the same harmFloor. Sets on two nodes have no victim in common, so the oldest victims
// decide at last.
func (f *Finder) compare(p *problem, slot int32, c *candidate, best *incumbent) int {
	if c.state != exactFew || best.state != exactFew {
		return f.setOf(p, slot, c).compare(f.setOf(p, best.slot, &best.candidate))
	}
	if order := cmp.Or(comparePriorities(&c.prios, &best.prios, int(c.count)), compareShares(&c.shares, &best.shares)); order != 0 {
		return order
	}
	if len(p.Total) > len(c.shares) {
		a, b := &f.views[slot], &f.views[best.slot]
		if order := p.compareExcess(&f.shares, a, slices.Clone(f.chosen(slot, c)), b, f.chosen(best.slot, &best.candidate)); order != 0 {
			return order
		}
	}
	return cmp.Compare(best.oldest, c.oldest)
}

// chosen lists the victims of a candidate in state exactFew; the list is valid until the next call.
func (f *Finder) chosen(slot int32, c *candidate) []victim {
	list := f.few[:0]
	for _, i := range c.victims[:c.count] {
		list = append(list, f.views[slot].victims[i])
	}
	f.few = list
	return list
}

// stillLawful reports whether an exact candidate of before still is lawful and enough.
func (f *Finder) stillLawful(p *problem, slot int32, c *candidate) bool {
	switch c.state {
	case exactSet:
		return p.lawful(&f.views[slot], c.set.victims)
	case exactFew:
		return c.call == f.call || p.lawful(&f.views[slot], f.chosen(slot, c))
	}
	return false
}

// setOf is the set of an exact candidate.
func (f *Finder) setOf(p *problem, slot int32, c *candidate) *Set {
	if c.set == nil {
		c.set = p.newSet(&f.views[slot], f.chosen(slot, c))
	}
	return c.set
}
