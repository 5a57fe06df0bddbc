package victim

// refusal remembers a question that found no victims: why each node had none, as far as that may change. It is small, so
// that many asks without victims cost little memory, and little time when something else changes.
type refusal struct {
	era        uint64
	read       int
	prior      priorProblem
	guardBinds []int32 // slots of nodes where a guard ruled victims out
	maxBinds   []int32 // slots of nodes where a max asked for more than the node's room did
}

const (
	// refusalsKept bounds how many are remembered, by how many leaves they remember.
	refusalsKept = 2_000_000
	// refusalStretch bounds how many nodes are settled again to find that a refusal stands; beyond it the search begins
	// again, since that can be interrupted.
	refusalStretch = 256
)

// refuse remembers that a search found nothing.
func (f *Finder) refuse(s *search, p *problem) {
	if f.refused == nil || len(f.refused) >= max(64, refusalsKept/(len(p.leaves)+64)) {
		f.refused = map[questionKey]*refusal{}
	}
	r := &refusal{era: s.era, read: s.read}
	r.prior.take(p)
	for slot := range s.candidates {
		r.note(int32(slot), &s.candidates[slot])
	}
	f.refused[s.key] = r
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

// stillRefused reports whether a question that found nothing before finds nothing now, examining only what changed.
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
	r.prior.take(p)
	return true
}

// confirm settles the nodes again that may have victims by now.
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
		var found candidate
		if f.settle(p, slot, &found, &incumbent{slot: -1}); found.state != infeasible {
			return false
		}
		r.note(slot, &found)
	}
	return true
}
