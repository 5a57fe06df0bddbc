package oracle_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
)

// transitions are the permitted state changes of applications.
var transitions = map[string][]string{
	core.StateNew:        {core.StateAccepted, core.StateCompleted},
	core.StateAccepted:   {core.StateStarting, core.StateRunning, core.StateCompleting, core.StateCompleted},
	core.StateStarting:   {core.StateRunning, core.StateCompleting, core.StateCompleted},
	core.StateRunning:    {core.StateCompleting, core.StateCompleted},
	core.StateCompleting: {core.StateRunning, core.StateCompleted},
	core.StateCompleted:  {core.StateExpired},
}

// invariants checks properties of a machine that hold after every call. It follows the decisions.
type invariants struct {
	seq      uint64
	broken   []string
	asksByID map[string]core.Ask // what each ask said, by ID
	quota    map[string]bool     // IDs of allocations that leave by quota, which dumps do not name
	left     map[string]bool     // the same, as it was before the call
	gangs    map[string]string   // application and gang of each member, by its ID
	before   core.Dump           // as it was before the call
	dump     core.Dump
}

func (v *invariants) check(d core.Dump, decisions []core.Decision) []string {
	v.broken, v.before, v.dump, v.left = nil, v.dump, d, maps.Clone(v.quota)
	v.followGangs()
	v.decisionsAreLegal(decisions)
	v.allocationsFit(decisions)
	v.usageAddsUp()
	v.headroomFollows()
	v.reservationsAreUnique()
	v.claimsAgree()
	v.statesAgree()
	v.countsAgree()
	v.sumsAreExact()
	return v.broken
}

func (v *invariants) expect(ok bool, format string, args ...any) {
	if !ok {
		v.broken = append(v.broken, fmt.Sprintf(format, args...))
	}
}

func (v *invariants) decisionsAreLegal(decisions []core.Decision) {
	for _, d := range decisions {
		v.followQuota(&d)
		v.seq++
		v.expect(d.Seq == v.seq, "decision %d follows %d", d.Seq, v.seq-1)
		v.expect(d.At == v.dump.Now, "decision %d is dated %s at %s", d.Seq, d.At, v.dump.Now)
		if d.Type != core.AppState {
			continue
		}
		legal := false
		for _, to := range transitions[d.From] {
			legal = legal || to == d.To
		}
		v.expect(legal, "application %s went from %s to %s", d.ID, d.From, d.To)
	}
}

// allocationsFit holds after a cycle, in which usage only grows: for each new allocation, node and queues are within their limits for the
// types that it needs.
func (v *invariants) allocationsFit(decisions []core.Decision) {
	started := map[string]bool{}
	for _, d := range decisions {
		if d.Type == core.AppState && d.Reason == core.ReasonFirstAllocation {
			started[d.ID] = true
		}
	}
	for _, a := range v.before.Applications { // those that held their place already
		if slices.ContainsFunc(a.Asks, func(k core.AskDump) bool { return k.Claims != "" }) {
			delete(started, a.ID)
		}
	}
	for _, d := range decisions {
		if d.Type != core.Allocation {
			continue
		}
		for _, q := range v.way(d.Queue) {
			v.expect(!started[d.App] || q.MaxRunning == 0 || uint64(q.Running) <= q.MaxRunning,
				"%s started beyond maxapplications of %s", d.App, q.Path)
			v.within("queue "+q.Path, d.Resources, q.Max, q.Used, q.Path == "root")
		}
		for _, n := range v.dump.Nodes {
			if n.ID == d.Node {
				v.expect(n.Schedulable, "%s went to the drained node %s", d.ID, n.ID)
				v.within("node "+n.ID, d.Resources, n.Capacity, sum(n.Used, n.Occupied), true)
			}
		}
	}
}

func (v *invariants) within(what string, types, limits, used resource.Set, missingIsZero bool) {
	for _, q := range types {
		limit, set := limits.Value(q.Type)
		if !set && !missingIsZero {
			continue
		}
		now, _ := used.Value(q.Type)
		v.expect(now <= limit, "%s uses %d of %d %s after an allocation", what, now, limit, q.Type)
	}
}

// way lists the queues from root to the path.
func (v *invariants) way(path string) []core.QueueDump {
	var queues []core.QueueDump
	for _, q := range v.dump.Queues {
		if path == q.Path || strings.HasPrefix(path, q.Path+".") {
			queues = append(queues, q)
		}
	}
	return queues
}

func sum(sets ...resource.Set) resource.Set {
	values := map[string]int64{}
	for _, s := range sets {
		for _, q := range s {
			values[q.Type] = resource.Add(values[q.Type], q.Value)
		}
	}
	var total []resource.Quantity
	for typ, value := range values {
		if value != 0 {
			total = append(total, resource.Quantity{Type: typ, Value: value})
		}
	}
	return resource.NewSet(total...)
}

func (v *invariants) usageAddsUp() {
	onNode := map[string]resource.Set{}
	used, pending := map[string]resource.Set{}, map[string]resource.Set{}
	for _, a := range v.dump.Applications {
		var own resource.Set
		for _, k := range a.Asks {
			if k.Node == "" {
				pending[a.Queue] = sum(pending[a.Queue], k.Resources)
				continue
			}
			own = sum(own, k.Resources)
			onNode[k.Node] = sum(onNode[k.Node], k.Resources)
		}
		v.equal("usage of application "+a.ID, own, a.Used)
		used[a.Queue] = sum(used[a.Queue], own)
	}
	var total resource.Set
	for _, n := range v.dump.Nodes {
		total = sum(total, n.Capacity)
		v.equal("usage of node "+n.ID, onNode[n.ID], n.Used)
	}
	v.equal("total", total, v.dump.Total)
	for _, q := range v.dump.Queues {
		v.equal("usage of "+q.Path, below(q.Path, used), q.Used)
		v.equal("pending of "+q.Path, below(q.Path, pending), q.Pending)
	}
}

// below sums the objects in the subtree of the path.
func below(path string, values map[string]resource.Set) resource.Set {
	var total resource.Set
	for at, value := range values {
		if at == path || strings.HasPrefix(at, path+".") {
			total = sum(total, value)
		}
	}
	return total
}

func (v *invariants) equal(what string, want, got resource.Set) {
	a, b := fmt.Sprint(withoutZeros(want)), fmt.Sprint(withoutZeros(got))
	v.expect(a == b, "%s is %s, and adds up to %s", what, b, a)
}

// headroomFollows recomputes each headroom as the minimum of max - usage on the path. Root's max is the total, and usage is the larger of
// current and future usage.
func (v *invariants) headroomFollows() {
	usage := v.usageWithClaims()
	for _, q := range v.dump.Queues {
		types := sum(q.Max, usage[q.Path], v.dump.Total)
		for _, at := range v.way(q.Path) {
			types = sum(types, at.Max, usage[at.Path])
		}
		var want []resource.Quantity
		for _, typ := range types {
			least := resource.Quantity{Type: typ.Type, Value: 1<<63 - 1}
			for _, at := range v.way(q.Path) {
				limit, set := at.Max.Value(typ.Type)
				used, _ := usage[at.Path].Value(typ.Type)
				if set || at.Path == "root" {
					least.Value = min(least.Value, resource.Sub(limit, used))
				}
			}
			want = append(want, least)
		}
		v.equal("headroom of "+q.Path, resource.NewSet(want...), q.Headroom)
	}
}

func (v *invariants) reservationsAreUnique() {
	leaf := map[string]string{}
	for _, a := range v.dump.Applications {
		for _, k := range a.Asks {
			if k.Node == "" {
				leaf[k.ID] = a.Queue
			}
		}
	}
	asks, leaves := map[string]bool{}, map[string]bool{}
	for _, n := range v.dump.Nodes {
		if n.Reserved == "" {
			continue
		}
		queue, pending := leaf[n.Reserved]
		v.expect(pending, "node %s is reserved for %s, which is not pending", n.ID, n.Reserved)
		v.expect(!asks[n.Reserved], "%s reserves two nodes", n.Reserved)
		asks[n.Reserved] = true
		if required := v.asksByID[n.Reserved].Node; required != "" {
			v.expect(required == n.ID, "node %s is held for %s, which requires %s", n.ID, n.Reserved, required)
			continue // holds have no other bound, and are judged when the cycle begins
		}
		v.expect(!leaves[queue], "%s reserves two nodes", queue)
		v.expect(n.Schedulable, "node %s is drained and reserved", n.ID)
		leaves[queue] = true
	}
}

// statesAgree checks that an application's state agrees with its asks, and that its queue exists.
func (v *invariants) statesAgree() {
	live := map[string]int{}
	for _, a := range v.dump.Applications {
		idle := a.State == core.StateNew || a.State == core.StateCompleting || a.State == core.StateCompleted
		v.expect(idle == (len(a.Asks) == 0), "application %s is %s with %d asks", a.ID, a.State, len(a.Asks))
		if a.State == core.StateCompleted {
			continue
		}
		v.expect(transitions[a.State] != nil, "application %s is %s", a.ID, a.State)
		for _, q := range v.way(a.Queue) {
			live[q.Path]++
		}
		v.expect(live[a.Queue] > 0, "the queue %s of application %s is gone", a.Queue, a.ID)
	}
	for _, q := range v.dump.Queues {
		v.expect(q.Applications == live[q.Path], "%s counts %d applications and has %d", q.Path, q.Applications, live[q.Path])
		v.expect(q.State == core.QueueActive || q.State == core.QueueDraining && live[q.Path] > 0,
			"queue %s is %s with %d applications", q.Path, q.State, live[q.Path])
	}
}
