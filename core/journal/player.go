package journal

import (
	"io"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/drive"
	"github.com/quern-project/quern/core/instant"
)

// Lookahead is a source that can return its next entry before the entry is consumed.
type Lookahead interface {
	// Peek returns the next entry. It and its event are valid until Skip. The errors are those of Source.Next.
	Peek() (*Entry, error)
	// Skip consumes the entry that Peek returned.
	Skip()
}

// Player is a replay that can stop between any two calls of its machine, for inspection or to be saved and resumed. Its decisions are
// the same as those of Replay, regardless of the steps.
//
// Make one with NewPlayer, and call Step as long as Next reports that there is something to do.
type Player struct {
	machine core.Machine
	src     Lookahead
	o       Options
	ends    ends
	instant drive.Instant
	place
	ask     Entry      // the current ask of a count
	counted counted    // event of ask
	overran bool       // the last cycle asked allocations to leave after their promised ends
	release core.Input // of the last allocation that ended
	leaving core.ReleaseAllocation
	result  Result
}

// place is the position of a Player, apart from its instant.
type place struct {
	started bool          // the clock was set
	begun   bool          // the policies and the configuration of the options were applied
	landed  bool          // in this instant, all ends of allocations so far were applied, and inputs are next
	at      time.Duration // time of the instant
	given   int           // number of asks of the next entry's count that were applied
}

// NewPlayer makes a player at the start of its source. The caller must respect Until, Idle, Last, End and Stop of the options, and
// apply the first line of the journal to them (Options.Follow).
func NewPlayer(m core.Machine, src Lookahead, o Options) *Player {
	return &Player{machine: m, src: src, o: o, ends: newEnds(), instant: drive.Of(m)}
}

// Next returns the time of the next step, which is the current time within an instant. ok is false if there are no more steps before
// the end of the source, or before its error. err is that of a source whose next entry is bad or out of order.
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

// Idle reports whether there are no more steps, apart from deadlines for which an Idler does not wait.
func (p *Player) Idle() bool {
	if !p.Over() {
		return false
	}
	if _, err := p.src.Peek(); err == nil {
		return false
	}
	return p.quiet()
}

// Open reports whether further inputs of the current instant would still be applied in it.
func (p *Player) Open() bool { return p.instant.Phase() == drive.Applying }

// Over reports whether the player is between two instants.
func (p *Player) Over() bool { return p.instant.Phase() == drive.Between }

// Last returns the time of the current or last instant.
func (p *Player) Last() time.Duration { return p.at }

// Started reports whether the clock was set.
func (p *Player) Started() bool { return p.started }

// Result returns the result so far.
func (p *Player) Result() Result { return p.result }

// Given returns how many asks of the next entry's count were already applied.
func (p *Player) Given() int { return p.given }

// Wait advances the clock to a time before Next.
func (p *Player) Wait(to time.Duration) {
	if p.started && to > p.machine.Now() {
		p.enter()
		p.machine.Advance(to)
		p.leave()
	}
}

// Step performs the next step: it sets the clock, applies one input, releases one allocation, or runs one cycle of at most limit
// allocations. The error is a *ConfigError.
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

// arrive begins an instant. It sets the clock, which fires timers.
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

// land releases the next allocation that ends by now. After the last one, it applies the options if this is the first instant with
// inputs.
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

// feed applies the next input of the instant, or else ends the inputs.
func (p *Player) feed() {
	entry, err := p.src.Peek()
	if err != nil || entry.Input.At != p.at {
		p.instant.Close()
		return
	}
	p.apply(entry)
}

// cycle runs one cycle.
func (p *Player) cycle(limit int) {
	p.enter()
	made := p.instant.Cycle(limit)
	p.leave()
	p.overran = false
	p.take()
	if p.overran { // with no grace, their room is there in the cycle of this instant
		p.instant.Reopen()
		p.landed = false
	}
	p.result.Allocations += made
}

// depart releases an allocation that ends in this very instant, with a run time or grace of zero, which makes room again. If there is
// none, it ends the instant.
func (p *Player) depart() {
	if !p.endNext() {
		p.instant.Close()
	}
}

// endNext releases the next allocation that ends by now. It reports whether there was one.
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

// waiting returns the time of the next step without an input, or instant.Never.
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

// quiet reports whether there is no step without an input that is worth waiting for.
func (p *Player) quiet() bool {
	deadline := p.machine.Deadline
	if idler, ok := p.machine.(Idler); ok {
		deadline = idler.IdleDeadline
	}
	_, waiting := deadline()
	_, ending := p.ends.next()
	return !waiting && !ending || p.waiting() == instant.Never
}
