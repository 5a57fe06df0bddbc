package drive

import (
	"time"

	"github.com/quern-project/quern/core"
)

// Phase is a part of an instant.
type Phase uint8

// The phases, in their order.
const (
	Between  Phase = iota // instants: no instant is under way
	Applying              // the clock is set, and inputs are applied
	Cycling               // a cycle has run, and another one has more to do
	Decided               // the machine has nothing more to do at this time, unless another input comes
)

// Place is how far an instant has come. It is a value, so that a replay can keep it and resume from there.
type Place struct {
	phase    Phase
	reopened bool // an input was applied after the cycles, which have to run again
}

// Phase is the part of the instant that is under way.
func (p Place) Phase() Phase { return p.phase }

// Instant plays one time of a machine, and then others. The steps of each are Begin, Apply for each input, Cycle until it is Decided,
// and Close. Steps in another order panic.
type Instant struct {
	Place
	machine core.Machine
}

// Of is between two instants of a machine.
func Of(m core.Machine) Instant { return Instant{machine: m} }

// At begins an instant of a machine: it sets the clock.
func At(m core.Machine, at time.Duration) Instant {
	x := Of(m)
	x.Begin(at)
	return x
}

// Now is the present instant of a machine, whose clock is set already.
func Now(m core.Machine) Instant { return Resume(m, Place{phase: Applying}) }

// Resume is an instant that has come to a place.
func Resume(m core.Machine, p Place) Instant { return Instant{Place: p, machine: m} }

// Begin sets the clock, which fires the timers that are due.
func (x *Instant) Begin(at time.Duration) {
	x.expect(x.phase == Between, "Begin")
	x.Place = Place{phase: Applying}
	x.machine.Advance(at)
}

// Apply applies an input. One that comes after the cycles has them run again.
func (x *Instant) Apply(in *core.Input) core.Reason {
	x.expect(x.phase == Applying || x.phase == Decided, "Apply")
	x.reopened = x.phase == Decided
	return x.machine.Apply(in)
}

// Cycle runs one cycle, of limit allocations at most unless the last is a gang, and returns how many it made.
func (x *Instant) Cycle(limit int) (made int) {
	x.expect(x.phase == Applying || x.phase == Cycling || x.reopened, "Cycle")
	made = x.machine.Cycle(limit)
	x.Place = Place{phase: Decided}
	if limit >= 0 && made >= limit || x.unfinished() {
		x.phase = Cycling
	}
	return made
}

// unfinished reports whether a search was too long for one cycle.
func (x *Instant) unfinished() bool {
	at, ok := x.machine.Deadline()
	return ok && at <= x.machine.Now()
}

// Decided reports whether cycles have decided all that came.
func (x *Instant) Decided() bool { return x.phase == Decided && !x.reopened }

// Decide runs cycles until all is decided, and returns the number of allocations. Decisions pile up meanwhile.
func (x *Instant) Decide() (made int) {
	for !x.Decided() {
		made += x.Cycle(NoLimit)
	}
	return made
}

// Close says that no more inputs come for now: cycles come next, or the instant ends if they have run since the last input.
func (x *Instant) Close() {
	x.expect(x.phase == Applying || x.phase == Decided, "Close")
	over := x.Decided()
	x.Place = Place{phase: Cycling}
	if over {
		x.Place = Place{}
	}
}

func (x *Instant) expect(ok bool, step string) {
	if !ok {
		panic("drive: " + step + " " + [...]string{"between two instants", "before the first cycle", "between two cycles", "after the last cycle"}[x.phase])
	}
}
