package oracle_test

import (
	"fmt"
	"time"

	"github.com/quern-project/quern/core"
	"pgregory.net/rapid"
)

// crowdedScenario is a scenario on full nodes, more than the oracle can handle, with many asks. Asks have distinct IDs, so that their
// inputs can be looked up afterwards.
type crowdedScenario struct {
	scenario
	said map[string]core.Ask
}

func drawCrowdedScenario(t *rapid.T) crowdedScenario {
	w := &world{focus: choices}
	w.appSorts = []string{"fifo", "fair", "stateaware"}
	shape := drawShape(t, "root", 1+roll(t, "depth", 3), 2)
	w.addPaths(shape, "")
	w.configs = []string{w.drawConfig(t, shape, true), w.drawConfig(t, shape, true)}
	c := crowdedScenario{said: map[string]core.Ask{}}
	add := func(in *core.Input) {
		if in.Type() == core.AskAdd || in.Type() == core.AllocationRestore {
			c.said[in.ID()] = in.Ask().Ask
		}
		c.steps = append(c.steps, step{kind: stepInput, input: in})
	}
	add(&core.Input{Event: &core.SetConfig{Config: w.configs[0]}})
	add(&core.Input{Event: &core.AddNode{ID: "spare", Capacity: set(64000, 64, 32), Unschedulable: true}})
	apps, nodes := 4+roll(t, "applications", 12), 3+roll(t, "nodes", 12)
	for i := range apps {
		add(&core.Input{Event: &core.AddApp{ID: fmt.Sprintf("a%d", i+1), Queue: pick(t, "queue", w.leaves...)}})
	}
	for i := range nodes {
		w.drawFullNode(t, fmt.Sprintf("n%d", i+1), apps, add)
	}
	steps := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) crowdedStep { return w.drawCrowdedStep(t, apps, nodes) }), 30, 90)
	for i, s := range steps.Draw(t, "steps") {
		if s.input != nil && s.input.Type() == core.AskAdd {
			s.input.Ask().ID = fmt.Sprintf("ask%d", i+1)
			add(s.input)
			continue
		}
		c.steps = append(c.steps, step(s))
	}
	return c
}

// crowdStep is shown short in logs.
type crowdedStep step

// GoString keeps the log of a failure short.
func (s crowdedStep) GoString() string { return "a step" }

func (w *world) drawCrowdedStep(t *rapid.T, apps, nodes int) crowdedStep {
	aimed := func(in *core.Input) crowdedStep {
		return crowdedStep{kind: stepInput, input: in, aimed: true, target: rapid.IntRange(0, 200).Draw(t, "target")}
	}
	switch roll(t, "step", 13) {
	case 4, 5:
		return crowdedStep{kind: stepWait, wait: pick(t, "wait", 2*time.Second, time.Second, 5*time.Second)}
	case 6, 7, 8:
		return aimed(&core.Input{Event: &core.ReleaseAllocation{}})
	case 9:
		return aimed(&core.Input{Event: &core.RemoveAsk{}})
	case 10:
		if chance(t, "leaving", 3) {
			return aimed(&core.Input{Event: &core.UpdateAsk{Leaving: true}})
		}
		if rapid.Bool().Draw(t, "protection") {
			return aimed(&core.Input{Event: &core.UpdateAsk{Preemptable: new(!rapid.Bool().Draw(t, "not preemptable"))}})
		}
		return aimed(&core.Input{Event: &core.UpdateAsk{Priority: new(pick(t, "priority", w.priorities...))}})
	case 11:
		return crowdedStep{kind: stepInput, input: &core.Input{Event: &core.SetConfig{Config: pick(t, "configuration", w.configs...)}}}
	case 12:
		return aimed(&core.Input{Event: plain(pick(t, "node", core.NodeResume, core.NodeDrain), "")})
	}
	task := w.drawTask(t, drawID(t, "n", nodes))
	task.Priority += pick(t, "urgency", int32(1), 2, 0)
	return crowdedStep{kind: stepInput, input: &core.Input{Event: &core.AddAsk{App: fmt.Sprintf("a%d", apps-roll(t, "asking", apps)),
		Resources: pick(t, "resources", w.requests...), Ask: task}}}
}
