package objects

import (
	"context"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/scheduler"
)

// Window is a window, as it is open or else opens next.
type Window struct {
	Window    string   `json:"window"`
	Partition string   `json:"partition,omitempty"` // not of the first
	Open      bool     `json:"open"`
	From      string   `json:"from,omitempty"`     // left out if it does not open any more
	Until     string   `json:"until,omitempty"`    // left out if it stays open
	Every     string   `json:"every,omitempty"`    // from one opening to the next
	Schedule  string   `json:"schedule,omitempty"` // of one in the configuration
	Nodes     []string `json:"nodes"`
	Missing   []string `json:"missing,omitempty"` // nodes that do not exist
	Queues    []string `json:"queues"`            // which it names, as it does users and groups
	Users     []string `json:"users"`
	Groups    []string `json:"groups"`
}

// Windows returns a page of the windows, by ID. Where selects by Partition.
func (r *Reader) Windows(ctx context.Context, q Query) (Page[Window], error) {
	return page(ctx, r.view, q, (*scheduler.Scheduler).Windows, windowOf)
}

// Window returns the window of an ID.
func (r *Reader) Window(id string) (Window, bool) {
	return one(r.view, id, (*scheduler.Scheduler).Window, windowOf)
}

func windowOf(w *core.WindowItem) Window {
	o := Window{Window: w.ID, Partition: w.Partition, Open: w.Open, From: whenEver(w.From), Until: whenEver(w.Until), Schedule: w.Schedule,
		Nodes: given(w.Nodes), Missing: w.Missing, Queues: given(w.Queues), Users: given(w.Users), Groups: given(w.Groups)}
	if w.Every > 0 {
		o.Every = w.Every.String()
	}
	return o
}

// whenEver writes a time, or nothing if it never comes.
func whenEver(at time.Duration) string {
	if at == instant.Never {
		return ""
	}
	return when(at)
}

// given is a list that is written as one even if it is empty.
func given(list []string) []string { return append([]string{}, list...) }
