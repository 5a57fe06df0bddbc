package explanation

import "github.com/quern-project/quern/core/explain"

// planDetails are about the planned start of a pending ask, or the lack of one.
type planDetails struct {
	PlannedStart *plannedStartObject `json:"planned_start,omitempty"`
	Unplanned    string              `json:"unplanned,omitempty"`    // why it has no planned start
	PlannedRoom  *plannedRoomObject  `json:"planned_room,omitempty"` // in a queue, or at a limit
	Shorter      *shorterObject      `json:"shorter,omitempty"`      // a walltime with which it would start now
}

type plannedStartObject struct {
	Start  string            `json:"start"`
	Node   string            `json:"node"`
	Gang   string            `json:"gang,omitempty"`
	Nodes  []string          `json:"nodes,omitempty"` // of the members of the gang
	Reason string            `json:"reason,omitempty"`
	After  []departureObject `json:"after"`
	More   int               `json:"more,omitempty"` // how many leave before those
	Window string            `json:"window,omitempty"`
}

// departureObject is what leaves before a planned ask starts.
type departureObject struct {
	Ask     string `json:"ask"`
	App     string `json:"app"`
	Ends    string `json:"ends"`
	Planned bool   `json:"planned,omitempty"`
}

type plannedRoomObject struct {
	Queue string `json:"queue,omitempty"` // absent: a limit
	From  string `json:"from"`
}

type shorterObject struct {
	Walltime string `json:"walltime"`
	Node     string `json:"node"`
}

func (w writer) planDetails(e *explain.AskExplanation) *planDetails {
	o := &planDetails{Unplanned: string(e.Unplanned)}
	if p := e.Planned; p != nil {
		o.PlannedStart = &plannedStartObject{
			Start: w.time(p.Start), Node: p.Node, Gang: p.Gang, Nodes: p.Nodes, Reason: string(p.Reason), After: []departureObject{}, More: p.More, Window: p.Window,
		}
		for _, d := range p.After {
			o.PlannedStart.After = append(o.PlannedStart.After, departureObject{d.Ask, d.App, w.time(d.Ends), d.Planned})
		}
	}
	if r := e.PlannedRoom; r != nil {
		o.PlannedRoom = &plannedRoomObject{r.Queue, w.time(r.From)}
	}
	if s := e.Shorter; s != nil {
		o.Shorter = &shorterObject{s.Walltime.String(), s.Node}
	}
	return o
}
