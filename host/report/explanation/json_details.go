package explanation

import (
	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/host/format"
)

// askDetails are what an ask says of itself.
type askDetails struct {
	Submitted   string     `json:"submitted"`
	Resources   format.Set `json:"resources"`
	Originator  bool       `json:"originator"`
	Preempts    bool       `json:"preempt_others"`
	Preemptable bool       `json:"preemptable"`
	Required    string     `json:"required_node,omitempty"`
}

func (w writer) details(e *explain.AskExplanation) *askDetails {
	return &askDetails{w.time(e.Submitted), format.Set(e.Resources), e.Originator, e.Preempts, e.Preemptable, e.Required}
}

// waitDetails are about the nodes that a pending ask may get, and those that it may not.
type waitDetails struct {
	NoSuchNode bool              `json:"required_node_missing,omitempty"`
	NodePolicy string            `json:"node_policy,omitempty"`
	Candidates []candidateObject `json:"candidates"`
	Holders    []holderObject    `json:"holders"`
	Attributes []attributeObject `json:"attributes"`
	*planDetails
}

type candidateObject struct {
	Node   string   `json:"node"`
	Fits   bool     `json:"fits"`
	Reason string   `json:"reason,omitempty"`
	Detail string   `json:"detail,omitempty"`
	Score  *float64 `json:"score"` // null: not known
}

// holderObject is the ask that a node is reserved or kept for.
type holderObject struct {
	Node  string `json:"node"`
	Ask   string `json:"ask"`
	App   string `json:"app"`
	Queue string `json:"queue"`
	Kept  bool   `json:"kept"`
	Until string `json:"until,omitempty"`
	From  string `json:"from,omitempty"` // room there is planned for the ask from then on
}

// attributeObject is a constraint that nodes do not meet.
type attributeObject struct {
	Attribute string        `json:"attribute"`
	Wanted    []string      `json:"wanted"`
	Nodes     int           `json:"nodes"`
	Present   []valueObject `json:"present"`
	Without   int           `json:"without"`
}

type valueObject struct {
	Value string `json:"value"`
	Nodes int    `json:"nodes"`
}

func (w writer) waitDetails(e *explain.AskExplanation) *waitDetails {
	o := &waitDetails{
		NoSuchNode: e.NoSuchNode, NodePolicy: e.NodePolicy, Candidates: candidates(e.Candidates), Holders: []holderObject{}, Attributes: []attributeObject{},
	}
	o.planDetails = w.planDetails(e)
	for _, h := range e.Holders {
		holder := holderObject{Node: h.Node, Ask: h.Ask, App: h.App, Queue: h.Queue, Kept: h.Claimed}
		if h.Until != 0 {
			holder.Until = w.time(h.Until)
		}
		if h.From != nil {
			holder.From = w.time(*h.From)
		}
		o.Holders = append(o.Holders, holder)
	}
	for _, m := range e.Mismatches {
		attribute := attributeObject{m.Attribute, m.Wanted, m.Nodes, []valueObject{}, m.Without}
		for _, p := range m.Present {
			attribute.Present = append(attribute.Present, valueObject(p))
		}
		o.Attributes = append(o.Attributes, attribute)
	}
	return o
}

func candidates(list []explain.Candidate) []candidateObject {
	all := []candidateObject{}
	for _, c := range list {
		o := candidateObject{Node: c.Node, Fits: c.Fits, Reason: string(c.Reason), Detail: c.Detail}
		if !c.Unscored {
			o.Score = &c.Score
		}
		all = append(all, o)
	}
	return all
}

// settingObject is a property in force, and the queue that sets it.
type settingObject struct {
	Value    string `json:"value"`
	From     string `json:"from,omitempty"` // absent: the default
	Template bool   `json:"template,omitempty"`
}

func settings(list []explain.Setting) map[string]settingObject {
	all := map[string]settingObject{}
	for _, s := range list {
		all[s.Name] = settingObject{s.Value, s.From, s.Template}
	}
	return all
}
