package explanation

import (
	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/host/format"
)

// preemptionObject is the dry run of an ask's preemption.
type preemptionObject struct {
	At          string          `json:"at"`
	Ask         string          `json:"ask"`
	App         string          `json:"app"`
	Queue       string          `json:"queue"`
	Verdict     string          `json:"verdict"`
	Kind        string          `json:"kind,omitempty"`
	Due         string          `json:"due"`
	Observed    bool            `json:"observed"`
	Approximate bool            `json:"approximate"`
	Node        string          `json:"node,omitempty"`
	Victims     []victimObject  `json:"victims"`
	Next        *nextObject     `json:"next"` // null: there is no other set
	Laws        []findingObject `json:"laws"`
	Barred      []barredObject  `json:"barred"`
	Short       []shortObject   `json:"short"`
	InTheWay    []inWayObject   `json:"in_the_way"`
	Nodes       []nodeObject    `json:"nodes"` // no-node, drained: what each fails on when empty
	Never       []boundObject   `json:"never"`
	Text        string          `json:"text"`
}

// shortObject is an amount that would still be missing.
type shortObject struct {
	Queue   string          `json:"queue"`
	Type    string          `json:"type"`
	Missing format.Quantity `json:"missing"`
}

// nextObject is the best set that was not chosen.
type nextObject struct {
	Node    string   `json:"node"`
	Victims []string `json:"victims"`
	Worse   string   `json:"worse"`
}

type findingObject struct {
	Law        string          `json:"law"`
	Queue      string          `json:"queue"`
	Type       string          `json:"type"`
	Used       format.Quantity `json:"used"`
	Guaranteed format.Quantity `json:"guaranteed"`
	Holds      bool            `json:"holds"`
}

type barredObject struct {
	Queue       string `json:"queue"`
	Reason      string `json:"reason"`
	Allocations int    `json:"allocations"`
}

type inWayObject struct {
	ID     string `json:"id"`
	App    string `json:"app"`
	Queue  string `json:"queue"`
	Reason string `json:"reason"`
}

func (w writer) preemption(e explain.PreemptionExplanation) preemptionObject {
	o := preemptionObject{
		At: w.time(w.at), Ask: e.ID, App: e.App, Queue: e.Queue, Verdict: string(e.Verdict), Kind: string(e.Kind), Due: w.time(e.Due),
		Observed: e.Observed, Approximate: e.Approximate, Node: e.Node, Victims: []victimObject{}, Laws: findings(e.Laws),
		Barred: []barredObject{}, Short: []shortObject{}, InTheWay: []inWayObject{}, Nodes: nodes(e.Nodes), Never: bounds(e.Never), Text: e.Text,
	}
	for _, v := range e.Victims {
		o.Victims = append(o.Victims, victim(v))
	}
	if n := e.Next; n != nil {
		o.Next = &nextObject{n.Node, n.Victims, string(n.Worse)}
	}
	for _, b := range e.Excluded {
		o.Barred = append(o.Barred, barredObject{b.Queue, string(b.Reason), b.Allocations})
	}
	for _, s := range e.Short {
		o.Short = append(o.Short, shortObject{s.Queue, s.Type, format.Quantity{Type: s.Type, Value: s.Missing, Milli: s.Milli}})
	}
	for _, i := range e.NonVictims {
		o.InTheWay = append(o.InTheWay, inWayObject{i.ID, i.App, i.Queue, string(i.Reason)})
	}
	return o
}

func findings(list []explain.Finding) []findingObject {
	all := []findingObject{}
	for _, f := range list {
		all = append(all, findingObject{
			string(f.Law), f.Queue, f.Type, format.Quantity{Type: f.Type, Value: f.Used, Milli: f.Milli}, format.Quantity{Type: f.Type, Value: f.Guaranteed, Milli: f.Milli}, f.Holds,
		})
	}
	return all
}
