package scheduler_test

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/core/scheduler"
)

// asking holds the properties of a pending ask that are not in a Dump.
type asking struct {
	core.Ask
	app string
}

// crowd generates a small cluster in which asks wait for various reasons, and runs a cycle.
func crowd(t *rapid.T) (*scheduler.Scheduler, map[string]asking) {
	roll := func(what string, n int) int { return rapid.IntRange(0, n-1).Draw(t, what) }
	l := &life{t: t}
	roomy := int64(0) // within limits, so that only nodes are full and reservations are made
	if rapid.Bool().Draw(t, "roomy") {
		roomy = 50
	}
	s := scheduler.New(core.Options{})
	s.Advance(0)
	s.Apply(&core.Input{Event: &core.SetConfig{Config: partition(fmt.Sprintf(`, properties: {reservation.delay: %s}, queues: [
{name: a, maxapplications: %d, resources: {max: {vcore: %d}}, properties: {application.sort.policy: %s, priority.offset: "%d"}},
{name: p, maxapplications: %d, resources: {max: {vcore: %d, gpu: 1}}, queues: [{name: b, resources: {max: {vcore: %d}}}, {name: c, properties: {priority.policy: fence}}]}]`,
		l.pick("delay", "1s", "0s"), roll("apps of a", 3), 1+roll("max of a", 12)+int(roomy), l.pick("sort", "fifo", "fair", "stateaware"), roll("offset", 3),
		roll("apps of p", 3), 4+roll("max of p", 12)+int(roomy), 1+roll("max of b", 4)+int(roomy/2)), "")}})
	asks := map[string]asking{}
	keeps := roomy > 0 && rapid.Bool().Draw(t, "keeps")
	if keeps {
		keepNode(s)
	}
	for i := range 1 + roll("nodes", 5) {
		capacity := l.amount()
		if roomy > 0 {
			capacity = vcores(int64(5 + roll("room", 2)))
		}
		s.Apply(&core.Input{At: s.Now(), Event: &core.AddNode{ID: fmt.Sprint("n", i), Capacity: capacity, Occupied: vcores(int64(roll("occupied", 2))),
			Unschedulable: roll("drained", 6) == 0, Attributes: map[string]string{"zone": l.pick("zone", "x", "y"), "disk": "ssd"}}})
	}
	for i := range 1 + roll("apps", 5) {
		s.Apply(&core.Input{At: s.Now(), Event: &core.AddApp{ID: fmt.Sprint("app", i), Queue: l.pick("queue", "root.a", "root.p.b", "root.p.c")}})
	}
	for i := range 1 + roll("asks", 14) {
		in := core.Input{At: s.Now(), Event: &core.AddAsk{ID: fmt.Sprint("x", i), App: fmt.Sprint("app", roll("app", 5)), Resources: l.amount(), Ask: core.Ask{Priority: int32(roll("priority", 3))}}}
		switch roll("wish", 6) {
		case 0:
			in.Ask().Node = fmt.Sprint("n", roll("node", 6))
		case 1:
			in.Ask().Constraints = map[string][]string{"disk": {"ssd", "hdd"}, "zone": {l.pick("zone", "x", "y", "z")}}
		case 2:
			in.Ask().Constraints = map[string][]string{"gpu.model": {"T4"}, "zone": {"x"}}
		}
		s.Apply(&in)
		asks[in.ID()] = asking{in.Ask().Ask, in.Ask().App}
	}
	s.Cycle(rapid.SampledFrom([]int{-1, -1, 0, 1, 2}).Draw(t, "limit"))
	for range roll("deadlines", 4) {
		if at, ok := s.Deadline(); ok {
			s.Advance(at)
			s.Cycle(-1)
		}
	}
	for i := 0; keeps && i < 3; i++ {
		s.Apply(&core.Input{At: s.Now(), Event: &core.AddAsk{ID: fmt.Sprint("late", i), App: "wide", Resources: vcores(1)}})
		s.Cycle(-1)
	}
	s.Take()
	return s, asks
}

// keepNode adds an ask that fits the headroom but no node, so that it reserves a node.
func keepNode(s *scheduler.Scheduler) {
	for _, in := range []core.Input{
		{Event: &core.AddApp{ID: "wide", Queue: "root.p.c"}},
		{Event: &core.AddNode{ID: "kept", Capacity: vcores(6)}}, {Event: &core.AddNode{ID: "other", Capacity: vcores(6)}},
		{Event: &core.RestoreAllocation{AddAsk: core.AddAsk{ID: "half", App: "wide", Resources: vcores(3)}, PlacedOn: "kept"}},
		{Event: &core.RestoreAllocation{AddAsk: core.AddAsk{ID: "most", App: "wide", Resources: vcores(5)}, PlacedOn: "other"}},
		{Event: &core.AddAsk{ID: "wide", App: "wide", Resources: vcores(4)}},
	} {
		s.Apply(&in)
	}
	s.Cycle(-1)
	for at, ok := s.Deadline(); ok && at <= time.Second; at, ok = s.Deadline() {
		s.Advance(at)
		s.Cycle(-1)
	}
}

// census holds a Dump as maps.
type census struct {
	core.Dump
	queues map[string]core.QueueDump
}

func newCensus(d core.Dump) census {
	c := census{d, map[string]core.QueueDump{}}
	for _, q := range d.Queues {
		c.queues[q.Path] = q
	}
	return c
}

// upwards lists a queue and its ancestors, leaf first.
func (c census) upwards(path string) []core.QueueDump {
	out := []core.QueueDump{c.queues[path]}
	for i := strings.LastIndex(path, "."); i > 0; i = strings.LastIndex(path, ".") {
		path = path[:i]
		out = append(out, c.queues[path])
	}
	return out
}

func (c census) lacks(ask core.AskDump, queue string) []explain.HeadroomShortfall {
	var out []explain.HeadroomShortfall
	for _, q := range c.upwards(queue) {
		if ask.Claims != "" {
			continue // its claim includes headroom
		}
		for _, need := range ask.Resources {
			limit, bounded := q.Max.Value(need.Type)
			if !bounded && q.Path != "root" {
				continue
			}
			used, _ := q.Used.Value(need.Type)
			leaving, _ := q.Leaving.Value(need.Type)
			used = max(used, used-leaving+c.awaited(q.Path, need.Type))
			if missing := need.Value - max(0, limit-used); missing > 0 {
				out = append(out, explain.HeadroomShortfall{Queue: q.Path, Type: need.Type, Missing: missing, Used: used, Max: limit})
			}
		}
	}
	return out
}

// awaited returns the amount of a type that the asks of a queue with claims need.
func (c census) awaited(path, typ string) int64 {
	sum := int64(0)
	for _, app := range c.Applications {
		for _, ask := range app.Asks {
			if need, _ := ask.Resources.Value(typ); ask.Claims != "" && (app.Queue == path || strings.HasPrefix(app.Queue, path+".")) {
				sum += need
			}
		}
	}
	return sum
}

// cause returns the first cause why a node does not take an ask.
func cause(n core.NodeDump, ask core.AskDump, said asking) (core.Reason, string) {
	if !n.Schedulable {
		return explain.NodeDraining, ""
	}
	if said.Node != "" && said.Node != n.ID {
		return explain.NodeNotRequired, ""
	}
	var attributes []string
	for a, values := range said.Constraints {
		if v, has := n.Attributes[a]; !has || !slices.Contains(values, v) {
			attributes = append(attributes, a)
		}
	}
	if len(attributes) > 0 {
		return explain.NodeConstraint, slices.Min(attributes)
	}
	for _, used := range []resource.Set{nil, n.Used} {
		for _, need := range ask.Resources { // by type, bytewise
			capacity, _ := n.Capacity.Value(need.Type)
			occupied, _ := n.Occupied.Value(need.Type)
			taken, _ := used.Value(need.Type)
			if capacity-occupied-taken < need.Value {
				if used == nil {
					return explain.NodeTooSmall, need.Type
				}
				return explain.NodeFull, need.Type
			}
		}
		if n.ClaimedBy != "" && n.ClaimedBy != ask.ID {
			return explain.NodeClaimed, ""
		}
	}
	return "", ""
}

func TestAnExplanationEqualsARecount(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, asks := crowd(t)
		c := newCensus(s.Dump())
		for _, app := range c.Applications {
			var order []string
			for _, ask := range app.Asks {
				e, ok := s.ExplainAsk(ask.ID)
				if !ok || e.App != app.ID || e.Queue != app.Queue || e.Pending != (ask.Node == "") {
					t.Fatalf("%s: found %+v", ask.ID, e)
				}
				if ask.Node != "" {
					if e.Node != ask.Node || e.Since != ask.Allocated {
						t.Fatalf("%s: found %+v", ask.ID, e)
					}
					continue
				}
				order = append(order, ask.ID)
				c.judgeAsk(t, s, app, ask, asks, e)
			}
			if e, ok := s.ExplainApp(app.ID); ok && (!slices.Equal(e.Waits, order[:min(10, len(order))]) || e.Pending != len(order) || e.State != app.State || e.HasPriority != app.HasPriority || e.Priority != app.Priority) {
				t.Fatalf("%s: expected %v of %+v, found %+v", app.ID, order, app, e)
			}
		}
	})
}

func TestPredicate_ClaimedNodeCountsAsReserved(t *testing.T) {
	s := scheduler.New(core.Options{})
	s.Advance(0)
	s.Apply(&core.Input{Event: &core.SetConfig{Config: partition(", properties: {reservation.delay: 1s}, queues: [{name: p, queues: [{name: c}]}]", "")}})
	keepNode(s)
	s.Apply(&core.Input{At: s.Now(), Event: &core.AddAsk{ID: "pinned", App: "wide", Resources: vcores(1), Ask: core.Ask{Node: "kept"}}})
	s.Cycle(-1)
	for id, expected := range map[string]string{
		"pinned": "[no-node-fits] [{not-the-required-node  1} {reserved  1}] 0",
		"wide":   "[no-node-fits] [{full vcore 2}] 0",
	} {
		e, _ := s.ExplainAsk(id)
		if found := fmt.Sprint(e.Reasons, e.Nodes, e.Fits); found != expected {
			t.Errorf("%s: expected %s, found %s: %s", id, expected, found, e.Text)
		}
	}
}

func (c census) judgeAsk(t *rapid.T, s *scheduler.Scheduler, app core.AppDump, ask core.AskDump, asks map[string]asking, e explain.AskExplanation) {
	if expected := c.lacks(ask, app.Queue); !slices.Equal(e.Shortfalls, expected) {
		t.Fatalf("%s lacks %v, found %v", ask.ID, expected, e.Shortfalls)
	}
	counts := map[explain.NodeCount]int{}
	fits := 0
	for _, n := range c.Nodes {
		reason, detail := cause(n, ask, asks[ask.ID])
		if reason == "" && n.Reserved != "" && n.Reserved != ask.ID &&
			(asks[n.Reserved].Node != "" && asks[ask.ID].Node == "" || !c.outranks(s, ask.ID, n.Reserved)) {
			reason = explain.NodeReserved
		}
		if reason == "" {
			fits++
			continue
		}
		counts[explain.NodeCount{Reason: reason, Detail: detail}]++
	}
	found := map[explain.NodeCount]int{}
	for _, n := range e.Nodes {
		found[explain.NodeCount{Reason: n.Reason, Detail: n.Detail}] = n.Nodes
	}
	if !reflect.DeepEqual(found, counts) || e.Fits != fits {
		t.Fatalf("%s: expected %v and %d that fit, found %v and %d", ask.ID, counts, fits, e.Nodes, e.Fits)
	}
	var blocked []string
	if app.State == core.StateAccepted && !slices.ContainsFunc(app.Asks, func(a core.AskDump) bool { return a.Claims != "" }) {
		for _, q := range c.upwards(app.Queue) {
			if q.MaxRunning > 0 && uint64(q.Running) >= q.MaxRunning {
				blocked = append(blocked, q.Path)
			}
		}
	}
	if !slices.Equal(e.Blocked, blocked) {
		t.Fatalf("%s: expected %v to block, found %v", ask.ID, blocked, e.Blocked)
	}
	has := func(r core.Reason) bool { return slices.Contains(e.Reasons, r) }
	if ask.Claims != "" != has(explain.WaitVictims) || ask.Claims != "" != e.Claimed || e.Claimed && e.Node != ask.Claims {
		t.Fatalf("%s: %q is kept for it, found %v: %+v", ask.ID, ask.Claims, e.Reasons, e)
	}
	if !e.Claimed && (has(explain.WaitHeadroom) != (len(e.Shortfalls) > 0) || has(explain.WaitNoNodeFits) != (fits == 0)) || has(explain.WaitMaxApps) != (len(blocked) > 0) ||
		len(e.Reasons) == 0 || has(explain.WaitNotYet) && len(e.Reasons) > 1 || e.Text == "" {
		t.Fatalf("%s: the reasons are %v: %+v", ask.ID, e.Reasons, e)
	}
	if holder := slices.IndexFunc(c.Nodes, func(n core.NodeDump) bool { return n.Reserved == ask.ID }); e.Reserved != (holder >= 0) || holder >= 0 && e.Node != c.Nodes[holder].ID {
		t.Fatalf("%s: reserved %v on %q", ask.ID, e.Reserved, e.Node)
	}
}

// outranks compares the priorities of two asks just below their common queue.
func (c census) outranks(s *scheduler.Scheduler, a, b string) bool {
	x, _ := s.ExplainAsk(a)
	y, _ := s.ExplainAsk(b)
	if x.Queue == y.Queue {
		return x.Priority > y.Priority
	}
	for _, p := range x.Seen {
		for _, q := range y.Seen {
			above := func(path string) string { return path[:strings.LastIndex(path, ".")] }
			if p.Queue != q.Queue && above(p.Queue) == above(q.Queue) {
				return p.Priority > q.Priority
			}
		}
	}
	return false
}

// TestAsksAreServedInTheirPlaces makes room for one allocation of any ask at a time, and checks that it goes to the first ask.
func TestAsksAreServedInTheirPlaces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, _ := crowd(t)
		s.Apply(&core.Input{At: s.Now(), Event: &core.AddNode{ID: "plenty", Capacity: resource.NewSet(
			resource.Quantity{Type: "vcore", Value: 1 << 40}, resource.Quantity{Type: "gpu", Value: 100}, resource.Quantity{Type: "memory", Value: 100},
			resource.Quantity{Type: "fpga", Value: 100}, resource.Quantity{Type: "nic", Value: 100}, resource.Quantity{Type: "disk", Value: 100})}})
		s.Take()
		for {
			var waiting []explain.AskExplanation
			for _, app := range s.Dump().Applications {
				for _, ask := range app.Asks {
					if e, _ := s.ExplainAsk(ask.ID); e.Pending {
						waiting = append(waiting, e)
					}
				}
			}
			slices.SortFunc(waiting, func(a, b explain.AskExplanation) int { return cmp.Compare(a.Place, b.Place) })
			for i, e := range waiting {
				if e.Place != i+1 {
					t.Fatalf("%s has place %d of %d, expected %d", e.ID, e.Place, len(waiting), i+1)
				}
			}
			first := slices.IndexFunc(waiting, func(e explain.AskExplanation) bool { return slices.Equal(e.Reasons, []core.Reason{explain.WaitNotYet}) })
			n, decisions := s.Cycle(1), s.Take()
			if slices.ContainsFunc(decisions, func(d core.Decision) bool { return d.Type == core.Reservation }) {
				continue // the node for the first ask may now be reserved or claimed for another
			}
			if n == 0 {
				if first >= 0 {
					t.Fatalf("%s would fit and nothing is placed: %s", waiting[first].ID, waiting[first].Text)
				}
				return
			}
			var made []string
			for _, d := range decisions {
				if d.Type == core.Allocation {
					made = append(made, d.ID)
				}
			}
			placed := slices.IndexFunc(waiting, func(e explain.AskExplanation) bool { return e.ID == made[0] })
			if first < 0 || len(made) != 1 || placed != first && !waiting[placed].Reserved {
				t.Fatalf("%v is placed, and %d is the first that would fit of %+v", made, first, waiting)
			}
		}
	})
}

func TestAnExplanationOfNothingIsNone(t *testing.T) {
	c := newCluster(t, core.Options{}, `, queues: [{name: q}]`)
	c.app("idle", "root.q")
	if _, ok := c.ExplainAsk("x"); ok {
		t.Error("an unknown ask is explained")
	}
	if _, ok := c.ExplainApp("x"); ok {
		t.Error("an unknown application is explained")
	}
	if _, ok := c.ExplainQueue("root.x"); ok {
		t.Error("an unknown queue is explained")
	}
	app, _ := c.ExplainApp("idle")
	queue, ok := c.ExplainQueue("ROOT.Q")
	if !slices.Equal(app.Reasons, []core.Reason{explain.WaitNothingPending}) || !ok || !slices.Equal(queue.Reasons, app.Reasons) {
		t.Errorf("found %v and %v", app, queue)
	}
	c.wait(time.Hour)
}
