package ledger

import (
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/explain"
)

// Watcher is told of changes as they happen. What it is handed belongs to the ledger, changes later, and may stand for
// another ask once it is gone: a watcher copies what it keeps.
type Watcher interface {
	// Until is called before time moves on: the books are those of the moment just past, and hold until then.
	Until(next time.Duration)
	// Submitted tells of an ask that waits from now on.
	Submitted(a *Ask)
	// Placed tells of an ask that was allocated, or of an allocation that was restored.
	Placed(a *Ask)
	// Preempted tells of an allocation that was told to leave, or would have been. It leaves later on, if at all.
	Preempted(p Preemption)
	// Released tells of an allocation that ended. Its node may have been removed.
	Released(a *Ask, reason core.Reason)
	// Withdrawn tells of an ask that was removed while it was pending.
	Withdrawn(a *Ask)
	// Decided tells of every decision, after the books have followed it.
	Decided(d *core.Decision)
}

// NopWatcher is a Watcher that does nothing, to be embedded by those that need only some of the methods.
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

// Preemption is that an ask took an allocation, or that a queue over its max gave it back; or would have where the partition only
// observes.
type Preemption struct {
	Victim   *Ask   // allocated, and still there
	For      *Ask   // pending; nil by quota
	Quota    *Queue // the queue over its max; nil: an ask took it
	Kind     explain.PreemptionKind
	Observed bool // the victim was not told to leave
}
