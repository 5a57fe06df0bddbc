package preempt

import "cmp"

// leader is the best offer so far; at is the slot of its node, below 0 while there is none.
type leader struct {
	at int32
	offer
}

// choose picks the best of all offers. What is known exactly comes first: it rules out most of what has only a bound,
// and only the rest is searched through.
func (f *Finder) choose(p *problem, s *search) (*Set, Outcome) {
	f.steps += len(s.offers) / 4
	for i := range s.offers {
		if s.offers[i].state == enough {
			return nil, NeedsNobody
		}
	}
	best := leader{at: -1}
	if !f.lead(p, s, &best, true) || !f.lead(p, s, &best, false) {
		return nil, Unfinished
	}
	if best.at < 0 {
		return nil, NoVictims
	}
	return f.setOf(p, best.at, &best.offer), Found
}

// lead lets the exact offers, or those that have only a bound, take the lead; it reports false when the steps ran out.
func (f *Finder) lead(p *problem, s *search, best *leader, exact bool) bool {
	for i := range s.offers {
		o, slot := s.offers[i], int32(i)
		if o.state <= enough || (o.state != bounded) != exact || f.trails(p, slot, &o, best) {
			continue
		}
		if !f.holds(p, slot, &o) {
			if f.spent() {
				return false
			}
			f.settle(p, slot, &o)
			s.put(slot, o)
		}
		if o.state >= single && !f.trails(p, slot, &o, best) {
			*best = leader{slot, o}
		}
	}
	return true
}

// trails reports whether an offer cannot be better than the leader.
func (f *Finder) trails(p *problem, slot int32, o *offer, best *leader) bool {
	if best.at < 0 {
		return false
	}
	c := cmp.Or(cmp.Compare(o.originators, best.originators), cmp.Compare(o.optedOuts, best.optedOuts), cmp.Compare(o.top, best.top))
	switch {
	case c != 0:
		return c > 0
	case f.Ranks == nil && o.count != best.count:
		return o.count > best.count
	case o.state == bounded:
		return false
	}
	return f.compare(p, slot, o, best) >= 0
}

// compare orders two exact offers that tie as far as their bounds go.
func (f *Finder) compare(p *problem, slot int32, o *offer, best *leader) int {
	if o.state != single || best.state != single {
		return f.setOf(p, slot, o).compare(f.setOf(p, best.at, &best.offer))
	}
	if c := cmp.Or(cmp.Compare(o.shares[0], best.shares[0]), cmp.Compare(o.shares[1], best.shares[1])); c != 0 {
		return c
	}
	if len(p.Total) <= len(o.shares) {
		return cmp.Compare(best.placed, o.placed)
	}
	a, b := &f.stands[slot], &f.stands[best.at]
	return p.compareSingles(&f.shares, a, &a.rows[o.row], b, &b.rows[best.row])
}

// holds reports whether an exact offer that was found before still is lawful and enough.
func (f *Finder) holds(p *problem, slot int32, o *offer) bool {
	st := &f.stands[slot]
	switch o.state {
	case solved:
		return p.lawful(st, o.set.rows)
	case single:
		return p.lawful(st, st.rows[o.row:o.row+1])
	}
	return false
}

// settle makes an offer exact.
func (f *Finder) settle(p *problem, slot int32, o *offer) {
	f.moved = true
	if o.state != bounded {
		*o = f.scan(p, slot)
	}
	if o.state == bounded {
		f.solve(p, slot, o)
	}
}

// setOf is the set of an exact offer.
func (f *Finder) setOf(p *problem, slot int32, o *offer) *Set {
	if o.set == nil {
		st := &f.stands[slot]
		o.set = p.newSet(st, st.rows[o.row:o.row+1])
	}
	return o.set
}
