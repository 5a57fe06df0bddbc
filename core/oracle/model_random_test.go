package oracle_test

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/oracle"
	"github.com/quern-project/quern/core/resource"
)

// modelConfig draws a configuration that uses all parts of the queue model.
func modelConfig(t *rapid.T) string {
	number := func(label string, least, most int) int { return rapid.IntRange(least, most).Draw(t, label) }
	rules := pick(t, "rules", "", "  placementrules: [{name: provided, create: true}]\n",
		"  placementrules: [{name: tag, value: ns, create: true, parent: {name: fixed, value: t}}, {name: provided, filter: {type: deny, users: [v, w]}}]\n")
	return fmt.Sprintf(`
partitions:
- name: default
%s  preemption: {enabled: true, quotapreemptionenabled: %v}
  queues:
  - name: root
    properties: {preemption.delay: 3s, quota.preemption.delay: %ds}
    queues:
    - {name: a, resources: {guaranteed: {vcore: %d}, max: {vcore: %d}}, limits: [{users: [u], maxresources: {vcore: %d}}, {groups: [g], maxapplications: 1}]}
    - {name: b, maxapplications: %d, submitacl: "%s"}
    - {name: t, parent: true, resources: {max: {vcore: 9}}, childtemplate: {resources: {guaranteed: {vcore: 1}, max: {vcore: %d}}}}
- name: gpu
  queues: [{name: a}, {name: b}]
`, rules, rapid.Bool().Draw(t, "quota"), number("delay", 0, 5), number("guaranteed", 0, 2), number("max", 2, 9), number("limit", 1, 2),
		number("applications", 0, 2), pick(t, "access", "*", "*", "*", "u", " g"), number("template", 1, 4))
}

// modelInput draws an input with one of few IDs, so that inputs concern the same objects.
func modelInput(t *rapid.T) core.Input {
	id := func(label string, ids ...string) string { return pick(t, label, ids...) }
	queue := func() string { return id("queue", "root.a", "root.b", "root.t.x", "root.t.y.z", "x", "root.t") }
	kind := pick(t, "type", core.AskAdd, core.AskAdd, core.AskAdd, core.AskAdd, core.AskAdd, core.AllocationRelease,
		core.AllocationRelease, core.AppMove, core.AppAdd, core.AllocationRestore, core.ConfigSet, core.AskRemove)
	if chance(t, "rare", 12) {
		kind = pick(t, "rare type", core.NodeAdd, core.NodeRemove, core.NodeDrain, core.NodeResume, core.AppRemove)
	}
	switch kind {
	case core.NodeAdd:
		return core.Input{Event: &core.AddNode{ID: id("node", "n", "m", "g"), Partition: id("partition", "", "", "gpu"), Capacity: cores(int64(roll(t, "size", 5)))}}
	case core.NodeRemove, core.NodeDrain, core.NodeResume:
		return core.Input{Event: plain(kind, id("node", "n", "m", "g"))}
	case core.AppAdd:
		return core.Input{Event: &core.AddApp{ID: id("app", "x", "y", "z"), Queue: queue(), User: id("user", "u", "v", ""), Partition: id("partition", "", "", "", "gpu"),
			Groups:       pick(t, "groups", nil, []string{"g"}),
			Tags:         pick(t, "tags", nil, map[string]string{"ns": "k", "namespace.resourcequota": `{"vcore":2}`}, map[string]string{"application.create.force": "true"}),
			Placeholders: pick(t, "gang", nil, &core.Placeholders{Ask: cores(2), Timeout: 10 * time.Second}, &core.Placeholders{Ask: cores(2), Hard: true, Timeout: 8 * time.Second})}}
	case core.AppMove:
		return core.Input{Event: &core.MoveApp{ID: id("app", "x", "y", "z"), Queue: queue()}}
	case core.AppRemove:
		return core.Input{Event: plain(kind, id("app", "x", "y", "z"))}
	case core.ConfigSet:
		return core.Input{Event: &core.SetConfig{Config: modelConfig(t)}}
	case core.AskAdd, core.AllocationRestore:
		ask := core.AddAsk{ID: fmt.Sprint("k", roll(t, "ask", 12)), App: id("app", "x", "y", "z"), Resources: cores(int64(1 + roll(t, "vcores", 3))),
			Ask: core.Ask{Priority: int32(roll(t, "priority", 3)), TaskGroup: id("group", "", "g", "g"), Placeholder: chance(t, "placeholder", 2),
				Node: id("required", "", "", "", "", "n")}}
		ask.Gang = pick(t, "atomic", nil, nil, &core.Gang{ID: "g", Min: 2, Timeout: 9 * time.Second}, &core.Gang{ID: "h", Min: 3})
		if kind == core.AskAdd {
			return core.Input{Event: &ask}
		}
		return core.Input{Event: &core.RestoreAllocation{AddAsk: ask, PlacedOn: id("node", "n", "m", "g")}}
	}
	return core.Input{Event: plain(kind, fmt.Sprint("k", roll(t, "ask", 12)))}
}

// For all inputs, the oracle keeps its own rules: victims by quota leave no queue below its guarantee, allocations do not exceed a max, and
// processing of deadlines ends.
func TestQueueModel_StaysWithinItsBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := oracle.New()
		m.Advance(0)
		apply := func(in core.Input) {
			in.At = m.Now()
			m.Apply(&in)
			for _, d := range m.Take() {
				if d.Type == core.ConfigRejected && d.Errors[0][0] != 'r' && d.Errors[0][0] != 'p' {
					t.Fatalf("the configuration is wrong: %v", d.Errors)
				}
			}
		}
		apply(core.Input{Event: &core.SetConfig{Config: modelConfig(t)}})
		for _, in := range []core.Input{
			{Event: &core.AddNode{ID: "n", Capacity: cores(4)}}, {Event: &core.AddNode{ID: "m", Capacity: cores(3)}},
			{Event: &core.AddNode{ID: "g", Partition: "gpu", Capacity: cores(2)}},
			{Event: &core.AddApp{ID: "x", Queue: "root.a", User: "w", Placeholders: &core.Placeholders{Ask: cores(2), Timeout: 10 * time.Second}}},
			{Event: &core.AddApp{ID: "y", Queue: "root.a", User: "u", Groups: []string{"g"}}},
			{Event: &core.AddApp{ID: "z", Queue: "root.b", User: "u", Placeholders: &core.Placeholders{Ask: cores(1), Hard: true, Timeout: 8 * time.Second}}},
		} {
			apply(in)
		}
		for range rapid.IntRange(5, 60).Draw(t, "steps") {
			if chance(t, "wait", 3) {
				pass(t, m, time.Duration(1+roll(t, "seconds", 6))*time.Second)
				continue
			}
			apply(modelInput(t))
			judgedCycle(t, m)
		}
		pass(t, m, time.Hour)
	})
}

// pass lets time pass, with a cycle at every deadline.
func pass(t *rapid.T, m *oracle.Oracle, d time.Duration) {
	to, stops := m.Now()+d, 0
	for at, ok := m.Deadline(); ok && at <= to; at, ok = m.Deadline() {
		if stops++; stops > 10_000 {
			t.Fatal("the clock does not get on")
		}
		m.Advance(at)
		judgedCycle(t, m)
	}
	m.Advance(to)
	judgedCycle(t, m)
}

// judgedCycle runs a cycle and checks its allocations against the bounds.
func judgedCycle(t *rapid.T, m *oracle.Oracle) {
	before := m.Dump()
	m.Take()
	m.Cycle(-1)
	after := m.Dump()
	allocated := map[string]bool{}
	for _, d := range m.Take() {
		switch d.Type {
		case core.Allocation:
			allocated[d.ID] = true
		case core.Preemption:
			if d.Quota != "" {
				keepsGuaranteed(t, after, d.Queue)
			}
		}
	}
	if len(allocated) == 0 {
		return
	}
	for i, q := range after.Queues {
		if !exceedsSet(before, q.Path, q.Partition, q.Used) || q.Path == "root" {
			continue
		}
		for _, most := range q.Max {
			if used, _ := q.Used.Value(most.Type); used > most.Value {
				t.Fatalf("%s%s uses %d of %d", after.Queues[i].Partition, q.Path, used, most.Value)
			}
		}
	}
}

// exceedsSet reports whether the queue uses more than it did.
func exceedsSet(before core.Dump, path, partition string, used resource.Set) bool {
	for _, q := range before.Queues {
		if q.Path == path && q.Partition == partition {
			was, _ := q.Used.Value("vcore")
			is, _ := used.Value("vcore")
			return is > was
		}
	}
	return true
}

// keepsGuaranteed checks that usage without leaving allocations is not below the queue's guarantee.
func keepsGuaranteed(t *rapid.T, d core.Dump, path string) {
	for _, q := range d.Queues {
		if q.Path != path || q.Partition != "" {
			continue
		}
		used, _ := q.Used.Value("vcore")
		leaving, _ := q.Leaving.Value("vcore")
		if promise, _ := q.Guaranteed.Value("vcore"); used-leaving < promise {
			t.Fatalf("%s keeps %d of its guaranteed %d", path, used-leaving, promise)
		}
	}
}
