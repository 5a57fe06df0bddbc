package journal

import (
	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/drive"
)

// Saved is what a Player knows beside its machine and its source, to go on from later. It is never changed.
type Saved struct {
	place
	instant drive.Place
	result  Result
	lives   []life
	made    uint64
}

// Save keeps where the player is. With the machine's own state of this moment, and the source at its place, Resume goes
// on from there.
func (p *Player) Save() *Saved {
	s := &Saved{place: p.place, instant: p.instant.Place, result: p.result, made: p.ends.made, lives: make([]life, 0, len(p.ends.byID))}
	for _, l := range p.ends.byID {
		kept := *l
		kept.prev, kept.next = nil, nil
		s.lives = append(s.lives, kept)
	}
	return s
}

// Size is about how many bytes it holds.
func (s *Saved) Size() int { return 256 + 112*len(s.lives) }

// Resume makes a player that goes on where Save was called, with a machine in the state and a source at the entry that
// were current then, and the same options.
func Resume(m core.Machine, src Lookahead, o Options, s *Saved) *Player {
	p := NewPlayer(m, src, o)
	p.place, p.instant, p.result, p.ends.made = s.place, drive.Resume(m, s.instant), s.result, s.made
	for i := range s.lives {
		p.ends.recall(&s.lives[i])
	}
	return p
}

// recall puts back a life.
func (e *ends) recall(kept *life) {
	l := e.add(kept.id)
	l.run, l.timed, l.end, l.order = kept.run, kept.timed, kept.end, kept.order
	if kept.timed {
		e.link(l, kept.app)
	}
	if kept.place >= 0 {
		e.due.push(l)
	}
}
