package journal

import (
	"container/heap"

	"github.com/quern-project/quern/core"
)

// Saved is what a Player knows beside its machine and its source, to go on from later. It is never changed.
type Saved struct {
	place
	result Result
	lives  []life
	orders []allocationOrder
	made   uint64
}

// allocationOrder is the place of an allocation in the order of allocation.
type allocationOrder struct {
	id    string
	order uint64
}

// Save keeps where the player is. With the machine's own state of this moment, and the source at its place, Resume goes
// on from there.
func (p *Player) Save() *Saved {
	s := &Saved{place: p.place, result: p.result, made: p.ends.made,
		lives: make([]life, 0, len(p.ends.byID)), orders: make([]allocationOrder, 0, len(p.ends.order))}
	for _, l := range p.ends.byID {
		kept := *l
		kept.prev, kept.next = nil, nil
		s.lives = append(s.lives, kept)
	}
	for id, order := range p.ends.order {
		s.orders = append(s.orders, allocationOrder{id, order})
	}
	return s
}

// Size is about how many bytes it holds.
func (s *Saved) Size() int { return 256 + 160*len(s.lives) + 48*len(s.orders) }

// Resume makes a player that goes on where Save was called, with a machine in the state and a source at the entry that
// were current then, and the same options.
func Resume(m core.Machine, src Lookahead, o Options, s *Saved) *Player {
	p := NewPlayer(m, src, o)
	p.place, p.result, p.ends.made = s.place, s.result, s.made
	for _, o := range s.orders {
		p.ends.order[o.id] = o.order
	}
	for i := range s.lives {
		p.ends.recall(s.lives[i])
	}
	heap.Init(&p.ends.due)
	return p
}

// recall puts back a life; the heap is put in order afterwards.
func (e *ends) recall(kept life) {
	e.expect(kept.id, kept.app, kept.run)
	l := e.byID[kept.id]
	l.end, l.order = kept.end, kept.order
	if kept.place >= 0 {
		e.due.Push(l)
	}
}
