package explanation

import (
	"fmt"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/ledger"
	"github.com/quern-project/quern/core/nearest"
)

// things are what questions of each kind name.
var things = map[Kind]core.ObjectKind{Ask: core.AskKind, Preemption: core.AskKind, Forecast: core.AskKind, Consolidation: core.AskKind, App: core.AppKind, Queue: core.QueueKind, Max: core.QueueKind, Access: core.QueueKind, Window: core.WindowKind}

// goneObject is an ask or an application that was refused or has ended.
type goneObject struct {
	At        string       `json:"at"`
	Ask       string       `json:"ask,omitempty"`
	App       string       `json:"app,omitempty"`
	Queue     string       `json:"queue,omitempty"`
	Node      string       `json:"node,omitempty"`
	Gone      bool         `json:"gone"`
	Ended     endedObject  `json:"ended"`
	Placement *storyObject `json:"placement,omitempty"`
	Text      string       `json:"text"`
}

type endedObject struct {
	At       string `json:"at"`
	Rejected bool   `json:"rejected"`
	State    string `json:"state,omitempty"` // of an application
	Reason   string `json:"reason"`
	Message  string `json:"message,omitempty"`
}

// absent answers a question about what is not there: how it ended, or which names are like it.
func (q *Question) absent(w writer, s Scheduler) (Answer, error) {
	thing := things[q.Kind]
	if q.Endings != nil && (q.Kind == Ask || q.Kind == App) {
		if end, ok := q.Endings.Find(thing, q.Name); ok {
			return w.ended(q, &end), nil
		}
	}
	return Answer{}, &UnknownError{q.Kind, q.Name, w.time(s.Now()), s.SuggestNames(thing, q.Name)}
}

func (w writer) ended(q *Question, e *ledger.Ending) Answer {
	o := goneObject{
		At: w.time(w.at), App: e.App, Queue: e.Queue, Node: e.Node, Gone: true, Text: endingText(e, w.time(e.At)),
		Ended: endedObject{w.time(e.At), e.Rejected, e.State, string(e.Reason), e.Message},
	}
	if e.Thing == core.AskKind {
		o.Ask = e.ID
	} else {
		o.App = e.ID
	}
	if o.Placement = w.story(q, o.Node != ""); o.Placement != nil {
		o.Text += " " + o.Placement.text
	}
	return says(o.Text, o)
}

// Endings finds how an ask, an application or a node ended.
type Endings interface {
	Find(thing core.ObjectKind, id string) (ledger.Ending, bool)
}

// Absent says in words that follow an error how a thing of a name that is not there has ended, or which names are like it.
func Absent(s Scheduler, endings Endings, thing core.ObjectKind, name string, absolute bool) string {
	if end, ok := endings.Find(thing, name); ok {
		w := writer{absolute: absolute}
		return ". " + endingText(&end, w.time(end.At))
	}
	return nearest.Hint(s.SuggestNames(thing, name))
}

// endingText says in a sentence how something ended.
func endingText(e *ledger.Ending, when string) string {
	name := "Ask " + e.ID
	switch {
	case e.Thing == core.AppKind:
		name = "Application " + e.ID
	case e.Thing == core.NodeKind:
		name = "Node " + e.ID
	case e.App != "":
		name += " of application " + e.App
	}
	switch {
	case e.Rejected:
		return fmt.Sprintf("%s was rejected at %s (%s): %s.", name, when, e.Reason, e.Message)
	case e.Thing == core.AppKind:
		return fmt.Sprintf("%s ended at %s in state %s (%s).", name, when, e.State, e.Reason)
	case e.Thing == core.NodeKind:
		return fmt.Sprintf("%s was removed at %s.", name, when)
	case e.Reason == ledger.Withdrawn:
		return fmt.Sprintf("%s was removed at %s, while it was pending.", name, when)
	}
	return fmt.Sprintf("%s ran on node %s until %s (%s).", name, e.Node, when, e.Reason)
}
