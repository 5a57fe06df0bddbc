package ledger

import (
	"time"

	"github.com/quern-project/quern/core"
)

// Ending says how an ask, an application or a node was refused, or ended.
type Ending struct {
	Thing    core.Thing
	ID       string
	App      string // of an ask; may be unknown
	Queue    string // likewise, as shown
	Node     string // of an allocation
	At       time.Duration
	Rejected bool
	State    string // of an application: its last one
	Reason   core.Reason
	Message  string // of a rejection
}

// size is about how many bytes it takes to remember an ending.
func (e *Ending) size() int {
	return 256 + 2*len(e.ID) + len(e.App) + len(e.Queue) + len(e.Node) + len(e.Message)
}

// Endings remembers how asks, applications and nodes ended, and which were refused: of each ID the latest. It is bounded: the oldest
// are forgotten.
type Endings struct {
	most  int // bytes; 0: no bound
	bytes int
	byID  map[endingKey]*Ending
	order []*Ending // oldest first, from first on; those that a later one of their ID has replaced are still there
	first int
}

type endingKey struct {
	thing core.Thing
	id    string
}

// NewEndings remembers endings in so many bytes, 0 for any number.
func NewEndings(most int) *Endings { return &Endings{most: most, byID: map[endingKey]*Ending{}} }

// Find is the latest ending of an ID.
func (e *Endings) Find(thing core.Thing, id string) (Ending, bool) {
	if found := e.byID[endingKey{thing, id}]; found != nil {
		return *found, true
	}
	return Ending{}, false
}

// Step follows an input, with what Apply returned for it and the decisions that it caused. Without an input they come of timers or a cycle.
func (e *Endings) Step(in *core.Input, refused core.Reason, decisions []core.Decision) {
	if in != nil && refused == core.Accepted {
		switch event := in.Event.(type) {
		case *core.RemoveAsk:
			e.add(Ending{Thing: core.AskThing, ID: event.ID, At: in.At, Reason: Withdrawn})
		case *core.RemoveNode:
			e.add(Ending{Thing: core.NodeThing, ID: event.ID, At: in.At})
		default:
		}
	}
	for i := range decisions {
		e.decided(&decisions[i])
	}
}

func (e *Endings) decided(d *core.Decision) {
	end := Ending{Thing: core.AppThing, ID: d.ID, App: d.App, Node: d.Node, At: d.At, Reason: d.Reason, Message: d.Message}
	if d.Queue != "" {
		end.Queue = core.ShownPath(d.Partition, d.Queue)
	}
	switch d.Type {
	case core.Release:
		end.Thing = core.AskThing
	case core.AskRejected:
		end.Thing, end.Rejected = core.AskThing, true
	case core.NodeRejected:
		end.Thing, end.Rejected = core.NodeThing, true
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

// withdrawn follows an ask that was pending when it, or its application, was removed.
func (e *Endings) withdrawn(a *Ask, at time.Duration) {
	e.add(Ending{Thing: core.AskThing, ID: a.ID, App: a.app.id, Queue: a.Queue.Path, At: at, Reason: Withdrawn})
}

// add remembers an ending, and forgets the oldest where there are too many.
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
