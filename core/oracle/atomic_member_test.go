package oracle_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/oracle"
)

// drawManyPlaces draws a gang on so many full nodes that the search for victims proceeds member by member.
func drawManyPlaces(t *rapid.T) scenario {
	s := scenario{}
	add := func(in core.Input) { s.steps = append(s.steps, step{kind: stepInput, input: &in}) }
	add(core.Input{Event: &core.SetConfig{Config: fmt.Sprintf(`
partitions:
- name: default
  queues:
  - {name: a, resources: {guaranteed: {vcore: 20, memory: 9}%s}, properties: {preemption.delay: 10s, preemption.intra-queue: %s}}
  - {name: b, queues: [{name: c, resources: {guaranteed: {vcore: %d}}}, {name: d, properties: {priority.offset: "%d"}}]}
`, pick(t, "max", "", "", ", max: {vcore: 15}"), pick(t, "intra-queue", "disabled", "enabled"), roll(t, "guaranteed", 3), roll(t, "offset", 3)-1)}})
	for i, queue := range []string{"root.a", "root.b.c", "root.b.d", "root.a"} {
		add(core.Input{Event: &core.AddApp{ID: fmt.Sprint("x", i), Queue: queue}})
	}
	for i := range 7 {
		node := fmt.Sprint("n", i)
		add(core.Input{Event: &core.AddNode{ID: node, Capacity: set(3000, int64(2+roll(t, "memory", 2)), -1)}})
		for j := range 1 + roll(t, "allocations", 3) {
			in := core.Input{Event: &core.RestoreAllocation{AddAsk: core.AddAsk{ID: fmt.Sprint("y", i, j), App: fmt.Sprint("x", 1+roll(t, "app", 3))}, PlacedOn: node}}
			in.Ask().Resources = pick(t, "resources", set(1000, -1, -1), set(1000, 1, -1), set(500, -1, -1), set(1500, 1, -1))
			in.Ask().Ask = core.Ask{Priority: int32(roll(t, "priority", 3)), NotPreemptable: chance(t, "opted out", 8), Originator: chance(t, "originator", 8)}
			add(in)
		}
	}
	members := 6
	for i := range members {
		in := core.Input{Event: &core.AddAsk{ID: fmt.Sprint("m", i), App: "x0", Resources: pick(t, "member", set(2000, -1, -1), set(2500, 1, -1), set(2500, -1, -1))}}
		in.Ask().Ask = core.Ask{Priority: 2, Gang: &core.Gang{ID: "g", Min: members}}
		add(in)
	}
	s.steps = append(s.steps, step{kind: stepWait, wait: 11 * time.Second}, step{kind: stepWait, wait: time.Second})
	return s
}

// The oracle takes seconds for each such gang, so there are only a few, with fixed seeds.
func TestVictimsMemberByMemberAreTheOracles(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes some seconds")
	}
	drawn, approximate := rapid.Custom(drawManyPlaces), 0
	for seed := range 5 {
		judge := oracle.New()
		r := &lockstepRun{t: t, scenario: drawn.Example(seed), machines: []dumper{judge, newMachine()}}
		r.check = func(call string, returns []outcome) {
			if slices.ContainsFunc(returns[0].decisions, func(d core.Decision) bool { return d.Approximate }) {
				approximate++
			}
			r.equalsOracle(judge, call, returns)
		}
		r.run()
	}
	if approximate < 2 {
		t.Errorf("%d gangs took victims member by member", approximate)
	}
}
