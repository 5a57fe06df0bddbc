package objects

import (
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/format"
)

// Queue is a queue. Objects have the keys of explanations, as far as these have them.
type Queue struct {
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
	FairShare    int64             `json:"fair_share_billionths"` // of current usage
	AppSort      string            `json:"app_sort"`
	Properties   map[string]string `json:"properties"`
	Aged         *format.Aged      `json:"aged,omitempty"`  // if its parent has a half-life
	Users        []format.AgedUser `json:"users,omitempty"` // of a leaf that sorts by users
}

// Node is a node.
type Node struct {
	Node        string              `json:"node"`
	Partition   string              `json:"partition,omitempty"` // not of the first
	Schedulable bool                `json:"schedulable"`
	Capacity    format.Set          `json:"capacity"`
	Occupied    format.Set          `json:"occupied"`
	Used        format.Set          `json:"used"`
	Attributes  map[string]string   `json:"attributes"`
	Domain      map[string]string   `json:"domain,omitempty"`       // by level of the topology, its value
	Reserved    string              `json:"reserved,omitempty"`     // for this ask
	Kept        string              `json:"kept,omitempty"`         // for this ask
	Utilisation int64               `json:"utilisation_billionths"` // by the weights of its partition
	Allocations []string            `json:"allocations"`
	Devices     map[string][]Device `json:"devices,omitempty"` // by type, in their order
}

// App is an application. Of a terminal one only its queue, its state and its times are known.
type App struct {
	App         string            `json:"app"`
	Queue       string            `json:"queue"`
	State       string            `json:"state"`
	Since       string            `json:"since"` // in its state
	User        string            `json:"user"`
	Groups      []string          `json:"groups"`
	Group       string            `json:"group,omitempty"` // for which it counts
	Tags        map[string]string `json:"tags"`
	Gang        bool              `json:"gang"`         // with placeholders
	AtomicGangs int               `json:"atomic_gangs"` // their number
	Submitted   string            `json:"submitted"`
	Priority    *int32            `json:"priority"` // null: nothing is pending
	Used        format.Set        `json:"used"`
	Waiting     format.Set        `json:"waiting"`
	Pending     int               `json:"pending"` // asks
	Allocations int               `json:"allocations"`
	Preempted   int64             `json:"preempted,omitempty"` // allocations that were
}

// Ask is an ask, pending or allocated.
type Ask struct {
	Ask           string              `json:"ask"`
	App           string              `json:"app"`
	Queue         string              `json:"queue"`
	User          string              `json:"user"`
	State         string              `json:"state"` // pending, allocated or leaving
	Priority      int32               `json:"priority"`
	Resources     format.Set          `json:"resources"`
	RequiredNode  string              `json:"required_node,omitempty"`
	Constraints   map[string][]string `json:"constraints,omitempty"`
	Predicate     string              `json:"predicate,omitempty"`
	TaskGroup     string              `json:"task_group,omitempty"`
	Gang          string              `json:"gang,omitempty"`       // atomic
	GangSlice     int                 `json:"gang_slice,omitempty"` // number of its slice, from 1
	Placeholder   bool                `json:"placeholder"`
	Originator    bool                `json:"originator"`
	PreemptOthers bool                `json:"preempt_others"`
	Preemptable   bool                `json:"preemptable"`
	Submitted     string              `json:"submitted"`
	Node          string              `json:"node,omitempty"`
	Devices       map[string][]string `json:"devices,omitempty"` // of an allocation, by type: their IDs
	Allocated     string              `json:"allocated,omitempty"`
	Walltime      string              `json:"walltime,omitempty"`      // how long its allocation promises to run at most
	Ends          string              `json:"ends,omitempty"`          // the promised end of an allocation
	MinRuntime    string              `json:"min_runtime,omitempty"`   // how long its allocation runs before it may be preempted
	Preempted     int64               `json:"preempted,omitempty"`     // times, also before it was asked for again under its ID
	Planned       *PlannedStart       `json:"planned_start,omitempty"` // of a blocked ask
	Reserved      string              `json:"reserved,omitempty"`      // node
	Kept          string              `json:"kept,omitempty"`          // node
	LeavingFor    string              `json:"leaving_for,omitempty"`   // the ask that it was told to leave for
}

// PlannedStart is when and where a blocked ask starts at the latest.
type PlannedStart struct {
	Start  string   `json:"start"`
	Ends   string   `json:"ends,omitempty"` // when its allocation promises to end if it starts then
	Node   string   `json:"node"`
	Nodes  []string `json:"nodes,omitempty"`  // of the members of a gang, if the ask is the first of these
	Reason string   `json:"reason,omitempty"` // of the last decision about it
}

func when(at time.Duration) string { return format.At(at, true) }

func priorityOf(has bool, priority int32) *int32 {
	if !has {
		return nil
	}
	return &priority
}

func queueOf(q *core.QueueDump) Queue {
	return Queue{
		Queue: core.ShownPath(q.Partition, q.Path), State: q.State, Leaf: q.Leaf, Dynamic: q.Dynamic,
		Used: format.Set(q.Used), Guaranteed: format.Set(q.Guaranteed), Max: format.Limits(q.Max), Headroom: format.Limits(q.Headroom),
		Pending: format.Set(q.Pending), PendingAsks: q.PendingAsks, Allocations: q.Allocations, Leaving: format.Set(q.Leaving),
		Priority: priorityOf(q.HasPriority, q.Priority), Applications: q.Applications, Running: q.Running, MaxRunning: q.MaxRunning,
		FairShare: q.FairShare, AppSort: q.AppSort, Properties: orEmpty(q.Properties),
		Aged: format.AgedOf(q.Aged), Users: format.AgedUsers(q.Users),
	}
}

func nodeOf(n *core.NodeDump) Node {
	var domain map[string]string
	for _, of := range n.Domain {
		if domain == nil {
			domain = map[string]string{}
		}
		domain[of.Level] = of.Value
	}
	return Node{
		Node: n.ID, Partition: n.Partition, Schedulable: n.Schedulable, Capacity: format.Set(n.Capacity), Occupied: format.Set(n.Occupied),
		Used: format.Set(n.Used), Attributes: orEmpty(n.Attributes), Domain: domain, Reserved: n.Reserved, Kept: n.ClaimedBy, Utilisation: n.Utilisation,
		Allocations: append([]string{}, n.Allocations...),
		Devices:     devicesOf(n.Devices),
	}
}

func appOf(a *core.AppItem) App {
	return App{
		App: a.ID, Queue: core.ShownPath(a.Partition, a.Queue), State: a.State, Since: when(a.Since), User: a.User, Groups: append([]string{}, a.Groups...),
		Group: a.Group, Tags: orEmpty(a.Tags), Gang: a.Gang, AtomicGangs: a.AtomicGangs, Submitted: when(a.Submitted), Priority: priorityOf(a.HasPriority, a.Priority),
		Used: format.Set(a.Used), Waiting: format.Set(a.Waiting), Pending: a.Pending, Allocations: a.Allocations, Preempted: a.Preempted,
	}
}

func askOf(k *core.AskItem) Ask {
	o := Ask{
		Ask: k.ID, App: k.App, Queue: core.ShownPath(k.Partition, k.Queue), User: k.User, State: k.State(), Priority: k.Priority,
		Resources: format.Set(k.Resources), RequiredNode: k.Required, Constraints: k.Constraints, Predicate: k.Predicate, TaskGroup: k.TaskGroup, Gang: k.AtomicGang, GangSlice: k.Slice,
		Placeholder: k.Placeholder, Originator: k.Originator, PreemptOthers: k.Preempts, Preemptable: k.Preemptable, Submitted: when(k.Submitted),
		Node: k.Node, Reserved: k.Reserved, Kept: k.Claims, LeavingFor: k.Leaving, Preempted: k.Preempted,
	}
	if k.Node != "" {
		o.Allocated = when(k.Allocated)
		o.Devices = placedOn(k.Devices)
	}
	if k.Walltime > 0 {
		o.Walltime = k.Walltime.String()
	}
	if k.MinRuntime > 0 {
		o.MinRuntime = k.MinRuntime.String()
	}
	if k.Ends != nil {
		o.Ends = when(*k.Ends)
	}
	if p := k.Planned; p != nil {
		o.Planned = plannedStart(p)
	}
	return o
}

func plannedStart(p *core.PlannedStart) *PlannedStart {
	o := &PlannedStart{Start: when(p.Start), Node: p.Node, Nodes: p.Nodes, Reason: string(p.Reason)}
	if p.Ends != nil {
		o.Ends = when(*p.Ends)
	}
	return o
}

func orEmpty(m map[string]string) map[string]string {
	if m == nil {
		return map[string]string{}
	}
	return m
}
