package objects

import (
	"cmp"
	"strings"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/format"
)

// Gang is an atomic gang.
type Gang struct {
	App         string       `json:"app"`
	Gang        string       `json:"gang"` // its ID, unique within the application
	Queue       string       `json:"queue"`
	User        string       `json:"user"`
	State       string       `json:"state"` // waiting, accumulating, whole, broken, leaving or single
	Submitted   string       `json:"submitted"`
	Min         int          `json:"min"`
	Max         int          `json:"max,omitempty"`
	Needed      int          `json:"needed"` // min less those that have succeeded
	Disruption  string       `json:"disruption"`
	Allocated   int          `json:"allocated"` // and not leaving
	Leaving     int          `json:"leaving"`
	Pending     int          `json:"pending"`
	Succeeded   int          `json:"succeeded"`
	Surplus     int          `json:"surplus"`
	Reason      string       `json:"reason,omitempty"` // why it waits
	TimesOut    string       `json:"times_out,omitempty"`
	BrokenSince string       `json:"broken_since,omitempty"`
	BrokenBy    string       `json:"broken_by,omitempty"` // failed, node_removed or preempted
	RepairEnds  string       `json:"repair_ends,omitempty"`
	Held        *Held        `json:"held,omitempty"` // while it accumulates room
	Level       string       `json:"level,omitempty"`
	Required    bool         `json:"required,omitempty"` // the level, rather than preferred
	Domain      string       `json:"domain,omitempty"`
	SliceLevel  string       `json:"slice_level,omitempty"`
	SliceSize   int          `json:"slice_size,omitempty"`
	Slices      []GangSlice  `json:"slices,omitempty"` // at most 100
	Set         string       `json:"set,omitempty"`
	SetMin      int          `json:"set_min,omitempty"`
	SetWaits    bool         `json:"set_waits,omitempty"` // it starts together with other gangs of the set
	Members     []GangMember `json:"members"`             // in order of submission; at most 100
	MoreMembers int          `json:"more_members,omitempty"`
}

// GangMember is a member of a gang, or room that is held for it.
type GangMember struct {
	Ask   string `json:"ask"`
	State string `json:"state"` // pending, allocated or leaving
	Node  string `json:"node,omitempty"`
	Slice int    `json:"slice,omitempty"`
}

// GangSlice is a slice of a gang with allocated members.
type GangSlice struct {
	Slice     int    `json:"slice"` // from 1
	Allocated int    `json:"allocated"`
	Domain    string `json:"domain,omitempty"`
}

// Held is the room that is held for the members of a gang.
type Held struct {
	Since   string       `json:"since"`
	Until   string       `json:"until"`
	Members []GangMember `json:"members"` // at most 100
	More    int          `json:"more,omitempty"`
}

// Topology is a page of the domains of the topologies, with all levels.
type Topology struct {
	Levels   []Level  `json:"levels"` // by partition, from the widest to the narrowest
	Items    []Domain `json:"items"`
	Continue string   `json:"continue,omitempty"` // as in Page
	Seq      uint64   `json:"seq"`
}

// Level is a level of the topology of a partition.
type Level struct {
	Partition string `json:"partition,omitempty"` // not of the first
	Level     string `json:"level"`
	Attribute string `json:"attribute"`
	Domains   int    `json:"domains"`
}

// Domain is a domain of the topology.
type Domain struct {
	Partition   string     `json:"partition,omitempty"` // not of the first
	Level       string     `json:"level"`
	Domain      string     `json:"domain"` // its values, from the widest level on, joined by slashes
	Nodes       int        `json:"nodes"`
	Schedulable int        `json:"schedulable"` // nodes
	Capacity    format.Set `json:"capacity"`
	Occupied    format.Set `json:"occupied"`
	Used        format.Set `json:"used"`
	Free        format.Set `json:"free"` // on schedulable nodes
}

// joined writes the values of a domain as explanations do.
func joined(values []string) string { return strings.Join(values, "/") }

// whenIf writes a time, or nothing if there is none.
func whenIf(at time.Duration) string {
	if at == 0 {
		return ""
	}
	return when(at)
}

func gangOf(g *core.GangItem) Gang {
	o := Gang{
		App: g.App, Gang: g.ID, Queue: core.ShownPath(g.Partition, g.Queue), User: g.User, State: g.State, Submitted: when(g.Submitted),
		Min: g.Min, Max: g.Max, Needed: g.Need, Disruption: cmp.Or(string(g.Disruption), "unit"), Allocated: g.Allocated, Leaving: g.Leaving,
		Pending: g.Pending, Succeeded: g.Succeeded, Surplus: g.Surplus, Reason: string(g.Wait), TimesOut: whenIf(g.TimesOut),
		BrokenBy: string(g.BrokenBy), RepairEnds: whenIf(g.RepairEnds), Level: g.Level, Required: g.Required, Domain: joined(g.Domain),
		SliceLevel: g.Slice.Level, SliceSize: g.Slice.Size, Set: g.Set, SetMin: g.SetMin, SetWaits: g.SetStarts,
		Members: members(g.Members), MoreMembers: g.MoreMembers,
	}
	if g.State == core.GangIsBroken {
		o.BrokenSince = when(g.BrokenSince)
	}
	for _, x := range g.Slices {
		o.Slices = append(o.Slices, GangSlice{Slice: x.Number, Allocated: x.Allocated, Domain: joined(x.Domain)})
	}
	if x := g.Accumulation; x != nil {
		o.Held = &Held{Since: when(x.Since), Until: when(x.Until), Members: members(x.Held), More: x.MoreHeld}
	}
	return o
}

func members(list []core.GangMember) []GangMember {
	out := make([]GangMember, 0, len(list))
	for _, m := range list {
		out = append(out, GangMember{Ask: m.ID, State: m.State, Node: m.Node, Slice: m.Slice})
	}
	return out
}

func domainOf(d *core.DomainItem) Domain {
	return Domain{
		Partition: d.Partition, Level: d.Level, Domain: joined(d.Domain), Nodes: d.Nodes, Schedulable: d.Schedulable, Capacity: format.Set(d.Capacity),
		Occupied: format.Set(d.Occupied), Used: format.Set(d.Used), Free: format.Set(d.Free),
	}
}
