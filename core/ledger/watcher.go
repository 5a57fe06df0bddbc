package ledger

import (
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/explain"
)

// Watcher is called for each change. Its arguments belong to the ledger, change later, and may be reused for other asks, so a watcher
// must copy what it keeps.
type Watcher interface {
	// Until is called before time advances: the ledger is in the state that lasts until next.
	Until(next time.Duration)
	// Submitted is called for a new pending ask.
	Submitted(a *Ask)
	// Placed is called for a new or restored allocation.
	Placed(a *Ask)
	// Preempted is called for an allocation that was asked to leave, or would have been. It leaves later, if at all.
	Preempted(p Preemption)
	// Released is called for an allocation that ended. Its node may have been removed.
	Released(a *Ask, reason core.Reason)
	// Withdrawn is called for a pending ask that ended without being allocated.
	Withdrawn(a *Ask)
	// Decided is called for every decision, after the ledger has recorded it.
	Decided(d *core.Decision)
}

// NopWatcher is a Watcher that does nothing. Embed it to implement only some of the methods.
type NopWatcher struct{}

// Until does nothing.
func (NopWatcher) Until(time.Duration) {}

// Submitted does nothing.
func (NopWatcher) Submitted(*Ask) {}

// Placed does nothing.
func (NopWatcher) Placed(*Ask) {}

// Preempted does nothing.
func (NopWatcher) Preempted(Preemption) {}

// Released does nothing.
func (NopWatcher) Released(*Ask, core.Reason) {}

// Withdrawn does nothing.
func (NopWatcher) Withdrawn(*Ask) {}

// Decided does nothing.
func (NopWatcher) Decided(*core.Decision) {}

// Preemption is the preemption of an allocation by an ask or by a queue above its max, or one that would have happened if the partition
// did not only observe.
type Preemption struct {
	Victim   *Ask   // allocated, and not yet gone
	For      *Ask   // pending; nil if by quota
	Quota    *Queue // the queue above its max; nil if an ask preempts
	Kind     explain.PreemptionKind
	Observed bool // the victim was not asked to leave
}
