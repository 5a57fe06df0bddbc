package journal

import (
	"io"
	"math"
	"time"

	"github.com/quern-project/quern/core"
)

// never is later than any time that is reached.
const never = time.Duration(math.MaxInt64)

// cycleChunk bounds the decisions that pile up before they are handed on.
const cycleChunk = 1024

// Replay runs a source through a machine. At one instant come timers, then ends of run times and grace, then inputs,
// then the cycle; between inputs the clock stops at every deadline and every end. At a bad line everything before it
// has been applied and its instant has had its cycle, and the error is the *Error.
func Replay(m core.Machine, src Source, o Options) (Result, error) {
	r := replayer{machine: m, src: src, o: o, ends: newEnds()}
	err := r.run()
	if r.started {
		r.result.End = m.Now()
	}
	return r.result, err
}

type replayer struct {
	machine core.Machine
	src     Source
	o       Options
	ends    ends
	started bool // the clock was set
	refused bool // the last input was refused
	result  Result
}

func (r *replayer) run() error {
	entry, err := r.src.Next()
	for err == nil {
		at := entry.Input.At
		if r.o.HasUntil && at > r.o.Until {
			break
		}
		if err := r.arrive(entry); err != nil || r.result.Stopped {
			return err
		}
		for err == nil && entry.Input.At == at && !r.stopped() {
			r.apply(entry)
			entry, err = r.src.Next()
		}
		r.settle()
		if r.result.Stopped {
			return nil
		}
	}
	if err != nil && err != io.EOF {
		return err
	}
	if !r.started && err == nil {
		return nil // it ends before the first input
	}
	return r.tail()
}

// arrive brings the clock to an entry's time, up to where inputs of that time are applied.
func (r *replayer) arrive(entry *Entry) error {
	at := entry.Input.At
	if !r.started {
		return r.begin(at)
	}
	if now := r.machine.Now(); at < now {
		return &Error{File: entry.File, Line: entry.Line, Key: keyAt.String(),
			Expected: "a time not before " + now.String(), Found: at.String()}
	}
	r.pass(at)
	if !r.result.Stopped {
		r.advance(at)
	}
	return nil
}

// begin sets the clock and applies the configuration that was given aside. A machine that was restored may have
// deadlines from before.
func (r *replayer) begin(at time.Duration) error {
	r.started = true
	r.result.Start = at
	r.pass(at)
	r.advance(at)
	for _, in := range r.o.Policies {
		in.At = at
		r.enter()
		r.machine.Apply(&in)
		r.leave()
		r.take()
	}
	if r.o.Config == nil {
		return nil
	}
	config := *r.o.Config
	config.At = at
	r.enter()
	r.machine.Apply(&config)
	decisions := r.machine.Take()
	r.leave()
	for i := range decisions {
		if d := &decisions[i]; d.Type == core.ConfigRejected {
			return &ConfigError{Reason: string(d.Reason), Message: d.Message, Errors: d.Errors}
		}
	}
	r.hand(decisions)
	return nil
}

// tail goes on after the last input for as long as the options say.
func (r *replayer) tail() error {
	if !r.started {
		if r.o.Config == nil {
			return nil
		}
		if err := r.begin(0); err != nil {
			return err
		}
		r.settle()
	}
	switch {
	case r.o.Idle:
		r.passUntilIdle()
	case r.o.HasUntil && r.o.Until > r.machine.Now():
		r.pass(r.o.Until)
		if !r.result.Stopped {
			r.advance(r.o.Until)
			r.settle()
		}
	}
	return nil
}

// pass stops at every deadline and end before a time.
func (r *replayer) pass(to time.Duration) {
	for next := r.next(); next < to && !r.stopped(); next = r.next() {
		r.step(next)
	}
}

// passUntilIdle stops at every deadline and end as long as one of them is worth waiting for.
func (r *replayer) passUntilIdle() {
	deadline := r.machine.Deadline
	if idler, ok := r.machine.(Idler); ok {
		deadline = idler.IdleDeadline
	}
	for !r.stopped() {
		_, waiting := deadline()
		_, ending := r.ends.next()
		if !waiting && !ending || r.next() == never {
			return
		}
		r.step(r.next())
	}
}

// next is when something happens without an input.
func (r *replayer) next() time.Duration {
	next := never
	if at, ok := r.machine.Deadline(); ok {
		next = at
	}
	if at, ok := r.ends.next(); ok {
		next = min(next, at)
	}
	return next
}

// step makes one instant without inputs.
func (r *replayer) step(at time.Duration) {
	r.advance(at)
	r.settle()
	if !r.result.Stopped && r.next() <= at {
		panic("journal: the machine's deadline of " + at.String() + " stays after it was served")
	}
}

// advance sets the clock, which fires timers, and ends what is due.
func (r *replayer) advance(at time.Duration) {
	r.enter()
	r.machine.Advance(at)
	r.leave()
	r.take()
	r.endDue(at)
}

// endDue releases what ends by now, and reports whether there was any.
func (r *replayer) endDue(now time.Duration) bool {
	any := false
	for id, ok := r.ends.pop(now); ok; id, ok = r.ends.pop(now) {
		any = true
		r.result.Ended++
		r.input(&core.Input{At: now, Type: core.AllocationRelease, ID: id})
	}
	return any
}

// unfinished reports whether the machine has more to do at this instant: a search for victims that one cycle was too
// short for.
func (r *replayer) unfinished() bool {
	at, ok := r.machine.Deadline()
	return ok && at <= r.machine.Now()
}

// settle places what can be placed. What ends in this very instant (a run time or a grace of zero) makes room again.
func (r *replayer) settle() {
	for again := true; again; again = r.endDue(r.machine.Now()) {
		for more := true; more && !r.stopped(); {
			r.enter()
			made := r.machine.Cycle(cycleChunk)
			r.leave()
			r.take()
			r.result.Allocations += made
			more = made == cycleChunk || r.unfinished()
		}
		if r.result.Stopped {
			return
		}
	}
}
