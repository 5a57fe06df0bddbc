package preempt

import (
	"cmp"
	"slices"
)

// leader is the best offer so far; at is the slot of its node, below 0 while there is none.
type leader struct {
	at int32
	offer
}

// choose picks the best of all offers. What is known exactly comes first: it rules out most of what has only a bound,
// and only the rest is searched through.
func (f *Finder) choose(p *problem, s *search) (*Set, Outcome) {
	n := &s.counts
	switch {
	case n[enough] > 0:
		return nil, NeedsNobody
	case n[bounded]+n[plain]+n[solved] == 0:
		return nil, NoVictims
	}
	f.steps += len(s.offers)
	best := leader{at: -1}
	if n[plain]+n[solved] > 0 && !f.lead(p, s, &best, true) || !f.leadYoungest(p, s, &best) || !f.lead(p, s, &best, false) {
		return nil, Unfinished
	}
	if best.at < 0 {
		return nil, NoVictims
	}
	set := f.setOf(p, best.at, &best.offer)
	set.Approximate = f.uncertain(s, &best)
	return set, Found
}

// uncertain reports whether a node may have a better set than the best that was found, since its search was cut short.
func (f *Finder) uncertain(s *search, best *leader) bool {
	return slices.ContainsFunc(s.offers, func(o offer) bool {
		return o.cut != nil && (f.Ranks != nil || o.cut.compare(best.floor) <= 0)
	})
}

// lead lets the exact offers, or those that have only a bound, take the lead; it reports false when the steps ran out.
func (f *Finder) lead(p *problem, s *search, best *leader, exact bool) bool {
	for i := range s.offers {
		o := &s.offers[i]
		if o.state <= enough || (o.state != bounded) != exact || f.trails(p, int32(i), o, best) {
			continue
		}
		if !f.tryLead(p, s, int32(i), best) {
			return false
		}
	}
	return true
}

// tryLead lets an offer take the lead if it is better, once it is exact.
func (f *Finder) tryLead(p *problem, s *search, slot int32, best *leader) bool {
	o := s.offers[slot]
	if !f.holds(p, slot, &o) {
		if f.spent() {
			return false
		}
		o = f.scan(p, slot) // what is bounded may be so from a mere glimpse, or from when more could be taken
		if f.moved = true; o.state == bounded && !f.trails(p, slot, &o, best) {
			f.solve(p, slot, &o, best)
		}
		s.put(slot, o)
	}
	if o.state >= plain && !f.trails(p, slot, &o, best) {
		*best = leader{slot, o}
	}
	return true
}

// trails reports whether an offer cannot be better than the leader.
func (f *Finder) trails(p *problem, slot int32, o *offer, best *leader) bool {
	if best.at < 0 {
		return false
	}
	low, lead := o.floor, best.floor
	if f.Ranks != nil { // ranks come before the number of victims
		low.count, lead.count = 0, 0
	}
	c := low.compare(lead)
	switch {
	case c != 0:
		return c > 0
	case o.state == bounded && o.lost != nil && f.setOf(p, best.at, &best.offer).compare(o.lost) <= 0:
		return true
	case o.state == bounded:
		return f.Ranks == nil && o.count <= few && best.hardToBeat(o)
	}
	return f.compare(p, slot, o, best) >= 0
}

// hardToBeat reports whether the leader cannot be beaten by what is bounded as low as it is: it leaves less in excess than
// the other must, or nothing, and is younger than all that the other could take.
func (best *leader) hardToBeat(o *offer) bool {
	n := o.count
	if c := slices.Compare(o.prios[:n], best.prios[:n]); c != 0 {
		return c > 0
	}
	if o.exact {
		c := cmp.Or(cmp.Compare(o.shares[0], best.shares[0]), cmp.Compare(o.shares[1], best.shares[1]))
		return c > 0 || c == 0 && !o.more && !best.more && o.oldest < best.oldest
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
	return types <= o.types && !best.more && o.oldest < best.oldest
}

// youngTries is how often leadYoungest tries.
const youngTries = 4

// leadYoungest settles, of the offers that have only a bound and may take the lead, the one that promises most, a few
// times: one of them often rules all others out.
func (f *Finder) leadYoungest(p *problem, s *search, best *leader) bool {
	for range youngTries {
		at := int32(-1)
		for i := range s.offers {
			o := &s.offers[i]
			if o.state == bounded && !f.trails(p, int32(i), o, best) && (at < 0 || o.promises(&s.offers[at])) {
				at = int32(i)
			}
		}
		if at < 0 {
			return true
		}
		if !f.tryLead(p, s, at, best) {
			return false
		}
	}
	return true
}

// promises reports whether an offer's bounds are better than those of another, as far as both are known.
func (o *offer) promises(other *offer) bool {
	if o.exact != other.exact {
		return o.exact
	}
	return cmp.Or(o.floor.compare(other.floor), slices.Compare(o.prios[:], other.prios[:]),
		slices.Compare(o.shares[:], other.shares[:]), cmp.Compare(other.oldest, o.oldest)) < 0
}

// compare orders two exact offers that tie as far as their bounds go. Sets on two nodes have no victim in common, so the
// oldest decides at last.
func (f *Finder) compare(p *problem, slot int32, o *offer, best *leader) int {
	if o.state != plain || best.state != plain {
		return f.setOf(p, slot, o).compare(f.setOf(p, best.at, &best.offer))
	}
	n := o.count
	if c := cmp.Or(slices.Compare(o.prios[:n], best.prios[:n]), cmp.Compare(o.shares[0], best.shares[0]), cmp.Compare(o.shares[1], best.shares[1])); c != 0 {
		return c
	}
	if len(p.Total) > len(o.shares) {
		a, b := &f.stands[slot], &f.stands[best.at]
		if c := p.compareExcess(&f.shares, a, slices.Clone(f.rowsOf(slot, o)), b, f.rowsOf(best.at, &best.offer)); c != 0 {
			return c
		}
	}
	return cmp.Compare(best.oldest, o.oldest)
}

// rowsOf lists the rows of a plain offer, until it is called again.
func (f *Finder) rowsOf(slot int32, o *offer) []row {
	rows := f.rows[:0]
	for _, i := range o.rows[:o.count] {
		rows = append(rows, f.stands[slot].rows[i])
	}
	f.rows = rows
	return rows
}

// holds reports whether an exact offer that was found before still is lawful and enough.
func (f *Finder) holds(p *problem, slot int32, o *offer) bool {
	switch o.state {
	case solved:
		return p.lawful(&f.stands[slot], o.set.rows)
	case plain:
		return o.call == f.call || p.lawful(&f.stands[slot], f.rowsOf(slot, o))
	}
	return false
}

// setOf is the set of an exact offer.
func (f *Finder) setOf(p *problem, slot int32, o *offer) *Set {
	if o.set == nil {
		o.set = p.newSet(&f.stands[slot], f.rowsOf(slot, o))
	}
	return o.set
}
