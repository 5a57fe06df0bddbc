package features

import "github.com/quern-project/quern/core"

// Driver is all that a step may know of a scheduler: inputs and time go in, decisions come out, and the state and the
// reasons of things can be read. Whatever implements it can be held against the scenarios: the scheduler in this
// process, one in a WebAssembly module, one behind a socket.
type Driver interface {
	core.Machine
	// Dump reads the whole state.
	Dump() core.Dump
	// ExplainAsk, ExplainApp and ExplainQueue say why something waits; false: there is no such thing.
	ExplainAsk(id string) (core.AskExplanation, bool)
	ExplainApp(id string) (core.AppExplanation, bool)
	ExplainQueue(path string) (core.QueueExplanation, bool)
	// ExplainPreemption says whom a pending ask would preempt, and why nobody else; false: there is no such ask.
	ExplainPreemption(id string) (core.PreemptionExplanation, bool)
	// Restored is another scheduler, made from a snapshot of this one; this one is not used any more.
	Restored() (Driver, error)
}

// Factory makes the scheduler of one scenario, before its first Advance.
type Factory func() (Driver, error)
