package victim

import (
	"cmp"
	"slices"
)

// state says how much is known of a candidate.
type state uint8

const (
	unexamined state = iota
	infeasible       // no lawful set there is enough
	fits             // the ask fits there without victims
	bounded          // a lawful set may exist, and none does less harm than the bound
	exactFew         // the best set has few, unprotected victims; the candidate holds their indices and harm
	exactSet         // the best set is in candidate.set
)

// maxFew is the largest number of victims of a candidate in state exactFew.
const maxFew = 4

// candidate is what the search knows of the best set of victims on one node.
type candidate struct {
	state       state
	guardBinds  bool          // a guard ruled out victims, so more slack may allow a better set
	maxBinds    bool          // a max required more victims than the node's room did, so a smaller shortfall there may allow a better set
	exact       bool          // in state bounded: shares holds for every set of count victims
	more        bool          // there are more than the two shares below
	harmFloor                 // lower bound for every set of the node
	prios       [maxFew]int64 // of the victims, from the highest, if count is at most maxFew
	oldest      uint64        // order of allocation of the oldest victim; in state bounded, an upper bound
	shares      [2]int64      // the largest shares left in excess; -1 for none
	victims     [maxFew]uint16
	types       int32  // in state bounded: every victim uses at least so many types
	call        uint32 // the call of Find that examined it; during that call it is lawful
	set         *Set   // exactSet
	notBelow    *Set   // in state bounded: a complete search found no set that does less harm than this one
	provenFloor *harmFloor
}

// harmFloor is a lower bound of harm, by the first criteria of the comparison of sets.
type harmFloor struct {
	originators, optedOuts, lasting, ended, count int32
	top                                           int64
}

func (a harmFloor) compare(b harmFloor) int {
	switch {
	case a.originators != b.originators:
		return cmp.Compare(a.originators, b.originators)
	case a.optedOuts != b.optedOuts:
		return cmp.Compare(a.optedOuts, b.optedOuts)
	case a.lasting != b.lasting:
		return cmp.Compare(a.lasting, b.lasting)
	case a.top != b.top:
		return cmp.Compare(a.top, b.top)
	case a.ended != b.ended:
		return cmp.Compare(a.ended, b.ended)
	}
	return cmp.Compare(a.count, b.count)
}

// beforeCount returns the criteria that come before the number of victims.
func (a harmFloor) beforeCount() harmFloor {
	a.count = 0
	return a
}

// incumbent is the best candidate so far. Its slot is negative while there is none.
type incumbent struct {
	slot int32
	candidate
}

// dominated reports whether a candidate cannot be better than the incumbent.
func (f *Finder) dominated(p *problem, slot int32, c *candidate, best *incumbent) bool {
	if best.slot < 0 {
		return false
	}
	if c.state == bounded && c.notBelow != nil && f.setOf(p, best.slot, &best.candidate).compare(c.notBelow) <= 0 {
		return true // also if its bound is loose, as those of nodes with gangs are: it would be searched in vain again and again
	}
	order := c.harmFloor.compare(best.harmFloor)
	if f.Ranks != nil { // ranks are compared before the number of victims
		order = c.harmFloor.beforeCount().compare(best.beforeCount())
	}
	switch {
	case order != 0:
		return order > 0
	case c.state == bounded:
		return f.Ranks == nil && c.count <= maxFew && best.beatsBoundOf(c, p.AgedShare != nil)
	}
	return f.compare(p, slot, c, best) >= 0
}

// beatsBoundOf reports whether a bounded candidate with the same harmFloor cannot be better than the incumbent: its priorities or
// its excess must be larger or, if they may be equal, its oldest victim must be older. Shares of leaves, which are compared before, have no bound.
func (best *incumbent) beatsBoundOf(c *candidate, byShares bool) bool {
	if order := comparePriorities(&c.prios, &best.prios, int(c.count)); order != 0 {
		return order > 0
	}
	if c.exact {
		order := compareShares(&c.shares, &best.shares)
		return order > 0 || order == 0 && !byShares && !c.more && !best.more && c.oldest < best.oldest
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
	return !byShares && types <= c.types && !best.more && c.oldest < best.oldest
}

// morePromisingThan reports whether a candidate's bounds are better than those of another one.
func (c *candidate) morePromisingThan(other *candidate) bool {
	if c.exact != other.exact {
		return c.exact
	}
	if order := c.harmFloor.compare(other.harmFloor); order != 0 {
		return order < 0
	}
	if order := comparePriorities(&c.prios, &other.prios, maxFew); order != 0 {
		return order < 0
	}
	if order := compareShares(&c.shares, &other.shares); order != 0 {
		return order < 0
	}
	return c.oldest > other.oldest
}

// comparePriorities compares the first n of two lists of priorities.
func comparePriorities(a, b *[maxFew]int64, n int) int {
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

// compare orders two exact candidates with the same harmFloor. Sets of a few single victims on two nodes have no victim in common, so the
// age of their oldest victims is the last criterion needed.
func (f *Finder) compare(p *problem, slot int32, c *candidate, best *incumbent) int {
	if c.state != exactFew || best.state != exactFew || p.AgedShare != nil {
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

// chosen lists the victims of a candidate in state exactFew. The list is valid until the next call.
func (f *Finder) chosen(slot int32, c *candidate) []victim {
	list := f.few[:0]
	for _, i := range c.victims[:c.count] {
		list = append(list, f.views[slot].victims[i])
	}
	f.few = list
	return list
}

// stillLawful reports whether the set of a candidate that is already exact is still lawful and enough.
func (f *Finder) stillLawful(p *problem, slot int32, c *candidate) bool {
	switch c.state {
	case exactSet:
		return p.lawful(&f.views[slot], c.set.victims)
	case exactFew:
		return c.call == f.call || p.lawful(&f.views[slot], f.chosen(slot, c))
	}
	return false
}

// setOf returns the set of an exact candidate.
func (f *Finder) setOf(p *problem, slot int32, c *candidate) *Set {
	if c.set == nil {
		c.set = p.newSet(&f.views[slot], f.chosen(slot, c))
	}
	return c.set
}
