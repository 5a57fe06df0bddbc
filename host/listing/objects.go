package listing

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/quern-project/quern/core/resource"
)

// amounts are amounts by type, in stored units. As JSON they are integers, or quantities with a unit.
type amounts map[string]resource.Quantity

// UnmarshalJSON reads them. What cannot be read is left out: it is a host of another release that wrote it.
func (a *amounts) UnmarshalJSON(text []byte) error {
	var list map[string]json.RawMessage
	if err := json.Unmarshal(text, &list); err != nil {
		return err
	}
	*a = amounts{}
	for typ, value := range list {
		var number int64
		var quantity string
		if json.Unmarshal(value, &number) == nil {
			(*a)[typ] = resource.Quantity{Type: typ, Value: number}
		} else if json.Unmarshal(value, &quantity) == nil {
			if q, err := quantityOf(typ, quantity); err == nil {
				(*a)[typ] = q
			}
		}
	}
	return nil
}

// quantityOf reads an amount with a unit, which is of devices if it is in thousandths and not of vcore. Headroom may be below zero.
func quantityOf(typ, text string) (q resource.Quantity, err error) {
	text, negative := strings.CutPrefix(text, "-")
	q = resource.Quantity{Type: typ, Milli: typ != resource.VCore && strings.HasSuffix(text, "m")}
	parse := resource.Parse
	if q.Milli {
		parse = resource.ParseMilli
	}
	if q.Value, err = parse(typ, text); negative {
		q.Value = -q.Value
	}
	return q, err
}

// text lists amounts, the well-known types first.
func (a amounts) text() string {
	var parts []string
	for _, typ := range ordered(a) {
		parts = append(parts, short(typ)+" "+a[typ].Rounded())
	}
	return strings.Join(parts, ", ")
}

// ordered are types in the order in which they are shown.
func ordered(a amounts) []string {
	types := slices.Sorted(maps.Keys(a))
	var first []string
	for _, known := range []string{resource.VCore, "memory"} {
		if i := slices.Index(types, known); i >= 0 {
			first = append(first, known)
			types = slices.Delete(types, i, i+1)
		}
	}
	return append(first, types...)
}

// short is a type without the domain in front of it.
func short(typ string) string { return typ[strings.LastIndexByte(typ, '/')+1:] }

// The objects, as far as tables show them.
type queue struct {
	Queue        string  `json:"queue"`
	State        string  `json:"state"`
	Leaf         bool    `json:"leaf"`
	Used         amounts `json:"used"`
	Guaranteed   amounts `json:"guaranteed"`
	Max          amounts `json:"max"`
	PendingAsks  int     `json:"pending_asks"`
	Allocations  int     `json:"allocations"`
	Priority     *int32  `json:"priority"`
	Applications int     `json:"applications"`
	Running      int     `json:"running"`
	AppSort      string  `json:"app_sort"`
}

type node struct {
	Node        string   `json:"node"`
	Schedulable bool     `json:"schedulable"`
	Capacity    amounts  `json:"capacity"`
	Used        amounts  `json:"used"`
	Occupied    amounts  `json:"occupied"`
	Reserved    string   `json:"reserved"`
	Allocations []string `json:"allocations"`
}

type application struct {
	App         string  `json:"app"`
	Queue       string  `json:"queue"`
	State       string  `json:"state"`
	User        string  `json:"user"`
	Submitted   string  `json:"submitted"`
	Used        amounts `json:"used"`
	Pending     int     `json:"pending"`
	Allocations int     `json:"allocations"`
	Preempted   int     `json:"preempted"`
}

type ask struct {
	Ask       string  `json:"ask"`
	App       string  `json:"app"`
	Queue     string  `json:"queue"`
	State     string  `json:"state"`
	Priority  int32   `json:"priority"`
	Resources amounts `json:"resources"`
	Submitted string  `json:"submitted"`
	Ends      string  `json:"ends"`
	Planned   struct {
		Start string `json:"start"`
		Node  string `json:"node"`
	} `json:"planned_start"`
	Node      string `json:"node"`
	Kept      string `json:"kept"`
	Preempted int    `json:"preempted"`
}

type window struct {
	Window    string   `json:"window"`
	Partition string   `json:"partition"`
	Open      bool     `json:"open"`
	From      string   `json:"from"`
	Until     string   `json:"until"`
	Every     string   `json:"every"`
	Schedule  string   `json:"schedule"`
	Nodes     []string `json:"nodes"`
	Queues    []string `json:"queues"`
	Users     []string `json:"users"`
	Groups    []string `json:"groups"`
}

// names are the queues, users and groups that a window names.
func (x *window) names() string {
	return strings.Join(slices.Concat(x.Queues, x.Users, x.Groups), ", ")
}

type gang struct {
	App         string `json:"app"`
	Gang        string `json:"gang"`
	Queue       string `json:"queue"`
	User        string `json:"user"`
	State       string `json:"state"`
	Submitted   string `json:"submitted"`
	Min         int    `json:"min"`
	Max         int    `json:"max"`
	Needed      int    `json:"needed"`
	Allocated   int    `json:"allocated"`
	Leaving     int    `json:"leaving"`
	Pending     int    `json:"pending"`
	Succeeded   int    `json:"succeeded"`
	Surplus     int    `json:"surplus"`
	Reason      string `json:"reason"`
	BrokenSince string `json:"broken_since"`
	BrokenBy    string `json:"broken_by"`
	Level       string `json:"level"`
	Domain      string `json:"domain"`
	Set         string `json:"set"`
	Held        *struct {
		Until string `json:"until"`
	} `json:"held"`
}

func (g *gang) name() string { return g.App + "/" + g.Gang }

// why is why it waits or is broken, and since when or until when that holds.
func (g *gang) why() string {
	switch {
	case g.BrokenSince != "":
		return strings.TrimSpace(g.BrokenBy + " since " + moment(g.BrokenSince))
	case g.Held != nil:
		return g.Reason + ", room held until " + moment(g.Held.Until)
	}
	return g.Reason
}

// place is the domain of its members, with the level that it names.
func (g *gang) place() string { return strings.TrimSpace(g.Level + " " + g.Domain) }

type policy struct {
	Policy     string   `json:"policy"`
	State      string   `json:"state"`
	Version    string   `json:"version"`
	Points     []string `json:"points"`
	InForce    bool     `json:"in_force"`
	Calls      int      `json:"calls"`
	Faults     int      `json:"faults"`
	Quarantine string   `json:"quarantine"`
	ShadowOf   string   `json:"shadow_of"`
	Refused    string   `json:"refused"`
}

// moment is a time to the second, as it came where it is none.
func moment(text string) string {
	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return text
	}
	return at.UTC().Format(time.DateTime)
}
