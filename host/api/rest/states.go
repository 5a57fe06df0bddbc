package rest

import (
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/format"
)

// Objects have the keys of explanations, as far as these have them.
type queueObject struct {
	Queue        string            `json:"queue"`
	State        string            `json:"state"`
	Leaf         bool              `json:"leaf"`
	Dynamic      bool              `json:"dynamic"`
	Used         format.Set        `json:"used"`
	Guaranteed   format.Set        `json:"guaranteed"`
	Max          format.Limits     `json:"max"`
	Headroom     format.Limits     `json:"headroom"`
	Pending      format.Set        `json:"pending"`
	PendingAsks  int               `json:"pending_asks"`
	Allocations  int               `json:"allocations"`
	Leaving      format.Set        `json:"leaving"`
	Priority     *int32            `json:"priority"` // null: nothing is pending
	Applications int               `json:"applications"`
	Running      int               `json:"running"`
	MaxRunning   uint64            `json:"max_running"`
	AppSort      string            `json:"app_sort"`
	Properties   map[string]string `json:"properties"`
}

type nodeObject struct {
	Node        string            `json:"node"`
	Partition   string            `json:"partition,omitempty"` // not of the first
	Schedulable bool              `json:"schedulable"`
	Capacity    format.Set        `json:"capacity"`
	Occupied    format.Set        `json:"occupied"`
	Used        format.Set        `json:"used"`
	Attributes  map[string]string `json:"attributes"`
	Reserved    string            `json:"reserved,omitempty"` // for this ask
	Kept        string            `json:"kept,omitempty"`     // for this ask
	Allocations []string          `json:"allocations"`
}

type appObject struct {
	App         string     `json:"app"`
	Queue       string     `json:"queue"`
	State       string     `json:"state"`
	Group       string     `json:"group,omitempty"` // for which it counts
	Submitted   string     `json:"submitted"`
	Used        format.Set `json:"used"`
	Pending     int        `json:"pending"` // asks
	Allocations int        `json:"allocations"`
}

type askObject struct {
	Ask         string     `json:"ask"`
	App         string     `json:"app"`
	Queue       string     `json:"queue"`
	State       string     `json:"state"` // pending, allocated or leaving
	Priority    int32      `json:"priority"`
	Resources   format.Set `json:"resources"`
	Placeholder bool       `json:"placeholder"`
	Submitted   string     `json:"submitted"`
	Node        string     `json:"node,omitempty"`
	Allocated   string     `json:"allocated,omitempty"`
	Kept        string     `json:"kept,omitempty"` // node
}

// States of asks.
const (
	askPending   = "pending"
	askAllocated = "allocated"
	askLeaving   = "leaving"
)

func when(at time.Duration) string { return format.At(at, true) }

func queueOf(q *core.QueueDump) queueObject {
	o := queueObject{Queue: core.ShownPath(q.Partition, q.Path), State: q.State, Leaf: q.Leaf, Dynamic: q.Dynamic,
		Used: format.Set(q.Used), Guaranteed: format.Set(q.Guaranteed), Max: format.Limits(q.Max), Headroom: format.Limits(q.Headroom),
		Pending: format.Set(q.Pending), PendingAsks: q.PendingAsks, Allocations: q.Allocations, Leaving: format.Set(q.Leaving),
		Applications: q.Applications, Running: q.Running, MaxRunning: q.MaxRunning, AppSort: q.AppSort, Properties: orEmpty(q.Properties)}
	if q.HasPriority {
		o.Priority = &q.Priority
	}
	return o
}

func nodeOf(n *core.NodeDump) nodeObject {
	return nodeObject{Node: n.ID, Partition: n.Partition, Schedulable: n.Schedulable, Capacity: format.Set(n.Capacity), Occupied: format.Set(n.Occupied),
		Used: format.Set(n.Used), Attributes: orEmpty(n.Attributes), Reserved: n.Reserved, Kept: n.Kept, Allocations: append([]string{}, n.Allocations...)}
}

func appOf(a *core.AppDump) appObject {
	o := appObject{App: a.ID, Queue: core.ShownPath(a.Partition, a.Queue), State: a.State, Group: a.Group, Submitted: when(a.Submitted), Used: format.Set(a.Used)}
	for i := range a.Asks {
		if a.Asks[i].Node == "" {
			o.Pending++
		} else {
			o.Allocations++
		}
	}
	return o
}

func askOf(a *core.AppDump, k *core.AskDump) askObject {
	o := askObject{Ask: k.ID, App: a.ID, Queue: core.ShownPath(a.Partition, a.Queue), State: askPending, Priority: k.Priority, Resources: format.Set(k.Resources),
		Placeholder: k.Placeholder, Submitted: when(k.Submitted), Node: k.Node, Kept: k.Kept}
	switch {
	case k.Leaves:
		o.State = askLeaving
	case k.Node != "":
		o.State = askAllocated
	}
	if k.Node != "" {
		o.Allocated = when(k.Allocated)
	}
	return o
}

func orEmpty(m map[string]string) map[string]string {
	if m == nil {
		return map[string]string{}
	}
	return m
}
