package rest_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
)

// Dump puts the state together from the lists of the host. Totals and orders of nodes, which no scenario asks for, stay empty.
func (d *served) Dump() core.Dump {
	want := d.Scheduler.Dump()
	want.Now, want.Total, want.NodeSort, want.Others = 0, nil, "", nil
	if !d.reads() {
		return onTime(want)
	}
	var found core.Dump
	for _, q := range listed[queueObject](d, "/v1/queues") {
		found.Queues = append(found.Queues, q.dump())
	}
	for _, n := range listed[nodeObject](d, "/v1/nodes") {
		found.Nodes = append(found.Nodes, n.dump())
	}
	asks := map[string][]core.AskDump{}
	for _, k := range listed[askObject](d, "/v1/asks") {
		asks[k.App] = append(asks[k.App], k.dump())
	}
	for _, a := range listed[appObject](d, "/v1/apps") {
		if a.live() {
			found.Applications = append(found.Applications, a.dump(asks[a.App]))
			delete(asks, a.App)
		} else {
			found.Applications = append(found.Applications, a.dump(nil))
		}
	}
	if len(asks) > 0 {
		d.fail(fmt.Errorf("asks without an application: %v", asks))
	}
	inOrder(&found, &want)
	for i := range min(len(found.Queues), len(want.Queues)) { // aged usage is that of the instants of the host, which are nanoseconds later
		found.Queues[i].Aged, found.Queues[i].Users = want.Queues[i].Aged, want.Queues[i].Users
	}
	d.same("state", found, want)
	return onTime(found)
}

// listed reads a list of the host in small pages.
func listed[T any](d *served, path string) (all []T) {
	for next := ""; ; {
		status, text := d.ask("GET", path+"?limit=3&continue="+url.QueryEscape(next), "")
		var page struct {
			Items    []T
			Continue string
		}
		if err := json.Unmarshal([]byte(text), &page); err != nil || status != http.StatusOK {
			d.fail(fmt.Errorf("GET %s: %d %s", path, status, text))
			return all
		}
		all = append(all, page.Items...)
		if next = page.Continue; next == "" {
			return all
		}
	}
}

// inOrder gives what the host lists the order of a dump: nodes and applications, which come by ID, and the asks of one, which come by age.
func inOrder(found, want *core.Dump) {
	type turn struct {
		id    string
		since time.Duration
	}
	nodes := map[string]int{}
	for i, n := range want.Nodes {
		nodes[n.ID] = i
	}
	slices.SortStableFunc(found.Nodes, func(a, b core.NodeDump) int { return nodes[a.ID] - nodes[b.ID] })
	apps := map[turn]int{}
	asks := map[string]int{}
	for i, a := range want.Applications {
		apps[turn{a.ID, a.Since}] = i
		for j, k := range a.Asks {
			asks[k.ID] = j
		}
	}
	slices.SortStableFunc(found.Applications, func(a, b core.AppDump) int { return apps[turn{a.ID, a.Since}] - apps[turn{b.ID, b.Since}] })
	for i := range found.Applications {
		slices.SortStableFunc(found.Applications[i].Asks, func(a, b core.AskDump) int { return asks[a.ID] - asks[b.ID] })
	}
}

// amounts are amounts by type as the host writes them.
type amounts map[string]any

func (a amounts) set() resource.Set {
	var list []resource.Quantity
	for typ, written := range a {
		text, negative := strings.CutPrefix(fmt.Sprint(written), "-")                                   // as headroom may be
		q := resource.Quantity{Type: typ, Milli: typ != resource.VCore && strings.HasSuffix(text, "m")} // of devices
		parse := resource.Parse
		if q.Milli {
			parse = resource.ParseMilli
		}
		var err error
		if q.Value, err = parse(typ, text); err != nil {
			panic(err)
		}
		if negative {
			q.Value = -q.Value
		}
		list = append(list, q)
	}
	return resource.NewSet(list...)
}

func (a *amounts) UnmarshalJSON(text []byte) error {
	decoder := json.NewDecoder(strings.NewReader(string(text)))
	decoder.UseNumber() // exact beyond 2^53
	list := map[string]any{}
	err := decoder.Decode(&list)
	*a = list
	return err
}

// moment is a time as the host writes it; the clock of scenarios begins at the Unix epoch.
type moment time.Duration

func (m *moment) UnmarshalJSON(text []byte) error {
	var at time.Time
	err := json.Unmarshal(text, &at)
	*m = moment(at.UnixNano())
	return err
}

// split is the partition and the path of a queue as it is shown.
func split(shown string) (partition, path string) {
	if partition, path, ok := strings.Cut(strings.TrimPrefix(shown, "["), "]"); ok {
		return partition, path
	}
	return "", shown
}

func priority(p *int32) (has bool, value int32) {
	if p == nil {
		return false, 0
	}
	return true, *p
}

type queueObject struct {
	Queue, State                                      string
	Leaf, Dynamic                                     bool
	Used, Guaranteed, Max, Headroom, Pending, Leaving amounts
	PendingAsks                                       int `json:"pending_asks"`
	Allocations, Applications, Running                int
	Priority                                          *int32
	MaxRunning                                        uint64 `json:"max_running"`
	FairShare                                         int64  `json:"fair_share_billionths"`
	AppSort                                           string `json:"app_sort"`
	Properties                                        map[string]string
}

func (q *queueObject) dump() core.QueueDump {
	o := core.QueueDump{State: q.State, Leaf: q.Leaf, Dynamic: q.Dynamic, Used: q.Used.set(), Guaranteed: q.Guaranteed.set(), Max: q.Max.set(),
		Headroom: q.Headroom.set(), Pending: q.Pending.set(), Leaving: q.Leaving.set(), PendingAsks: q.PendingAsks, Allocations: q.Allocations,
		Applications: q.Applications, Running: q.Running, MaxRunning: q.MaxRunning, FairShare: q.FairShare, AppSort: q.AppSort, Properties: q.Properties}
	o.Partition, o.Path = split(q.Queue)
	o.HasPriority, o.Priority = priority(q.Priority)
	return o
}

type nodeObject struct {
	Node, Partition, Reserved, Kept string
	Schedulable                     bool
	Capacity, Occupied, Used        amounts
	Attributes                      map[string]string
	Utilisation                     int64 `json:"utilisation_billionths"`
	Allocations                     []string
	Devices                         map[string][]deviceObject
}

// deviceObject is a device of a node.
type deviceObject struct {
	ID              string
	Free            string
	Memory          int64
	FreeMemory      int64 `json:"free_memory"`
	Attributes      map[string]string
	Unhealthy, Gone bool
	Allocations     int
}

// devicesOf puts devices in the order of a dump.
func devicesOf(all map[string][]deviceObject) (list []core.DeviceDump) {
	for _, typ := range slices.Sorted(maps.Keys(all)) {
		for _, o := range all[typ] {
			free := amounts{typ: o.Free}.set()[0].Value
			list = append(list, core.DeviceDump{Type: typ, ID: o.ID, Memory: o.Memory, Attributes: o.Attributes, Unhealthy: o.Unhealthy, Gone: o.Gone,
				FreeShare: free, FreeMemory: o.FreeMemory, Allocations: o.Allocations})
		}
	}
	return list
}

// placedOn puts the devices of an allocation in the order of a dump.
func placedOn(all map[string][]string) (list []core.PlacedDevices) {
	for _, typ := range slices.Sorted(maps.Keys(all)) {
		list = append(list, core.PlacedDevices{Type: typ, IDs: all[typ]})
	}
	return list
}

func (n *nodeObject) dump() core.NodeDump {
	return core.NodeDump{Partition: n.Partition, ID: n.Node, Capacity: n.Capacity.set(), Occupied: n.Occupied.set(), Used: n.Used.set(),
		Attributes: n.Attributes, Schedulable: n.Schedulable, Utilisation: n.Utilisation, Reserved: n.Reserved, ClaimedBy: n.Kept, Allocations: n.Allocations,
		Devices: devicesOf(n.Devices)}
}

type appObject struct {
	App, Group, Queue, State string
	Preempted                int64
	Since, Submitted         moment
	Priority                 *int32
	Used                     amounts
}

// live reports whether an application has not ended; one that has may be listed beside a live one of its name.
func (a *appObject) live() bool {
	return !slices.Contains([]string{"Completed", "Failed", "Rejected", "Expired"}, a.State)
}

func (a *appObject) dump(asks []core.AskDump) core.AppDump {
	o := core.AppDump{ID: a.App, Group: a.Group, State: a.State, Since: time.Duration(a.Since), Submitted: time.Duration(a.Submitted), Used: a.Used.set(), Preempted: a.Preempted, Asks: asks}
	o.Partition, o.Queue = split(a.Queue)
	o.HasPriority, o.Priority = priority(a.Priority)
	return o
}

type askObject struct {
	Ask, App, State, Node, Kept string
	Priority                    int32
	Resources                   amounts
	Placeholder                 bool
	Submitted, Allocated        moment
	Walltime                    string
	MinRuntime                  string `json:"min_runtime"`
	Preempted                   int64
	Ends                        *moment
	Planned                     *plannedObject `json:"planned_start"`
	Devices                     map[string][]string
	LeavingFor                  string `json:"leaving_for"`
}

// plannedObject is a planned start.
type plannedObject struct {
	Start  moment
	Node   string
	Nodes  []string
	Reason core.Reason
	Ends   *moment
}

func (k *askObject) dump() core.AskDump {
	walltime, _ := time.ParseDuration(k.Walltime) // none: it promises no end
	least, _ := time.ParseDuration(k.MinRuntime)
	var planned *core.PlannedStart
	if p := k.Planned; p != nil {
		planned = &core.PlannedStart{Start: time.Duration(p.Start), Node: p.Node, Nodes: p.Nodes, Reason: p.Reason, Ends: (*time.Duration)(p.Ends)}
	}
	return core.AskDump{Walltime: walltime, MinRuntime: least, Preempted: k.Preempted, Ends: (*time.Duration)(k.Ends), Planned: planned,
		ID: k.Ask, Priority: k.Priority, Resources: k.Resources.set(), Placeholder: k.Placeholder, Submitted: time.Duration(k.Submitted),
		Node: k.Node, Allocated: time.Duration(k.Allocated), Claims: k.Kept, Leaves: k.State == "leaving", Leaving: k.LeavingFor, Devices: placedOn(k.Devices)}
}

// usageObject is what a user or a group uses where a limit holds for it.
type usageObject struct {
	Queue, Kind, Name string
	Used, Max         amounts
	Applications      int
	MaxApplications   uint64 `json:"max_applications"`
}

func (u *usageObject) usage() core.LimitUsage {
	o := core.LimitUsage{Group: u.Kind == "group", Name: u.Name, Used: u.Used.set(), Max: u.Max.set(), Applications: u.Applications, MaxApplications: u.MaxApplications}
	o.Partition, o.Queue = split(u.Queue)
	return o
}
