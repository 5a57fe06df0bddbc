package journal

import (
	"time"

	"github.com/quern-project/quern/core"
)

// Options specify how a journal is replayed. The zero value replays it as its first line specifies, or without a first line up to its
// last input.
type Options struct {
	// Where the replay ends. With HasUntil, at Until: inputs at exactly that time are applied, later ones are not. With Idle, when
	// there are no more deadlines, except for the expiry of applications and the end of policy quarantines. With Last, at the last
	// input. With none of these, as the first line of the journal specifies, or else at the last input, or at End if HasEnd and End is
	// later.
	Until    time.Duration
	HasUntil bool
	Idle     bool
	Last     bool
	End      time.Duration
	HasEnd   bool

	// Grace is how long a victim takes to leave. If it is 0 and HasGrace is false, the first line of the journal specifies it.
	Grace    time.Duration
	HasGrace bool

	// Policies are policy.set inputs, which are applied at the time of the first input, before it and before Config.
	Policies []core.Input

	// Config is a config.set, which is applied at the time of the first input, before it, or at 0 if there is no input. If the machine
	// refuses it, nothing else is applied and Replay returns a *ConfigError. It may be nil.
	Config *core.SetConfig

	// These functions may be nil. Decisions is called with new decisions. Inputs is called with each input of the source and the result
	// of Apply, before Decisions is called with the decisions that it caused. It is called for each ask of a count. The arguments are
	// valid during the call.
	Decisions func([]core.Decision)
	Inputs    func(e *Entry, refused core.Reason)

	// Enter and Leave are called before and after every use of the machine.
	Enter, Leave func()

	// Stop is called between inputs and allocations. If it returns true, Replay ends there.
	Stop func() bool
}

// Idler is a machine that knows for which deadlines Idle waits. With other machines, Idle waits for every deadline.
type Idler interface {
	core.Machine
	// IdleDeadline is like Deadline, without those that are not worth waiting for: the expiry of applications 3 days after their end,
	// and the end of policy quarantines.
	IdleDeadline() (at time.Duration, ok bool)
}

// Result describes what a replay did.
type Result struct {
	Stopped     bool          // ended by Options.Stop
	Cut         bool          // ended by Options.Until while the source has later inputs
	Start, End  time.Duration // of the clock; equal if there were no inputs
	Inputs      int           // number applied, with each ask of a count, without the configuration of Options
	Decisions   int
	Allocations int // number made by Cycle
	Ended       int // allocations whose run time or grace ended
}
