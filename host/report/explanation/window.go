package explanation

import (
	"time"

	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/core/instant"
)

type windowObject struct {
	At        string      `json:"at"`
	Window    string      `json:"window"`
	Partition string      `json:"partition,omitempty"`
	Open      bool        `json:"open"`
	From      string      `json:"from,omitempty"`  // left out if it does not open any more
	Until     string      `json:"until,omitempty"` // left out if it stays open
	Every     string      `json:"every,omitempty"`
	Schedule  string      `json:"schedule,omitempty"`
	Nodes     []string    `json:"nodes"`
	Missing   []string    `json:"missing"`
	Queues    []string    `json:"queues"`
	Users     []string    `json:"users"`
	Groups    []string    `json:"groups"`
	Uses      []useObject `json:"uses"` // the allocations on its nodes
	Text      string      `json:"text"`
}

type useObject struct {
	Node  string `json:"node"`
	Ask   string `json:"ask"`
	App   string `json:"app"`
	Queue string `json:"queue"`
	Named bool   `json:"named"`
	Ends  string `json:"ends,omitempty"` // its promised end
}

func (w writer) window(e explain.WindowExplanation) windowObject {
	x := &e.Window
	o := windowObject{
		At: w.time(w.at), Window: x.ID, Partition: x.Partition, Open: x.Open, From: w.ever(x.From), Until: w.ever(x.Until), Schedule: x.Schedule,
		Nodes: strings(x.Nodes), Missing: strings(x.Missing), Queues: strings(x.Queues), Users: strings(x.Users), Groups: strings(x.Groups),
		Uses: []useObject{}, Text: e.Text,
	}
	if x.Every > 0 {
		o.Every = x.Every.String()
	}
	for _, u := range e.Uses {
		o.Uses = append(o.Uses, useObject{u.Node, u.Ask, u.App, u.Queue, u.Named, w.moment(u.Ends)})
	}
	return o
}

// ever writes a time, or nothing if it never comes.
func (w writer) ever(at time.Duration) string {
	if at == instant.Never {
		return ""
	}
	return w.time(at)
}
