package explanation

import (
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/host/format"
)

// writer turns explanations into the objects that programs read.
type writer struct {
	at       time.Duration
	absolute bool
}

func (w writer) time(at time.Duration) string { return format.At(at, w.absolute) }

type askObject struct {
	At           string         `json:"at"`
	Ask          string         `json:"ask"`
	App          string         `json:"app"`
	Queue        string         `json:"queue"`
	Pending      bool           `json:"pending"`
	Node         string         `json:"node,omitempty"`
	Reserved     bool           `json:"reserved"`
	Kept         bool           `json:"kept"`
	Gone         bool           `json:"gone"`
	Since        string         `json:"since,omitempty"` // not of what is gone
	*askDetails                 // likewise
	Walltime     string         `json:"walltime,omitempty"`  // how long its allocation promises to run at most
	Ends         string         `json:"ends,omitempty"`      // of an allocation: its promised end
	MayStay      bool           `json:"may_stay,omitempty"`  // after its promised end
	Preempted    int64          `json:"preempted,omitempty"` // times
	Priority     int32          `json:"priority"`
	Seen         []seenObject   `json:"seen"`
	Place        int            `json:"place"`
	Reasons      []string       `json:"reasons"`
	Lacks        []lackObject   `json:"lacks"`
	Limits       []limitObject  `json:"limits"`
	Blocked      []string       `json:"blocked"`
	Nodes        []nodeObject   `json:"nodes"`
	Fits         int            `json:"fits"`
	*waitDetails                // of a pending ask
	Never        []boundObject  `json:"never"`
	Verdict      string         `json:"verdict,omitempty"`
	Placement    *storyObject   `json:"placement,omitempty"`
	Victim       *takenObject   `json:"victim,omitempty"`
	Gang         *gangObject    `json:"gang,omitempty"`
	Member       *memberObject  `json:"member,omitempty"`
	Atomic       *atomicObject  `json:"atomic,omitempty"`
	Running      *runningObject `json:"running,omitempty"` // of an allocation of a gang
	Text         string         `json:"text"`
}

type seenObject struct {
	Queue    string `json:"queue"`
	Priority int32  `json:"priority"`
}

type lackObject struct {
	Queue   string          `json:"queue"`
	Type    string          `json:"type"`
	Missing format.Quantity `json:"missing"`
	Used    format.Quantity `json:"used"`
	Max     format.Quantity `json:"max"`
}

// boundObject is what an ask alone is larger than; of nodes together nothing but an empty object is said.
type boundObject struct {
	Queue string           `json:"queue,omitempty"`
	Type  string           `json:"type,omitempty"`
	Needs *format.Quantity `json:"needs,omitempty"`
	Most  *format.Quantity `json:"most,omitempty"`
}

type nodeObject struct {
	Reason string `json:"reason"`
	Detail string `json:"detail,omitempty"`
	Nodes  int    `json:"nodes"`
}

func (w writer) ask(e explain.AskExplanation) askObject {
	o := askObject{
		At: w.time(w.at), Ask: e.ID, App: e.App, Queue: e.Queue, Pending: e.Pending, Node: e.Node, Reserved: e.Reserved,
		Kept: e.Claimed, Gone: e.Gone, Priority: e.Priority, Seen: []seenObject{}, Place: e.Place, Reasons: reasons(e.Reasons),
		Lacks: lacks(e.Shortfalls), Blocked: strings(e.Blocked), Nodes: nodes(e.Nodes), Fits: e.Fits, Never: bounds(e.Never), Verdict: e.Preemption, Victim: w.taken(e.Victim), Text: e.Text,
		Limits: limitLacks(e.Limits), Gang: w.gang(e.Gang), Member: member(e.Member), Atomic: w.atomic(e.Atomic), Running: running(e.Running), Preempted: e.Preempted,
	}
	if !e.Gone {
		o.Since = w.time(e.Since)
		o.askDetails = w.details(&e)
	}
	if e.Pending {
		o.waitDetails = w.waitDetails(&e)
	}
	if e.Walltime > 0 {
		o.Walltime = e.Walltime.String()
	}
	if e.Ends != nil {
		o.Ends, o.MayStay = w.time(*e.Ends), e.MayStay
	}
	for _, s := range e.Seen {
		o.Seen = append(o.Seen, seenObject(s))
	}
	return o
}

func nodes(list []explain.NodeCount) []nodeObject {
	all := []nodeObject{}
	for _, n := range list {
		all = append(all, nodeObject{string(n.Reason), n.Detail, n.Nodes})
	}
	return all
}

func bounds(list []explain.Bound) []boundObject {
	all := []boundObject{}
	for _, b := range list {
		o := boundObject{Queue: b.Queue, Type: b.Type}
		if b.Type != "" {
			o.Needs, o.Most = &format.Quantity{Type: b.Type, Value: b.Needs, Milli: b.Milli}, &format.Quantity{Type: b.Type, Value: b.Most, Milli: b.Milli}
		}
		all = append(all, o)
	}
	return all
}

type queueObject struct {
	At           string                   `json:"at"`
	Queue        string                   `json:"queue"`
	State        string                   `json:"state"`
	Leaf         bool                     `json:"leaf"`
	Dynamic      bool                     `json:"dynamic"`
	Template     string                   `json:"template,omitempty"` // the queue whose child template it has
	Used         format.Set               `json:"used"`
	Guaranteed   format.Set               `json:"guaranteed"`
	Max          format.Limits            `json:"max"`
	Headroom     format.Limits            `json:"headroom"`
	Pending      format.Set               `json:"pending"`
	PendingAsks  int                      `json:"pending_asks"`
	Allocations  int                      `json:"allocations"`
	Priority     *int32                   `json:"priority"` // null when nothing is pending
	Applications int                      `json:"applications"`
	Running      int                      `json:"running"`
	MaxRunning   uint64                   `json:"max_running"`
	FairShare    int64                    `json:"fair_share_billionths"`
	AppSort      string                   `json:"application_sort,omitempty"`
	Properties   map[string]string        `json:"properties"`
	Settings     map[string]settingObject `json:"settings"`
	Fence        string                   `json:"fence,omitempty"`
	Aged         *format.Aged             `json:"aged,omitempty"`
	Users        []format.AgedUser        `json:"users,omitempty"`
	Reasons      []string                 `json:"reasons"`
	Lacks        []lackObject             `json:"lacks"`
	Quota        *quotaObject             `json:"quota,omitempty"` // while it uses more than its max
	Text         string                   `json:"text"`
}

func (w writer) queue(e explain.QueueExplanation) queueObject {
	q := e.QueueState
	properties := q.Properties
	if properties == nil {
		properties = map[string]string{}
	}
	return queueObject{
		At: w.time(w.at), Queue: core.ShownPath(q.Partition, q.Path), State: q.State, Leaf: q.Leaf, Dynamic: q.Dynamic, Template: e.Template,
		Used: format.Set(q.Used), Guaranteed: format.Set(q.Guaranteed),
		Max: format.Limits(q.Max), Headroom: format.Limits(q.Headroom), Pending: format.Set(q.Pending), PendingAsks: q.PendingAsks,
		Allocations: q.Allocations, Priority: priority(q.HasPriority, q.Priority), Applications: q.Applications,
		Running: q.Running, MaxRunning: q.MaxRunning, FairShare: q.FairShare, AppSort: q.AppSort, Properties: properties,
		Settings: settings(e.Settings), Fence: e.Fence,
		Aged: format.AgedOf(q.Aged), Users: format.AgedUsers(q.Users),
		Reasons: reasons(e.Reasons), Lacks: lacks(e.Shortfalls), Quota: w.quota(e.Quota), Text: e.Text,
	}
}

func priority(has bool, p int32) *int32 {
	if !has {
		return nil
	}
	return &p
}

func reasons(codes []core.Reason) []string {
	all := []string{}
	for _, c := range codes {
		all = append(all, string(c))
	}
	return all
}

func lacks(list []explain.HeadroomShortfall) []lackObject {
	all := []lackObject{}
	for _, l := range list {
		all = append(all, lackObject{
			l.Queue, l.Type, format.Quantity{Type: l.Type, Value: l.Missing, Milli: l.Milli}, format.Quantity{Type: l.Type, Value: l.Used, Milli: l.Milli}, format.Quantity{Type: l.Type, Value: l.Max, Milli: l.Milli},
		})
	}
	return all
}

// strings makes sure that an empty list is written as one.
func strings(list []string) []string {
	return append([]string{}, list...)
}
