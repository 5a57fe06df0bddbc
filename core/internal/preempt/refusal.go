package preempt

// refusal is what is remembered of a question that found no victims: why each node had none, as far as that may change.
// It is small, so that many asks that wait in vain cost little memory, and little time when something else changes.
type refusal struct {
	era        uint64
	read       int
	before     before
	guardBinds []int32 // slots where guards stood in the way
	maxBinds   []int32 // slots where a max did
}

const (
	// refusalsKept bounds how many are remembered, by how many leaves they remember.
	refusalsKept = 2_000_000
	// refusalStretch is up to how many nodes are looked at again to find that a refusal stands; beyond it the search
	// begins anew, since that can be interrupted.
	refusalStretch = 256
)

// refuse remembers that a search found nothing.
func (f *Finder) refuse(s *search, p *problem) {
	if f.refused == nil || len(f.refused) >= max(64, refusalsKept/(len(p.leaves)+64)) {
		f.refused = map[questionKey]*refusal{}
	}
	r := &refusal{era: s.era, read: s.read}
	r.before.take(p)
	for slot := range s.candidates {
		r.note(int32(slot), &s.candidates[slot])
	}
	f.refused[s.questionKey] = r
	f.forget(s)
}

func (r *refusal) note(slot int32, c *candidate) {
	if c.guardBinds {
		r.guardBinds = append(r.guardBinds, slot)
	}
	if c.maxBinds {
		r.maxBinds = append(r.maxBinds, slot)
	}
}

// stillRefused reports whether a question that found nothing before finds nothing now, looking only at what changed.
func (f *Finder) stillRefused(p *problem) bool {
	key := f.keyOf(p)
	r := f.refused[key]
	if r == nil {
		return false
	}
	change := r.before.change(p)
	if r.era != f.era || change.anew || !f.confirm(p, r, change) {
		delete(f.refused, key)
		return false
	}
	r.before.take(p)
	return true
}

// confirm looks again at the nodes where it may have become otherwise.
func (f *Finder) confirm(p *problem, r *refusal, c change) bool {
	slots := append(f.slots[:0], f.log[r.read:]...)
	if c.slack {
		slots, r.guardBinds = append(slots, r.guardBinds...), r.guardBinds[:0]
	}
	if c.less {
		slots, r.maxBinds = append(slots, r.maxBinds...), r.maxBinds[:0]
	}
	f.slots, r.read = slots, len(f.log)
	if len(slots) > refusalStretch {
		return false
	}
	for _, slot := range slots {
		var o candidate
		f.examine(p, slot, &o)
		if o.state == bounded {
			f.solve(p, slot, &o, &incumbent{slot: -1})
		}
		if o.state != infeasible {
			return false
		}
		r.note(slot, &o)
	}
	return true
}
