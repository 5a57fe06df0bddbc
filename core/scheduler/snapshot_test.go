package scheduler_test

import (
	"bytes"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/core/scheduler"
)

// life generates the inputs of a small cluster, which cover everything that a snapshot contains.
type life struct {
	t     *rapid.T
	asks  int
	timed bool // with walltimes, half-lives and modules that read them
}

// unsteady are policies whose answers and faults are functions of their questions. `reverse` fails once an application has three
// allocations. The predicate `parity` never fails, since a restored scheduler asks it sooner than the original one. The others answer
// with their columns, which change for users, groups, gangs and domains as a whole.
type unsteady string

func (u unsteady) Eval(b *policy.Batch) error {
	for _, row := range b.Rows {
		name := b.Items.Name(row)
		if u == "usage" || u == "sizes" || u == "harm" || u == "room" {
			for k := range b.Keys {
				b.Out[int(row)*b.Keys+k] = b.Cols[k][row]
			}
			continue
		}
		if u == "reverse" && b.Cols[1][row] >= 3 {
			return fmt.Errorf("%s is too much", name)
		}
		b.Out[row] = float64((len(name) + strings.Count(name, "2") + strings.Count(name, "4")) % 2)
		if u == "reverse" {
			b.Out[row] = -b.Cols[0][row]
		}
	}
	return nil
}

func unsteadyOptions() core.Options {
	return core.Options{Evaluator: func(m core.Announcement) policy.Evaluator { return unsteady(m.Name) }}
}

func reverseModule(sha256 string) *core.PolicyModule {
	return &core.PolicyModule{Name: "reverse", SHA256: sha256, Manifest: manifest("reverse", policy.AppOrder, 1, policy.OnRow, "submitted", "allocations")}
}

// columnModules are policies with columns of users, groups, gangs, domains and time.
func columnModules() (list []core.Input) {
	for _, m := range []struct{ name, point string }{
		{"harm", declared(policy.VictimRank, 4, policy.OnRow, "", "user_limit_share", "group_limit_share", "gang_size", "gang_surplus")},
		{"sizes", declared(policy.AskOrder, 3, policy.OnRow, "", "gang_size", "gang_surplus", "placeholder", "walltime")},
		{"room", declared(policy.NodeScore, 1, policy.OnRow, "fair", "domain_free:zone:vcore")},
		{"usage", declared(policy.AppOrder, 4, policy.OnRow, "fifo", "user_limit_share", "group_limit_share=5", "gang_size", "gang_min", "aged:vcore", "walltime")},
		{"past", declared(policy.QueueOrder, 2, policy.OnRow, "fair", "aged:vcore", "half_life")},
	} {
		list = append(list, core.Input{Event: &core.SetPolicy{PolicyModule: core.PolicyModule{Name: m.name, SHA256: "1",
			Manifest: fmt.Sprintf(`{"name":%q,"points":{%s}}`, m.name, m.point)}}})
	}
	return list
}

func (l *life) roll(what string, n int) int { return rapid.IntRange(0, n-1).Draw(l.t, what) }

func (l *life) pick(what string, from ...string) string {
	return rapid.SampledFrom(from).Draw(l.t, what)
}

func (l *life) config() string {
	if l.roll("default", 12) == 0 {
		return "{}" // is refused
	}
	queue := func(name string) string {
		more := l.pick("asks", "", "", ", ask.sort.policy: sizes") + "}"
		if l.roll("limits", 2) == 0 {
			more += fmt.Sprintf(", limits: [{users: [u], maxresources: {vcore: %d}}, {users: [\"*\"], groups: [%s], maxresources: {vcore: %d}}]",
				1+l.roll("of u", 3), l.pick("group", "g", "h", "g, h"), 1+l.roll("of g", 3))
		}
		return fmt.Sprintf("{name: %s, maxapplications: %d, properties: {application.sort.policy: %s, priority.offset: \"%d\"%s, resources: {max: {vcore: %d}, guaranteed: {vcore: %d}}}",
			name, l.roll("maxapplications", 3), l.pick("applications", "fifo", "fair", "stateaware", "reverse", "usage", "usage"), l.roll("offset", 3), more,
			3+l.roll("max", 9), l.roll("guaranteed", 4))
	}
	out := queue("a")
	if l.roll("b", 3) > 0 {
		out += ", " + queue("b")
	}
	if l.roll("p", 3) > 0 {
		out += ", {name: p, parent: true, queues: [" + l.pick("below", queue("c"), queue("c")+", "+queue("d"), queue("d")) + "]}"
	}
	return partition(", properties: {reservation.delay: "+l.pick("delay", "2s", "1s", "0s")+l.pastKeys()+"}, queues: ["+out+"]",
		", nodesortpolicy: {type: "+l.pick("nodes", "fair", "binpacking", "room")+"}, topology: [{level: zone, attribute: zone}]")
}

// pastKeys returns properties of root about aged usage.
func (l *life) pastKeys() string {
	if !l.timed {
		return ""
	}
	return l.pick("half-life", "", ", fairness.half-life: 10s") + l.pick("parents", "", ", queue.sort.policy: past")
}

// walltime returns none, or one or two times so many seconds.
func (l *life) walltime(seconds int) time.Duration {
	if !l.timed {
		return 0
	}
	return time.Duration(l.roll("walltime", 3)*seconds) * time.Second
}

func (l *life) amount() resource.Set {
	set := vcores(int64(1 + l.roll("cores", 5)))
	if l.roll("gpu", 4) == 0 {
		set = resource.NewSet(append(set, resource.Quantity{Type: l.pick("type", "gpu", "fpga", "nic", "memory", "disk"), Value: 1})...)
	}
	return set
}

func (l *life) input() core.Input {
	node := func() string { return l.pick("node", "n1", "n2", "n3", "n4") }
	app := func() string { return l.pick("app", "app1", "app2", "app3", "app4", "app5") }
	ask := func() string { return fmt.Sprintf("x%d", l.roll("ask", l.asks+1)) }
	switch l.roll("what", 19) {
	case 0, 1:
		return core.Input{Event: &core.AddNode{ID: node(), Capacity: l.amount(), Occupied: vcores(int64(l.roll("occupied", 2))),
			Attributes: map[string]string{"zone": l.pick("zone", "x", "y")}, Unschedulable: l.roll("drained", 6) == 0}}
	case 2:
		return core.Input{Event: &core.UpdateNode{ID: node(), Capacity: l.amount(), Attributes: map[string]string{"zone": l.pick("zone", "x", "y")}}}
	case 3:
		id := node()
		return core.Input{Event: rapid.SampledFrom([]core.Event{&core.DrainNode{ID: id}, &core.ResumeNode{ID: id}, &core.ResumeNode{ID: id}, &core.RemoveNode{ID: id}}).Draw(l.t, "node change")}
	case 4, 5:
		return core.Input{Event: &core.AddApp{ID: app(), Queue: l.pick("queue", "root.a", "root.b", "root.p.c", "root.p.d"), User: l.pick("user", "u", "v"), Groups: []string{"g", "h"}[l.roll("first group", 2):],
			Tags: map[string]string{"application.stateaware.disable": l.pick("tag", "true", "false")}}}
	case 6:
		return core.Input{Event: &core.RemoveApp{ID: app()}}
	case 7, 8, 9, 10:
		l.asks++
		in := core.Input{Event: &core.AddAsk{ID: fmt.Sprintf("x%d", l.asks), App: app(), Resources: l.amount(), Ask: core.Ask{Priority: int32(l.roll("priority", 3)), Walltime: l.walltime(20)}}}
		switch l.roll("wish", 6) {
		case 0:
			in.Ask().Node = node()
		case 1:
			in.Ask().Constraints = map[string][]string{"zone": {l.pick("zone", "x", "y"), "z"}}
		case 2:
			in.Ask().Predicate = "parity"
		case 3:
			in.Ask().Gang = &core.Gang{ID: l.pick("gang", "g1", "g2"), Min: 2}
		}
		return in
	case 11:
		l.asks++
		return core.Input{Event: &core.RestoreAllocation{AddAsk: core.AddAsk{ID: fmt.Sprintf("x%d", l.asks), App: app(), Resources: l.amount(),
			Ask: core.Ask{Originator: true, NotPreemptable: true, NoPreemptOthers: true}}, PlacedOn: node()}}
	case 12:
		return core.Input{Event: &core.UpdateAsk{ID: ask(), Resources: l.amount(), Priority: new(int32(l.roll("priority", 3))), Walltime: l.walltime(15)}}
	case 13:
		return core.Input{Event: &core.RemoveAsk{ID: ask()}}
	case 14, 15:
		return core.Input{Event: &core.ReleaseAllocation{ID: ask()}}
	case 16:
		return core.Input{Event: &core.SetConfig{Config: l.config()}}
	case 17:
		return core.Input{Event: &core.MoveApp{ID: app(), Queue: l.pick("queue", "root.a", "root.b", "root.p.c", "root.p.d")}}
	default:
		if l.roll("remove", 4) == 0 {
			return core.Input{Event: &core.RemovePolicy{Name: "reverse"}}
		}
		return core.Input{Event: &core.SetPolicy{PolicyModule: *reverseModule(l.pick("hash", "1", "2"))}}
	}
}

// step applies the same input to all schedulers, and returns the decisions of each.
func (l *life) step(all ...*scheduler.Scheduler) [][]core.Decision {
	out := make([][]core.Decision, len(all))
	each := func(do func(s *scheduler.Scheduler)) {
		for i, s := range all {
			do(s)
			out[i] = append(out[i], s.Take()...)
		}
	}
	switch l.roll("step", 6) {
	case 0:
		l.pass(time.Duration(1+l.roll("seconds", 40))*time.Second, each, all[0])
	case 1:
		if at, ok := all[0].Deadline(); ok {
			each(func(s *scheduler.Scheduler) { s.Advance(at); cycle(s) })
		}
	default:
		for range 1 + l.roll("inputs", 3) {
			in := l.input()
			in.At = all[0].Now()
			each(func(s *scheduler.Scheduler) { s.Apply(&in) })
		}
		if l.roll("cycle", 5) > 0 {
			each(cycle)
		}
	}
	return out
}

func (l *life) pass(d time.Duration, each func(func(*scheduler.Scheduler)), first *scheduler.Scheduler) {
	to := first.Now() + d
	for at, ok := first.Deadline(); ok && at < to; at, ok = first.Deadline() {
		each(func(s *scheduler.Scheduler) { s.Advance(at); cycle(s) })
	}
	each(func(s *scheduler.Scheduler) { s.Advance(to); cycle(s) })
}

// cycle runs a cycle to its end: one that asks allocations past their walltime to leave places nothing yet.
func cycle(s *scheduler.Scheduler) {
	s.Cycle(-1)
	s.Cycle(-1)
}

// opening returns the first inputs of every life.
func opening() []core.Input {
	return append(columnModules(), []core.Input{
		{Event: &core.SetPolicy{PolicyModule: *reverseModule("1")}},
		{Event: &core.SetConfig{Config: partition(", queues: [{name: a}, {name: b, properties: {application.sort.policy: reverse}}, {name: p, parent: true, queues: [{name: c}, {name: d}]}]", "")}},
		{Event: &core.AddNode{ID: "n1", Capacity: vcores(6), Attributes: map[string]string{"zone": "x"}}},
		{Event: &core.AddNode{ID: "n2", Capacity: vcores(4)}},
		{Event: &core.AddApp{ID: "app1", Queue: "root.a"}}, {Event: &core.AddApp{ID: "app2", Queue: "root.b"}}, {Event: &core.AddApp{ID: "app3", Queue: "root.p.c"}},
	}...)
}

func beginning() *scheduler.Scheduler { return beginningWith(unsteadyOptions()) }

func beginningWith(o core.Options) *scheduler.Scheduler {
	s := scheduler.New(o)
	s.Advance(0)
	for _, in := range opening() {
		s.Apply(&in)
	}
	s.Take()
	return s
}

func TestGoingOnFromASnapshotEqualsGoingOn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := &life{t: t, timed: true}
		first := beginning()
		for range rapid.IntRange(0, 40).Draw(t, "before") {
			l.step(first)
		}
		snapshot := first.Snapshot()
		second, err := scheduler.Restore(snapshot, unsteadyOptions())
		if err != nil {
			t.Fatalf("a snapshot is refused: %v", err)
		}
		if again := second.Snapshot(); !bytes.Equal(again, snapshot) {
			t.Fatalf("the snapshot\n%s\nis after its restore\n%s", snapshot, again)
		}
		if expected, found := asksBySizes(first.Dump()), asksBySizes(second.Dump()); !reflect.DeepEqual(expected, found) {
			t.Fatalf("from\n%s\nexpected\n%+v\nthe restored one is\n%+v", snapshot, expected, found)
		}
		for range rapid.IntRange(1, 30).Draw(t, "after") {
			both := l.step(first, second)
			if expected, found := lines(t, both[0]), lines(t, both[1]); expected != found {
				t.Fatalf("from\n%s\nexpected\n%s\nthe restored one decides\n%s", snapshot, expected, found)
			}
			if expected, found := asksBySizes(first.Dump()), asksBySizes(second.Dump()); !reflect.DeepEqual(expected, found) {
				t.Fatalf("from\n%s\nexpected\n%+v\nthe restored one is\n%+v", snapshot, expected, found)
			}
			a, inA := first.Deadline()
			b, inB := second.Deadline()
			if a != b || inA != inB {
				t.Fatalf("from\n%s\nthe deadlines are %v %v and %v %v", snapshot, a, inA, b, inB)
			}
		}
		if a, b := withoutCalls(first.Snapshot()), withoutCalls(second.Snapshot()); !bytes.Equal(a, b) {
			t.Fatalf("from\n%s\nthe snapshots at the end are\n%s\nand\n%s", snapshot, a, b)
		}
	})
}

// asksBySizes sorts asks by ID if a module orders them: a restored scheduler has them in order of submission until it asks the module.
func asksBySizes(d core.Dump) core.Dump {
	byModule := map[string]bool{}
	for i := range d.Queues {
		byModule[d.Queues[i].Path] = d.Queues[i].Properties["ask.sort.policy"] == "sizes"
	}
	for i := range d.Applications {
		if a := &d.Applications[i]; byModule[a.Queue] {
			slices.SortFunc(a.Asks, func(x, y core.AskDump) int { return strings.Compare(x.ID, y.ID) })
		}
	}
	return d
}

// withoutCalls returns a snapshot without the number of calls of each policy, which a restored scheduler counts differently, and
// without its checksum.
func withoutCalls(snapshot []byte) []byte {
	return regexp.MustCompile(`"Calls":[0-9]+`).ReplaceAll(content(snapshot), nil)
}
