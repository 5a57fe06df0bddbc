package victim

// choose returns the set of the best candidate. Exact candidates come first, since they dominate most of the bounded ones. Only
// those that remain are examined and solved.
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

// approximate reports whether a node whose search ran out of steps may have a better set than the best one found.
func (f *Finder) approximate(s *search, best *incumbent) bool {
	if s.truncated == 0 {
		return false
	}
	for i := range s.candidates {
		if cut := s.candidates[i].provenFloor; cut != nil && (f.Ranks != nil || cut.compare(best.harmFloor) <= 0) {
			return true
		}
	}
	return false
}

// tryExact finds the best of the candidates that are exact from earlier calls. It reports false if the steps ran out.
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

// promisingTries is the number of candidates that tryMostPromising tries.
const promisingTries = 4

// tryMostPromising tries the bounded candidates with the best bounds, since one of them often dominates all others. It leaves
// in f.remaining the candidates that are not dominated, by slot. It reports false if the steps ran out.
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

// remain appends a candidate to f.remaining unless it is exact or dominated. most is the slot of the most promising one so far.
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

// tryBounded tries the remaining bounded candidates. It reports false if the steps ran out.
func (f *Finder) tryBounded(p *problem, s *search, best *incumbent) bool {
	for _, slot := range f.remaining {
		c := &s.candidates[slot]
		if c.state == bounded && !f.dominated(p, slot, c, best) && !f.try(p, s, slot, best) {
			return false
		}
	}
	return true
}

// try solves a candidate unless the incumbent dominates it, and makes it the incumbent if it is better. It reports false if the
// steps ran out.
func (f *Finder) try(p *problem, s *search, slot int32, best *incumbent) bool {
	c := s.candidates[slot]
	if !f.stillLawful(p, slot, &c) {
		if f.mustStop() {
			return false
		}
		f.examined = true
		f.resolve(p, slot, &c, best) // the bound is only that of the summary, or the exact set is no longer lawful
		s.put(slot, &c)
	}
	if c.state >= exactFew && !f.dominated(p, slot, &c, best) {
		*best = incumbent{slot, c}
	}
	return true
}
