package journal

import (
	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/drive"
)

// Saved is the state of a Player, apart from its machine and source. It is immutable.
type Saved struct {
	place
	instant drive.Progress
	result  Result
	lives   []life
	made    uint64
}

// Save returns the state of the player. Resume continues from it, with a machine in its current state and a source at its current
// entry.
func (p *Player) Save() *Saved {
	s := &Saved{place: p.place, instant: p.instant.Progress, result: p.result, made: p.ends.made, lives: make([]life, 0, len(p.ends.byID))}
	for _, l := range p.ends.byID {
		kept := *l
		kept.prev, kept.next = nil, nil
		s.lives = append(s.lives, kept)
	}
	return s
}

// Size returns the approximate size in bytes.
func (s *Saved) Size() int { return 256 + 112*len(s.lives) }

// Resume makes a player that continues from where Save was called. The machine, the position of the source and the options must be as
// they were then.
func Resume(m core.Machine, src Lookahead, o Options, s *Saved) *Player {
	p := NewPlayer(m, src, o)
	p.place, p.instant, p.result, p.ends.made = s.place, drive.Resume(m, s.instant), s.result, s.made
	for i := range s.lives {
		p.ends.recall(&s.lives[i])
	}
	return p
}

// recall adds a copy of a life.
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
