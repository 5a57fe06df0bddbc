package drive

import (
	"time"

	"github.com/quern-project/quern/core"
)

// Phase is a part of an instant.
type Phase uint8

// The phases, in their order.
const (
	Between  Phase = iota // no instant is in progress
	Applying              // the clock is set, and inputs may be applied
	Cycling               // a cycle has run or inputs are closed, and another cycle is needed
	Decided               // the machine has nothing more to do at this time, unless another input is applied
)

// Progress is the progress of an instant. It is a value, so that a replay can save it and resume there.
type Progress struct {
	phase    Phase
	reopened bool // an input was applied after the last cycle, so another one is needed
}

// Phase returns the current phase of the instant.
func (p Progress) Phase() Phase { return p.phase }

// Instant plays one instant of a machine after another. The steps of each are Begin, Apply for each input, Cycle until Decided, and Close.
// Steps in another order panic.
type Instant struct {
	Progress
	machine core.Machine
}

// Of returns an Instant between two instants of a machine.
func Of(m core.Machine) Instant { return Instant{machine: m} }

// At starts an instant of a machine by setting its clock.
func At(m core.Machine, at time.Duration) Instant {
	x := Of(m)
	x.Begin(at)
	return x
}

// Now returns the current instant of a machine whose clock is already set.
func Now(m core.Machine) Instant { return Resume(m, Progress{phase: Applying}) }

// Resume returns an instant at a place.
func Resume(m core.Machine, p Progress) Instant { return Instant{Progress: p, machine: m} }

// Begin sets the clock, which fires the due timers.
func (x *Instant) Begin(at time.Duration) {
	x.expect(x.phase == Between, "Begin")
	x.Progress = Progress{phase: Applying}
	x.machine.Advance(at)
}

// Apply applies an input. After the last cycle, it makes another cycle necessary.
func (x *Instant) Apply(in *core.Input) core.Reason {
	x.expect(x.phase == Applying || x.phase == Decided, "Apply")
	x.reopened = x.phase == Decided
	return x.machine.Apply(in)
}

// Cycle runs one cycle and returns the number of allocations. That is at most limit, unless the last allocation is a gang.
func (x *Instant) Cycle(limit int) (made int) {
	x.expect(x.phase == Applying || x.phase == Cycling || x.reopened, "Cycle")
	made = x.machine.Cycle(limit)
	x.Progress = Progress{phase: Decided}
	if limit >= 0 && made >= limit || x.unfinished() {
		x.phase = Cycling
	}
	return made
}

// unfinished reports whether a search needs another cycle.
func (x *Instant) unfinished() bool {
	at, ok := x.machine.Deadline()
	return ok && at <= x.machine.Now()
}

// Reopen accepts inputs again before the next cycle, after one that has only asked allocations to leave.
func (x *Instant) Reopen() {
	x.expect(x.phase == Cycling, "Reopen")
	x.phase = Applying
}

// Decided reports whether no more cycles are needed.
func (x *Instant) Decided() bool { return x.phase == Decided && !x.reopened }

// Decide runs cycles until Decided, and returns the number of allocations. The machine accumulates all their decisions.
func (x *Instant) Decide() (made int) {
	for !x.Decided() {
		made += x.Cycle(NoLimit)
	}
	return made
}

// Close declares that no more inputs are coming for now. The instant ends
// if cycles have run since the last input; otherwise cycles are next.
func (x *Instant) Close() {
	x.expect(x.phase == Applying || x.phase == Decided, "Close")
	over := x.Decided()
	x.Progress = Progress{phase: Cycling}
	if over {
		x.Progress = Progress{}
	}
}

func (x *Instant) expect(ok bool, step string) {
	if !ok {
		panic("drive: " + step + " " + [...]string{"between two instants", "before the first cycle", "between two cycles", "after the last cycle"}[x.phase])
	}
}
