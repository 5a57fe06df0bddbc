package journal

import (
	"io"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/drive"
	"github.com/quern-project/quern/core/instant"
)

// Lookahead is a source whose next entry can be looked at before it is taken.
type Lookahead interface {
	// Peek returns the next entry, valid until it is skipped, as is its event. Its errors are those of Source.Next.
	Peek() (*Entry, error)
	// Skip takes the entry that Peek returned.
	Skip()
}

// Player is a replay that can stop between any two calls of its machine, be looked at, kept, and gone on with. However
// it is stepped, its decisions are those that Replay makes of the same entries.
//
// Make one with NewPlayer; Step goes on, as long as Next says that there is something to come.
type Player struct {
	machine core.Machine
	src     Lookahead
	o       Options
	ends    ends
	instant drive.Instant
	place
	ask     Entry      // one of a count
	counted counted    // its event
	release core.Input // of the allocation that ended last
	leaving core.ReleaseAllocation
	result  Result
}

// place is how far a Player has come, beside its instant.
type place struct {
	started bool          // the clock was set
	begun   bool          // what the options bring along was applied
	landed  bool          // in this instant: what ends by then was released, so inputs come next
	at      time.Duration // of the instant
	given   int           // asks of the next entry's count that were applied
}

// NewPlayer makes a player at the start of its source. The caller must respect Until, Idle, Last, End and Stop of the options,
// and have them follow the first line of its journal (Options.Follow).
func NewPlayer(m core.Machine, src Lookahead, o Options) *Player {
	return &Player{machine: m, src: src, o: o, ends: newEnds(), instant: drive.Of(m)}
}

// Next is when something happens next: now, if an instant is under way. It is false when nothing is to come, as far as
// the source can be read. The error is that of a source whose next entry cannot be used, or comes too late.
func (p *Player) Next() (at time.Duration, ok bool, err error) {
	if !p.Over() {
		return p.at, true, nil
	}
	next := p.waiting()
	entry, err := p.src.Peek()
	switch {
	case err == io.EOF:
		err = nil
	case err == nil:
		if now := p.machine.Now(); p.started && entry.Input.At < now {
			return next, next != instant.Never, &Error{File: entry.File, Line: entry.Line, Key: keyAt.String(),
				Expected: "a time not before " + now.String(), Found: entry.Input.At.String()}
		}
		next = min(next, entry.Input.At)
	}
	return next, next != instant.Never, err
}

// Idle reports whether nothing is still to happen, but what an Idler does not wait for.
func (p *Player) Idle() bool {
	if !p.Over() {
		return false
	}
	if _, err := p.src.Peek(); err == nil {
		return false
	}
	return p.quiet()
}

// Open reports whether inputs of the present instant would still be applied in it.
func (p *Player) Open() bool { return p.instant.Phase() == drive.Applying }

// Over reports whether no instant is under way.
func (p *Player) Over() bool { return p.instant.Phase() == drive.Between }

// Last is the time of the instant that is under way, or of the last one.
func (p *Player) Last() time.Duration { return p.at }

// Started reports whether the clock was set.
func (p *Player) Started() bool { return p.started }

// Result is what was done so far.
func (p *Player) Result() Result { return p.result }

// Given is how many asks of the next entry's count were applied already.
func (p *Player) Given() int { return p.given }

// Wait lets time pass in which nothing happens. Next must be later.
func (p *Player) Wait(to time.Duration) {
	if p.started && to > p.machine.Now() {
		p.enter()
		p.machine.Advance(to)
		p.leave()
	}
}

// Step does the next thing: it sets the clock, applies one input or releases one allocation, or runs one cycle of at
// most limit allocations. The error is a *ConfigError.
func (p *Player) Step(limit int) error {
	switch p.instant.Phase() {
	case drive.Between:
		if at, ok, _ := p.Next(); ok {
			p.arrive(at)
		}
	case drive.Applying:
		if !p.landed {
			return p.land()
		}
		p.feed()
	case drive.Cycling:
		p.cycle(limit)
	case drive.Decided:
		p.depart()
	}
	return nil
}

// arrive begins an instant: it sets the clock, which fires timers.
func (p *Player) arrive(at time.Duration) {
	if !p.started {
		p.started, p.result.Start = true, at
		if entry, err := p.src.Peek(); err == nil {
			p.result.Start = entry.Input.At
		}
	}
	p.at, p.landed = at, false
	p.enter()
	p.instant.Begin(at)
	p.leave()
	p.take()
}

// land releases what ends by now, one at a time. When all of that is done inputs may come, after what the options bring.
func (p *Player) land() error {
	if p.endNext() {
		return nil
	}
	p.landed = true
	if !p.begun && p.at >= p.result.Start {
		p.begun = true
		return p.begin()
	}
	return nil
}

// feed applies the next input of the instant, if there is one.
func (p *Player) feed() {
	entry, err := p.src.Peek()
	if err != nil || entry.Input.At != p.at {
		p.instant.Close()
		return
	}
	p.apply(entry)
}

// cycle places some of what can be placed.
func (p *Player) cycle(limit int) {
	p.enter()
	made := p.instant.Cycle(limit)
	p.leave()
	p.take()
	p.result.Allocations += made
}

// depart releases what ends in this very instant (a run time or a grace of zero), which makes room again.
func (p *Player) depart() {
	if !p.endNext() {
		p.instant.Close()
	}
}

// endNext releases the next allocation that ends by now, and reports whether there was one.
func (p *Player) endNext() bool {
	id, ok := p.ends.pop(p.at)
	if ok {
		p.result.Ended++
		p.leaving = core.ReleaseAllocation{ID: id}
		p.release = core.Input{At: p.at, Event: &p.leaving}
		p.input(&p.release)
	}
	return ok
}

// waiting is when something happens without an input.
func (p *Player) waiting() time.Duration {
	next := instant.Never
	if at, ok := p.machine.Deadline(); ok {
		next = at
	}
	if at, ok := p.ends.next(); ok {
		next = min(next, at)
	}
	return next
}

// quiet reports whether nothing that is worth waiting for happens without an input.
func (p *Player) quiet() bool {
	deadline := p.machine.Deadline
	if idler, ok := p.machine.(Idler); ok {
		deadline = idler.IdleDeadline
	}
	_, waiting := deadline()
	_, ending := p.ends.next()
	return !waiting && !ending || p.waiting() == instant.Never
}
