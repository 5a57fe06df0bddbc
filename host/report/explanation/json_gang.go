package explanation

import (
	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/host/format"
)

// gangObject is how the placeholders of an application stand.
type gangObject struct {
	Formed    bool       `json:"formed"`
	Failed    bool       `json:"failed"`
	Hard      bool       `json:"hard"`
	Declared  format.Set `json:"declared"`
	Staying   format.Set `json:"staying"`
	Pending   int        `json:"pending"`
	Allocated int        `json:"allocated"`
	Leaving   int        `json:"leaving"`
	Replaced  int        `json:"replaced"`
	EndsAt    string     `json:"ends_at,omitempty"` // only while it is measured
}

// memberObject is what an ask has to do with the placeholders of its application.
type memberObject struct {
	TaskGroup   string `json:"task_group"`
	Placeholder bool   `json:"placeholder"`
	Leaves      bool   `json:"leaves"`
	For         string `json:"for,omitempty"`
	Takes       string `json:"takes,omitempty"`
	Bound       bool   `json:"bound"`
	Node        string `json:"node,omitempty"`
	GaveUp      bool   `json:"gave_up"`
}

func (w writer) gang(e *explain.GangExplanation) *gangObject {
	if e == nil {
		return nil
	}
	o := &gangObject{
		Formed: e.Formed, Failed: e.Failed, Hard: e.Hard, Declared: format.Set(e.Declared), Staying: format.Set(e.Staying),
		Pending: e.Pending, Allocated: e.Allocated, Leaving: e.Leaving, Replaced: e.Replaced,
	}
	if e.Timed {
		o.EndsAt = w.time(e.EndsAt)
	}
	return o
}

func member(e *explain.MemberExplanation) *memberObject {
	if e == nil {
		return nil
	}
	return &memberObject{TaskGroup: e.Group, Placeholder: e.Placeholder, Leaves: e.Leaves, For: e.For, Takes: e.Takes, Bound: e.Bound, Node: e.Node, GaveUp: e.GaveUp}
}

// atomicObject is how an atomic gang stands.
type atomicObject struct {
	ID        string         `json:"id"`
	Pending   int            `json:"pending"`
	Resting   int            `json:"resting"`
	Min       int            `json:"min"` // without those that succeeded
	Succeeded int            `json:"succeeded"`
	Fits      int            `json:"fits"`
	EndsAt    string         `json:"ends_at,omitempty"`  // only where it has a timeout
	Fallback  string         `json:"fallback,omitempty"` // only where one follows the timeout
	Barred    string         `json:"barred,omitempty"`
	Lacks     []lackObject   `json:"lacks"`
	Limits    []limitObject  `json:"limits"`
	Nodes     []nodeObject   `json:"nodes"`
	Domains   *domainsObject `json:"domains,omitempty"` // only where it names a level
	Set       *setObject     `json:"set,omitempty"`     // only where it starts together with others
}

// runningObject is how the gang of an allocation stands. Without an ID it is the application, whose placeholders make it a gang.
type runningObject struct {
	ID       string `json:"id,omitempty"`
	Running  int    `json:"running"`
	Min      int    `json:"min"` // without those that succeeded
	Surplus  int    `json:"surplus"`
	ByMember bool   `json:"by_member,omitempty"` // each member is preempted by itself
	Text     string `json:"text"`
}

func running(g *explain.RunningGang) *runningObject {
	if g == nil {
		return nil
	}
	return &runningObject{g.ID, g.Running, g.Min, g.Surplus, g.ByMember, g.Text}
}

// setObject is a set of gangs, some of which start together.
type setObject struct {
	ID       string `json:"id"`
	Min      int    `json:"min"`
	Complete int    `json:"complete"`
	Fits     int    `json:"fits"`
}

// domainsObject is the room for a gang in the domains of its level.
type domainsObject struct {
	Level     string             `json:"level"`
	Preferred bool               `json:"preferred"`
	Total     int                `json:"total"`
	Enough    int                `json:"enough"`
	Nearest   []domainRoomObject `json:"nearest"`
	Slices    *slicesObject      `json:"slices,omitempty"` // only where the gang has some
}

// slicesObject says what each slice of a gang needs. Without a level of the whole gang, the domains are of this one.
type slicesObject struct {
	Level string `json:"level"`
	Size  int    `json:"size"`
}

type domainRoomObject struct {
	Domain  string        `json:"domain"`
	Fits    int           `json:"fits"`
	Missing int           `json:"missing"`
	Takers  []takerObject `json:"takers"`
}

type takerObject struct {
	App   string   `json:"app"`
	Nodes []string `json:"nodes"`
	More  int      `json:"more"`
}

func domains(d *explain.GangDomains) *domainsObject {
	if d == nil {
		return nil
	}
	o := &domainsObject{Level: d.Level, Preferred: d.Preferred, Total: d.Total, Enough: d.Enough, Nearest: make([]domainRoomObject, 0, len(d.Nearest))}
	if d.Slices != nil {
		o.Slices = &slicesObject{d.Slices.Level, d.Slices.Size}
	}
	for _, r := range d.Nearest {
		room := domainRoomObject{Domain: r.Domain, Fits: r.Fits, Missing: r.Missing, Takers: make([]takerObject, 0, len(r.Takers))}
		for _, t := range r.Takers {
			room.Takers = append(room.Takers, takerObject{t.App, t.Nodes, t.More})
		}
		o.Nearest = append(o.Nearest, room)
	}
	return o
}

func (w writer) atomic(e *explain.AtomicGang) *atomicObject {
	if e == nil {
		return nil
	}
	o := &atomicObject{
		ID: e.ID, Pending: e.Pending, Resting: e.Resting, Min: e.Min, Succeeded: e.Succeeded, Fits: e.Fits, Barred: e.Unplaced,
		Lacks: lacks(e.Shortfalls), Limits: limitLacks(e.Limits), Nodes: nodes(e.Nodes),
		Domains: domains(e.Domains),
	}
	if e.Fallback {
		o.Fallback = "members"
	}
	if s := e.Set; s != nil {
		o.Set = &setObject{s.ID, s.Min, s.Complete, s.Fits}
	}
	if e.Ends != 0 {
		o.EndsAt = w.time(e.Ends)
	}
	return o
}
