package victim

// refusal remembers a question without victims, together with the nodes on which a guard or a max was the cause. It is much smaller
// than a search, so that many questions can be remembered and confirmed cheaply after changes elsewhere.
type refusal struct {
	era        uint64
	read       int
	prior      priorProblem
	guardBinds []int32 // slots of nodes on which a guard ruled out victims
	maxBinds   []int32 // slots of nodes on which a max required more victims than the node's room did
}

const (
	// maxRefusals bounds the memory of all refusals, as the sum of the leaves that they hold.
	maxRefusals = 2_000_000
	// maxRechecked bounds the nodes that are examined again to confirm a refusal. If more have changed, the search restarts, since
	// a search can be interrupted.
	maxRechecked = 256
)

// rememberRefusal replaces a search that found no victims by a refusal.
func (f *Finder) rememberRefusal(s *search, p *problem) {
	if f.refused == nil || len(f.refused) >= max(64, maxRefusals/(len(p.leaves)+64)) {
		f.refused = map[questionKey]*refusal{}
	}
	r := &refusal{era: s.era, read: s.read}
	r.prior.record(p)
	for slot := range s.candidates {
		r.record(int32(slot), &s.candidates[slot])
	}
	f.refused[s.key] = r
	f.forget(s)
}

func (r *refusal) record(slot int32, c *candidate) {
	if c.guardBinds {
		r.guardBinds = append(r.guardBinds, slot)
	}
	if c.maxBinds {
		r.maxBinds = append(r.maxBinds, slot)
	}
}

// stillRefused reports whether a remembered refusal still holds. It examines only nodes that changed.
func (f *Finder) stillRefused(p *problem) bool {
	key := f.keyOf(p)
	r := f.refused[key]
	if r == nil {
		return false
	}
	change := r.prior.change(p)
	if r.era != f.era || change.anew || !f.confirm(p, r, change) {
		delete(f.refused, key)
		return false
	}
	r.prior.record(p)
	return true
}

// confirm examines the nodes that may have victims by now, and reports whether none of them has.
func (f *Finder) confirm(p *problem, r *refusal, c change) bool {
	slots := append(f.slots[:0], f.log[r.read:]...)
	if c.slack {
		slots, r.guardBinds = append(slots, r.guardBinds...), r.guardBinds[:0]
	}
	if c.less {
		slots, r.maxBinds = append(slots, r.maxBinds...), r.maxBinds[:0]
	}
	f.slots, r.read = slots, len(f.log)
	if len(slots) > maxRechecked {
		return false
	}
	for _, slot := range slots {
		var found candidate
		if f.resolve(p, slot, &found, &incumbent{slot: -1}); found.state != infeasible {
			return false
		}
		r.record(slot, &found)
	}
	return true
}
