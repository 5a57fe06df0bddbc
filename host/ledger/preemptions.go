package ledger

import "github.com/quern-project/quern/core"

// Preemption is that an ask took an allocation, or would have where the partition only observes.
type Preemption struct {
	Victim   *Ask // allocated, and still there
	For      *Ask // pending
	Kind     core.PreemptionKind
	Observed bool // nobody was told to leave
}

// preempted tells of a victim.
func (l *Ledger) preempted(d *core.Decision) {
	v, by := l.asks[d.ID], l.asks[d.For]
	if v == nil || v.Node == nil || by == nil {
		return
	}
	p := Preemption{Victim: v, For: by, Kind: kindOf(v, by), Observed: d.Type == core.Observed}
	for _, w := range l.watchers {
		w.Preempted(p)
	}
}

// kindOf says by what right an ask takes an allocation: who runs on one node or nowhere takes for no other reason, and
// guarantees move nothing within a queue.
func kindOf(v, by *Ask) core.PreemptionKind {
	switch {
	case by.Shape.Node != "":
		return core.ByNode
	case by.Queue == v.Queue:
		return core.ByIntraQueue
	}
	return core.ByGuarantee
}
