package journal

import (
	"time"

	"github.com/quern-project/quern/core"
)

// Options say how a journal is replayed. The zero value replays it as its first line says, and without one to its last
// input.
type Options struct {
	// Where it ends: at Until if HasUntil (inputs at exactly that time are applied, later ones are not read); if Idle, when
	// nothing is still to happen but applications expiring and policies backing off; if Last, with its last input. Without
	// any of these, where the first line of the journal says, and else with the last input, or at End if HasEnd and that is
	// later.
	Until    time.Duration
	HasUntil bool
	Idle     bool
	Last     bool
	End      time.Duration
	HasEnd   bool

	// Grace is how long a victim takes to leave. Where it is 0 without HasGrace, the first line of the journal says.
	Grace    time.Duration
	HasGrace bool

	// Policies are policy.set inputs that are applied at the time of the first input, before it and before Config.
	Policies []core.Input

	// Config, if not nil, is a config.set that is applied at the time of the first input, before it; at 0 when there
	// is no input. If the machine refuses it, nothing else is applied and Replay returns a *ConfigError.
	Config *core.SetConfig

	// Each of these may be nil. Decisions gets the decisions as they are made, valid during the call. Inputs gets each
	// input of the source with what Apply returned for it, before the decisions that it caused; the asks of a count one by
	// one, valid during the call.
	Decisions func([]core.Decision)
	Inputs    func(e *Entry, refused core.Reason)

	// Enter and Leave are called around every stretch of time that is spent inside of the machine.
	Enter, Leave func()

	// Stop is asked between inputs and allocations; once it is true, Replay ends with what is done so far.
	Stop func() bool
}

// Idler is a machine that knows what idle waits for. Of a machine that does not, idle waits for every deadline.
type Idler interface {
	core.Machine
	// IdleDeadline is Deadline without what is not worth waiting for: applications that expire 3 days after their
	// end, and the ends of policy back-off.
	IdleDeadline() (at time.Duration, ok bool)
}

// Result says what a replay did.
type Result struct {
	Stopped     bool          // by Options.Stop
	Cut         bool          // by Options.Until: the source has inputs after it
	Start, End  time.Duration // of the clock; the same when nothing came
	Inputs      int           // applied, asks of a count one by one; without the configuration of Options
	Decisions   int
	Allocations int // that Cycle made
	Ended       int // allocations that ended by their run time or grace
}
