package ledger

import (
	"time"

	"github.com/quern-project/quern/core"
)

// Ending describes how an ask, an application or a node ended or was refused.
type Ending struct {
	Thing    core.ObjectKind
	ID       string
	App      string // of an ask; empty if unknown
	Queue    string // of an ask or application, in shown form; empty if unknown
	Node     string // of an allocation
	At       time.Duration
	Rejected bool
	State    string // last state of an application
	Reason   core.Reason
	Message  string // of a rejection
}

// size returns the approximate memory of an ending in bytes.
func (e *Ending) size() int {
	return 256 + 2*len(e.ID) + len(e.App) + len(e.Queue) + len(e.Node) + len(e.Message)
}

// Endings remembers the last ending or rejection of each ID of an ask, application or node. Its memory is bounded; it forgets the
// oldest first.
type Endings struct {
	most  int // bytes; 0 for no bound
	bytes int
	byID  map[endingKey]*Ending
	order []*Ending // from index first, oldest first; endings that were replaced by a later one of their ID are still in it
	first int
}

type endingKey struct {
	thing core.ObjectKind
	id    string
}

// NewEndings makes an Endings with a bound of memory in bytes; 0 for no bound.
func NewEndings(most int) *Endings { return &Endings{most: most, byID: map[endingKey]*Ending{}} }

// Find returns the last ending of an ID.
func (e *Endings) Find(thing core.ObjectKind, id string) (Ending, bool) {
	if found := e.byID[endingKey{thing, id}]; found != nil {
		return *found, true
	}
	return Ending{}, false
}

// Step records an input with the result of Apply, and decisions. in is nil for the decisions of timers and cycles.
func (e *Endings) Step(in *core.Input, refused core.Reason, decisions []core.Decision) {
	if in != nil && refused == core.Accepted {
		switch event := in.Event.(type) {
		case *core.RemoveAsk:
			e.add(Ending{Thing: core.AskKind, ID: event.ID, At: in.At, Reason: Withdrawn})
		case *core.RemoveNode:
			e.add(Ending{Thing: core.NodeKind, ID: event.ID, At: in.At})
		default:
		}
	}
	for i := range decisions {
		e.decided(&decisions[i])
	}
}

func (e *Endings) decided(d *core.Decision) {
	end := Ending{Thing: core.AppKind, ID: d.ID, App: d.App, Node: d.Node, At: d.At, Reason: d.Reason, Message: d.Message}
	if d.Queue != "" {
		end.Queue = core.ShownPath(d.Partition, d.Queue)
	}
	switch d.Type {
	case core.Release:
		end.Thing = core.AskKind
	case core.AskRejected:
		end.Thing, end.Rejected = core.AskKind, true
	case core.NodeRejected:
		end.Thing, end.Rejected = core.NodeKind, true
	case core.AppRejected:
		end.Rejected = true
	case core.AppState:
		if end.State = d.To; d.To != core.StateCompleted && d.To != core.StateFailed && d.To != core.StateRejected {
			return
		}
	default:
		return
	}
	e.add(end)
}

// withdrawn records that a pending ask, or its application, was removed.
func (e *Endings) withdrawn(a *Ask, at time.Duration) {
	e.add(Ending{Thing: core.AskKind, ID: a.ID, App: a.app.id, Queue: a.Queue.Path, At: at, Reason: Withdrawn})
}

// add records an ending, and forgets the oldest ones if necessary.
func (e *Endings) add(end Ending) {
	k := endingKey{end.Thing, end.ID}
	e.byID[k] = &end
	e.order = append(e.order, &end)
	e.bytes += end.size()
	for e.most > 0 && e.bytes > e.most {
		old := e.order[e.first]
		e.order[e.first] = nil
		e.first++
		e.bytes -= old.size()
		if k := (endingKey{old.Thing, old.ID}); e.byID[k] == old {
			delete(e.byID, k)
		}
	}
	if e.first > len(e.order)/2 {
		e.order = append([]*Ending(nil), e.order[e.first:]...)
		e.first = 0
	}
}
