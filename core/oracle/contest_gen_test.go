package oracle_test

import (
	"fmt"
	"strings"
	"time"

	"pgregory.net/rapid"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
)

// drawContest draws a scenario of one leaf whose applications compete to start, on nodes that others fill. Which application may start
// changes by asks, priorities, restored allocations and reloads, while victims are leaving and nodes are reserved or held.
func drawContest(t *rapid.T) scenario {
	s := scenario{manual: chance(t, "manual", 8)}
	add := func(in *core.Input) { s.steps = append(s.steps, step{kind: stepInput, input: in}) }
	add(contestConfig(t))
	nodes, apps := 1+roll(t, "nodes", 3), 2+roll(t, "applications", 3)
	required := pick(t, "required once in", 5, 2, 50) // asks have a required node that often
	add(&core.Input{Event: &core.AddApp{ID: "fill", Queue: "root.q", Tags: map[string]string{"application.stateaware.disable": "true"}}})
	for i := range apps {
		in := &core.Input{Event: &core.AddApp{ID: fmt.Sprintf("a%d", i+1), Queue: "root.p"}}
		if chance(t, "straight", 6) {
			in.Event.(*core.AddApp).Tags = map[string]string{"application.stateaware.disable": "true"}
		}
		add(in)
	}
	for i := range nodes {
		id, cores := fmt.Sprintf("n%d", i+1), 1+roll(t, "cores", 3)
		add(&core.Input{Event: &core.AddNode{ID: id, Capacity: set(int64(cores)*1000, 8, -1)}})
		for j := range cores - roll(t, "free", 2) {
			add(&core.Input{Event: &core.RestoreAllocation{AddAsk: core.AddAsk{ID: fmt.Sprintf("%s-%d", id, j+1), App: "fill", Resources: set(1000, -1, -1)}, PlacedOn: id}})
		}
	}
	if chance(t, "spare", 2) {
		add(&core.Input{Event: &core.AddNode{ID: "spare", Capacity: set(16000, 16, -1), Unschedulable: true}})
	}
	draw := rapid.Custom(func(t *rapid.T) contestStep { return drawContestStep(t, apps, nodes, required) })
	for i, c := range rapid.SliceOfN(draw, 30, 80).Draw(t, "steps") {
		if c.input != nil && c.input.Ask() != nil && c.input.ID() == "" {
			c.input.Ask().ID = fmt.Sprintf("k%d", i+1)
		}
		s.steps = append(s.steps, step(c))
	}
	return s
}

// contestStep is shown short in logs.
type contestStep step

// GoString keeps the log of a failure short.
func (s contestStep) GoString() string { return "a step" }

func contestConfig(t *rapid.T) *core.Input {
	order := pick(t, "order", "stateaware", "fifo", "stateaware", "fair")
	extra := ""
	if chance(t, "no priorities", 5) {
		extra = ", application.sort.priority: disabled"
	}
	if chance(t, "intra-queue", 5) {
		extra += ", preemption.intra-queue: enabled"
	}
	text := fmt.Sprintf(`
partitions:
- name: default
  queues:
  - name: root
    properties: {reservation.delay: %s}
    queues:
    - name: p
      maxapplications: %d
      resources: {guaranteed: {vcore: %d}%s}
      properties: {application.sort.policy: %s, preemption.delay: 1s%s}
    - name: q
      properties: {priority.offset: "%s"}
`, pick(t, "delay", "1s", "2s", "0s"), pick(t, "bound", 0, 1, 2), pick(t, "promise", 9, 2, 1),
		pick(t, "max", "", "", ", max: {memory: 1}", ", max: {vcore: 9, memory: 2}", ", max: {memory: 3}"), order, extra, pick(t, "offset", "0", "-3", "3", "1", "-1"))
	return &core.Input{Event: &core.SetConfig{Config: strings.TrimPrefix(text, "\n")}}
}

func drawContestStep(t *rapid.T, apps, nodes, required int) contestStep {
	aimed := func(e core.Event) contestStep {
		return contestStep{kind: stepInput, input: &core.Input{Event: e}, aimed: true, target: rapid.IntRange(0, 60).Draw(t, "target")}
	}
	priority := pick(t, "priority", int32(0), 0, 1, 5, -1)
	switch roll(t, "step", 18) {
	case 5, 6, 7:
		return contestStep{kind: stepWait, wait: pick(t, "wait", time.Second, 2*time.Second, time.Second, 30*time.Second)}
	case 8, 9:
		return aimed(plain(core.AllocationRelease, "-"))
	case 10:
		return aimed(plain(core.AskRemove, "-"))
	case 11:
		return aimed(&core.UpdateAsk{ID: "-", Priority: &priority})
	case 12, 16:
		return contestStep{kind: stepInput, input: &core.Input{Event: &core.RestoreAllocation{AddAsk: core.AddAsk{App: drawID(t, "a", apps), Resources: pick(t, "resources", set(500, -1, -1), set(-1, 1, -1))},
			PlacedOn: drawID(t, "n", nodes)}}}
	case 13, 17:
		return contestStep{kind: stepInput, input: contestConfig(t)}
	case 14:
		return aimed(plain(pick(t, "change", core.NodeDrain, core.NodeResume, core.NodeResume, core.AppRemove), "-"))
	}
	return contestStep{kind: stepInput, input: &core.Input{Event: &core.AddAsk{App: drawContestant(t, apps), Ask: drawContestAsk(t, priority, nodes, required),
		Resources: pick(t, "resources", []resource.Set{set(1000, -1, -1), set(2000, -1, -1), set(500, 1, -1), set(1500, 1, -1), set(9000, -1, -1)}...)}}}
}

// drawContestant is an application of the leaf or, now and then, the one that fills the nodes.
func drawContestant(t *rapid.T, apps int) string {
	if chance(t, "fill", 3) {
		return "fill"
	}
	return drawID(t, "a", apps)
}

func drawContestAsk(t *rapid.T, priority int32, nodes, required int) core.Ask {
	a := core.Ask{Priority: priority}
	if chance(t, "required", required) {
		a.Node = drawID(t, "n", nodes)
	}
	a.NoPreemptOthers = chance(t, "no preemption", 6)
	return a
}
