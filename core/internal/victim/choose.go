package victim

// choose picks the best of all candidates. Those that are exact come first: they rule out most of those that are only
// bounded, and only the rest is examined and searched.
func (f *Finder) choose(p *problem, s *search) (*Set, Outcome) {
	n := &s.counts
	switch {
	case n[fits] > 0:
		return nil, NotNeeded
	case n[bounded]+n[exactFew]+n[exactSet] == 0:
		return nil, NoVictims
	}
	f.steps += len(s.candidates)
	best := incumbent{slot: -1}
	if !f.tryExact(p, s, &best) || !f.tryMostPromising(p, s, &best) || !f.tryBounded(p, s, &best) {
		return nil, Unfinished
	}
	if best.slot < 0 {
		return nil, NoVictims
	}
	set := f.setOf(p, best.slot, &best.candidate)
	set.Approximate = f.approximate(s, &best)
	return set, Found
}

// approximate reports whether a node may have a better set than the best that was found, since its search was cut short.
func (f *Finder) approximate(s *search, best *incumbent) bool {
	if s.cuts == 0 {
		return false
	}
	for i := range s.candidates {
		if cut := s.candidates[i].cut; cut != nil && (f.Ranks != nil || cut.compare(best.harmFloor) <= 0) {
			return true
		}
	}
	return false
}

// tryExact finds the best of the candidates that were exact before. It reports false when the steps ran out.
func (f *Finder) tryExact(p *problem, s *search, best *incumbent) bool {
	if s.counts[exactFew]+s.counts[exactSet] == 0 {
		return true
	}
	for i := range s.candidates {
		c := &s.candidates[i]
		if c.state >= exactFew && !f.dominated(p, int32(i), c, best) && !f.try(p, s, int32(i), best) {
			return false
		}
	}
	return true
}

// promisingTries is how many candidates tryMostPromising tries.
const promisingTries = 4

// tryMostPromising tries those of the bounded candidates that have the best bounds: one of them often rules out all
// others. It lists those that remain, in order of their slots.
func (f *Finder) tryMostPromising(p *problem, s *search, best *incumbent) bool {
	f.remaining = f.remaining[:0]
	at := int32(-1)
	for i := range s.candidates {
		f.remain(p, s, int32(i), best, &at)
	}
	for tries := 1; at >= 0; tries++ {
		if !f.try(p, s, at, best) {
			return false
		}
		if tries == promisingTries {
			break
		}
		before := f.remaining
		f.remaining, at = f.remaining[:0], -1
		for _, slot := range before {
			f.remain(p, s, slot, best, &at)
		}
	}
	return true
}

// remain lists a candidate unless it is exact or dominated. most is the slot of the most promising one so far.
func (f *Finder) remain(p *problem, s *search, slot int32, best *incumbent, most *int32) {
	c := &s.candidates[slot]
	if c.state != bounded || f.dominated(p, slot, c, best) {
		return
	}
	f.remaining = append(f.remaining, slot)
	if *most < 0 || c.morePromisingThan(&s.candidates[*most]) {
		*most = slot
	}
}

// tryBounded tries the bounded candidates that remain.
func (f *Finder) tryBounded(p *problem, s *search, best *incumbent) bool {
	for _, slot := range f.remaining {
		c := &s.candidates[slot]
		if c.state == bounded && !f.dominated(p, slot, c, best) && !f.try(p, s, slot, best) {
			return false
		}
	}
	return true
}

// try makes a candidate exact, as far as it may be better than the incumbent, and the incumbent if it is. It reports false
// when the steps ran out.
func (f *Finder) try(p *problem, s *search, slot int32, best *incumbent) bool {
	c := s.candidates[slot]
	if !f.stillLawful(p, slot, &c) {
		if f.mustStop() {
			return false
		}
		f.moved = true
		f.settle(p, slot, &c, best) // the bound may be that of the summary, or the candidate was exact when more could be taken
		s.put(slot, &c)
	}
	if c.state >= exactFew && !f.dominated(p, slot, &c, best) {
		*best = incumbent{slot, c}
	}
	return true
}
