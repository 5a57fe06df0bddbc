package journal

import (
	"io"
	"time"

	"github.com/quern-project/quern/core"
)

// cycleChunk limits the allocations of one cycle, and so the number of decisions that are passed on at once.
const cycleChunk = 1024

// Replay runs a source on a machine. In an instant, timers come first, then ends of run times and graces, then inputs, then the cycle.
// Between inputs, the clock stops at every deadline and every end. At a bad line, everything before it was applied, the last instant is
// complete, and the error is the *Error.
func Replay(m core.Machine, src Source, o Options) (Result, error) {
	p := NewPlayer(m, &ahead{src: src}, o)
	_, _ = p.src.Peek() // replay returns its error
	if h, ok := src.(headed); ok {
		if err := p.o.Follow(h.headers()...); err != nil {
			return p.result, err
		}
	}
	err := p.replay()
	if p.started {
		p.result.End = m.Now()
	}
	return p.result, err
}

// replay plays the entries, and then the time after them that the options specify.
func (p *Player) replay() error {
	for {
		entry, err := p.src.Peek()
		if err == nil && p.o.HasUntil && entry.Input.At > p.o.Until {
			p.result.Cut = true
			if !p.started {
				return nil // the replay ends before the first input
			}
			return p.tail()
		}
		if err == io.EOF {
			return p.tail()
		}
		at, _, err := p.Next()
		if err != nil {
			return err
		}
		if on, err := p.play(at); !on {
			return err
		}
	}
}

// play plays one instant to its end. on is false if it was stopped or failed.
func (p *Player) play(at time.Duration) (on bool, err error) {
	if p.stopped() {
		return false, nil
	}
	for p.arrive(at); !p.Over(); {
		if p.landed && p.stopped() {
			return false, nil
		}
		if err := p.Step(cycleChunk); err != nil {
			return false, err
		}
	}
	return true, nil
}

// tail plays the time after the last input.
func (p *Player) tail() error {
	if !p.started {
		if p.o.Config == nil {
			return nil
		}
		if on, err := p.play(0); !on {
			return err
		}
	}
	switch {
	case p.o.Idle:
		for !p.quiet() {
			if on, err := p.play(p.waiting()); !on {
				return err
			}
		}
	case p.o.HasUntil:
		return p.goOn(p.o.Until)
	case p.o.HasEnd && !p.o.Last:
		return p.goOn(p.o.End)
	}
	return nil
}

// goOn plays the deadlines and ends up to a time.
func (p *Player) goOn(to time.Duration) error {
	if to <= p.machine.Now() {
		return nil
	}
	for next := p.waiting(); next < to; next = p.waiting() {
		if on, err := p.play(next); !on {
			return err
		}
	}
	_, err := p.play(to)
	return err
}

// stopped reports whether the replay is to stop here, and records that.
func (p *Player) stopped() bool {
	if !p.result.Stopped && p.o.Stop != nil && p.o.Stop() {
		p.result.Stopped = true
	}
	return p.result.Stopped
}

// ahead is a Lookahead of a Source.
type ahead struct {
	src   Source
	entry *Entry
	err   error
	read  bool
}

// Peek implements Lookahead.
func (a *ahead) Peek() (*Entry, error) {
	if !a.read {
		a.entry, a.err = a.src.Next()
		a.read = true
	}
	return a.entry, a.err
}

// Skip implements Lookahead.
func (a *ahead) Skip() { a.read = false }
