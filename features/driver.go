package features

import (
	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/core/resource"
)

// Driver is all that a step may know of a scheduler: inputs and time go in, decisions come out, and the state and the
// reasons of things can be read. Whatever implements it can be held against the scenarios: the scheduler in this
// process, one in a WebAssembly module, one behind a socket. One that is an io.Closer is closed when its scenario is over; an
// error of that fails the scenario.
type Driver interface {
	core.Machine
	// Dump reads the whole state.
	Dump() core.Dump
	// ExplainAsk, ExplainApp and ExplainQueue say why something waits; false: there is no such thing.
	ExplainAsk(id string) (explain.AskExplanation, bool)
	ExplainApp(id string) (explain.AppExplanation, bool)
	ExplainQueue(path string) (explain.QueueExplanation, bool)
	// ExplainPreemption returns the victims of a pending ask, and why others are protected; false: there is no such ask.
	ExplainPreemption(id string) (explain.PreemptionExplanation, bool)
	// Consolidate says which moves would make room for an ask, with its gang if it waits with one; false: there is no such ask.
	Consolidate(id string) (explain.Consolidation, bool)
	// ExplainMax says what a queue would release if it had another max; false: there is no such queue.
	ExplainMax(path string, limit resource.Set) (explain.MaxExplanation, bool)
	// ExplainPlacement says where the application of an app.add would go.
	ExplainPlacement(in *core.AddApp) explain.PlacementExplanation
	// Access says what a user may do in a queue; false: there is no such queue.
	Access(queue, user string, groups []string) (explain.AccessExplanation, bool)
	// LimitUsage lists what users and groups use where limits hold for them.
	LimitUsage() []core.LimitUsage
	// Restored is another scheduler, made from a snapshot of this one; this one is not used any more.
	Restored() (Driver, error)
}

// Factory makes the scheduler of one scenario, before its first Advance.
type Factory func() (Driver, error)
