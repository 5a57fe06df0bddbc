// Package ledger keeps the books of a run from the outside: who waits since when, who runs where, and what each queue
// and node uses, from inputs and the decisions they cause alone.
//
// A Ledger is fed by whoever drives the scheduler: Advance when time moves, Applied after an input, Decided after a
// cycle or a timer. It tells its watchers, which draw up summaries and reports and never write to it. It holds what is
// alive and nothing of the past, so its memory follows the cluster and not the length of the run.
package ledger

import (
	"time"

	"github.com/quern-project/quern/core"
)

// Watcher is told what happens, as it happens. What it is handed belongs to the ledger and changes later on.
type Watcher interface {
	// Came tells of every input, before anything else of it.
	Came(in *core.Input)
	// Until is called before time moves on: the books are those of the moment just past, and hold until then.
	Until(next time.Duration)
	// Submitted tells of an ask that was accepted.
	Submitted(a *Ask)
	// Placed tells of an ask that was allocated, or of an allocation that was restored.
	Placed(a *Ask)
	// Preempted tells of an allocation that was told to leave, or would have been. It leaves later on, if at all.
	Preempted(p Preemption)
	// Left tells of an allocation that ended. Its node may be gone already.
	Left(a *Ask, why core.Reason)
	// Withdrawn tells of an ask that went while it was pending.
	Withdrawn(a *Ask)
	// Decided tells of every decision, after the books have followed it.
	Decided(d *core.Decision)
}

// Deaf is a Watcher that hears nothing. Whoever wants to hear some things embeds it.
type Deaf struct{}

// Came hears nothing.
func (Deaf) Came(*core.Input) {}

// Until hears nothing.
func (Deaf) Until(time.Duration) {}

// Submitted hears nothing.
func (Deaf) Submitted(*Ask) {}

// Placed hears nothing.
func (Deaf) Placed(*Ask) {}

// Preempted hears nothing.
func (Deaf) Preempted(Preemption) {}

// Left hears nothing.
func (Deaf) Left(*Ask, core.Reason) {}

// Withdrawn hears nothing.
func (Deaf) Withdrawn(*Ask) {}

// Decided hears nothing.
func (Deaf) Decided(*core.Decision) {}
