package oracle_test

import (
	"fmt"
	"strings"
	"time"

	"pgregory.net/rapid"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
)

// unitGangs are the gangs of unit scenarios. All members of an ID agree, unless the scenario says otherwise.
var unitGangs = []core.Gang{
	{ID: "g", Min: 2}, {ID: "h", Min: 3, Disruption: core.DisruptWhole}, {ID: "i", Min: 2, Disruption: core.DisruptMember},
	{ID: "j", Min: 3, Repair: core.Repair{Bounded: true, Within: 3 * time.Second}}, {ID: "k", Min: 1},
	{ID: "l", Min: 2, Timeout: 2 * time.Second, Fallback: true}, {ID: "m", Min: 2, Repair: core.Repair{Bounded: true}},
	{ID: "n", Min: 3}, {ID: "o", Min: 2, Timeout: 3 * time.Second, Disruption: core.DisruptWhole, Repair: core.Repair{Bounded: true, Within: time.Second}},
}

// elasticGangs are those of scenarios with elastic gangs.
var elasticGangs = []core.Gang{
	{ID: "g", Min: 1, Max: 3}, {ID: "h", Min: 2, Max: 5}, {ID: "i", Min: 1, Max: 9, Repair: core.Repair{Bounded: true, Within: 2 * time.Second}},
	{ID: "j", Min: 2, Max: 4, Disruption: core.DisruptWhole}, {ID: "k", Min: 1, Max: 4, Disruption: core.DisruptMember},
	{ID: "l", Min: 2, Max: 3, Timeout: 2 * time.Second, Fallback: true}, {ID: "m", Min: 3, Max: 6}, {ID: "n", Min: 2}, {ID: "o", Min: 2, Max: 2},
}

// unitWorld draws gangs that run on several nodes while others preempt, fail, and exceed their max.
type unitWorld struct {
	nodes        int
	placeholders bool // some applications have placeholders
	elastic      bool // most gangs are elastic
	gangs        []core.Gang
	apps         []string
	running      []runningUnit
}

// runningUnit is a gang that runs when a scenario begins.
type runningUnit struct {
	app  string
	gang core.Gang
}

func drawUnits(t *rapid.T, placeholders bool) scenario {
	return (&unitWorld{placeholders: placeholders, gangs: unitGangs}).draw(t)
}

func (w *unitWorld) draw(t *rapid.T) scenario {
	w.nodes = 2 + roll(t, "nodes", 4)
	s := scenario{manual: chance(t, "manual", 8)}
	add := func(e core.Event) { s.steps = append(s.steps, step{kind: stepInput, input: &core.Input{Event: e}}) }
	add(w.drawConfig(t))
	for i := range w.nodes {
		add(&core.AddNode{ID: fmt.Sprint("n", i+1), Capacity: set(int64(2+roll(t, "cores", 3))*1000, 6, -1)})
	}
	if chance(t, "spare", 3) {
		add(&core.AddNode{ID: "spare", Capacity: set(9000, 9, -1), Unschedulable: true})
	}
	for i, queue := range []string{"root.a", "root.a", "root.q.b", "root.q.b", "root.q.c", "root.q.c"} {
		w.apps = append(w.apps, fmt.Sprint("a", i+1))
		add(w.drawApp(t, fmt.Sprint("a", i+1), queue))
	}
	for i := range 1 + roll(t, "gangs", 5) {
		app, gang := drawID(t, "a", len(w.apps)), pick(t, "gang", w.gangs...)
		w.running = append(w.running, runningUnit{app, gang})
		for j := range gang.Min + roll(t, "surplus", 3) {
			add(w.drawRunning(t, fmt.Sprintf("r%d-%d", i+1, j+1), app, &gang))
		}
	}
	for i := range roll(t, "singles", 4) {
		add(w.drawRunning(t, fmt.Sprint("s", i+1), drawID(t, "a", len(w.apps)), nil))
	}
	s.steps = append(s.steps, step{kind: stepWait, wait: time.Second})
	draw := rapid.Custom(func(t *rapid.T) unitSteps { return w.drawSteps(t, s.manual) })
	for i, list := range rapid.SliceOfN(draw, 10, 50).Draw(t, "steps") {
		for j, c := range list {
			if c.input != nil && c.input.Ask() != nil && c.input.ID() == "" {
				c.input.Ask().ID = fmt.Sprintf("k%d-%d", i+1, j+1)
			}
			s.steps = append(s.steps, c)
		}
	}
	return s
}

// unitSteps are shown short in logs.
type unitSteps []step

// GoString keeps the log of a failure short.
func (s unitSteps) GoString() string { return "steps" }

func (w *unitWorld) drawApp(t *rapid.T, id, queue string) *core.AddApp {
	app := &core.AddApp{ID: id, Queue: queue}
	if chance(t, "straight", 2) {
		app.Tags = map[string]string{"application.stateaware.disable": "true"}
	}
	if w.placeholders && chance(t, "placeholders", 2) {
		app.Placeholders = &core.Placeholders{Ask: set(int64(1+roll(t, "sum", 4))*1000, -1, -1), Hard: chance(t, "hard", 4),
			Timeout: pick(t, "timeout", time.Minute, 10*time.Second, 5*time.Second)}
		app.Placeholders.Unit = chance(t, "unit", 2)
	}
	if chance(t, "succeeded", 6) {
		app.Succeeded = pick(t, "members", map[string]int{"n": 1}, map[string]int{"g": 1, "j": 1}, map[string]int{"h": 3})
	}
	return app
}

func (w *unitWorld) drawRunning(t *rapid.T, id, app string, gang *core.Gang) *core.RestoreAllocation {
	return &core.RestoreAllocation{PlacedOn: drawID(t, "n", w.nodes), AddAsk: core.AddAsk{ID: id, App: app, Resources: w.drawAmounts(t), Ask: w.drawMember(t, gang)}}
}

func (w *unitWorld) drawAmounts(t *rapid.T) resource.Set {
	return pick(t, "resources", set(1000, -1, -1), set(1000, -1, -1), set(1000, 1, -1), set(500, 2, -1), set(2000, -1, -1), set(-1, 1, -1))
}

func (w *unitWorld) drawMember(t *rapid.T, gang *core.Gang) core.Ask {
	k := core.Ask{Priority: pick(t, "priority", int32(0), 0, 0, 1, 5, -1), Gang: gang}
	if gang != nil && chance(t, "disagrees", 30) {
		k.Gang = &core.Gang{ID: gang.ID, Min: gang.Min, Max: gang.Max, Disruption: core.DisruptMember}
	}
	if w.placeholders {
		k.Placeholder, k.TaskGroup = chance(t, "placeholder", 3), pick(t, "task group", "t", "t", "u", "")
	}
	switch roll(t, "option", 14) {
	case 10:
		k.NotPreemptable = true
	case 11:
		k.Originator = true
	case 12:
		k.Node = drawID(t, "n", w.nodes)
	case 13:
		k.NoPreemptOthers = true
	}
	return k
}

func (w *unitWorld) drawConfig(t *rapid.T) *core.SetConfig {
	gangs := func(label string) string {
		return pick(t, label, "", "", "", ", preemption.gangs: member", ", preemption.gangs: unit", w.drawSurplus(t))
	}
	text := fmt.Sprintf(`
partitions:
- name: default
  preemption: %s
  nodesortpolicy: {type: %s}
  queues:
  - name: root
    properties: {preemption.delay: 1s, preemption.patience: %s%s}
    queues:
    - {name: a, resources: {guaranteed: {vcore: %d}}, properties: {priority.offset: "%s", application.sort.policy: %s}}
    - name: q
      resources: {guaranteed: {vcore: 3}%s}
      properties: {quota.preemption.delay: %s%s}
      queues:
      - {name: b, resources: {guaranteed: {vcore: %d}}, properties: {application.sort.policy: %s, application.sort.priority: %s%s}}
      - {name: c, properties: {preemption.intra-queue: enabled, application.sort.policy: fifo%s}}
`, pick(t, "switches", "{quotapreemptionenabled: true}", "{quotapreemptionenabled: true}", "{quotapreemptionenabled: true, observe: true}", "{enabled: false}"),
		pick(t, "nodes", "fair", "binpacking"), pick(t, "patience", "30s", "1s", "5s"), gangs("gangs of root"),
		pick(t, "promise", 9, 4, 2), pick(t, "offset", "0", "0", "2", "-2"), pick(t, "order", "fifo", "fifo", "stateaware"),
		pick(t, "max", "", "", ", max: {vcore: 6}", ", max: {vcore: 4}", ", max: {vcore: 3, memory: 3}"), pick(t, "quota", "1s", "2s", "0s"), gangs("gangs of q"),
		pick(t, "promise of b", 0, 1, 2, 3), pick(t, "order of b", "fifo", "fifo", "stateaware"), pick(t, "priorities", "enabled", "enabled", "disabled"),
		gangs("gangs of b"), gangs("gangs of c"))
	return &core.SetConfig{Config: strings.TrimPrefix(text, "\n")}
}

// drawSurplus draws what a queue says of the surplus of elastic gangs.
func (w *unitWorld) drawSurplus(t *rapid.T) string {
	if w.elastic {
		return pick(t, "surplus", ", preemption.surplus: disabled", ", preemption.surplus: enabled", ", preemption.policy: fence", ", preemption.policy: disabled")
	}
	return ""
}

func (w *unitWorld) drawSteps(t *rapid.T, manual bool) unitSteps {
	aimed := func(e core.Event) unitSteps {
		return unitSteps{{kind: stepInput, input: &core.Input{Event: e}, aimed: true, target: rapid.IntRange(0, 60).Draw(t, "target")}}
	}
	sent := func(e core.Event) step { return step{kind: stepInput, input: &core.Input{Event: e}} }
	if manual && chance(t, "cycle", 3) {
		return unitSteps{{kind: stepCycle, limit: pick(t, "limit", 1, 0, 2, -1)}}
	}
	switch roll(t, "step", 20) {
	case 0, 1, 2, 3:
		return unitSteps{{kind: stepWait, wait: pick(t, "wait", time.Second, 2*time.Second, 500*time.Millisecond, 5*time.Second)}}
	case 4:
		return unitSteps{{kind: stepDeadline}}
	case 5, 6, 7, 8:
		return aimed(&core.ReleaseAllocation{ID: "-", Failed: !chance(t, "succeeds", 3)})
	case 9, 10:
		var list unitSteps
		app, gang := pick(t, "application", w.apps...), pick(t, "gang", w.gangs...)
		if !chance(t, "another", 3) {
			running := pick(t, "running", w.running...)
			app, gang = running.app, running.gang
		}
		for range 1 + roll(t, "members", 4) {
			list = append(list, sent(&core.AddAsk{App: app, Resources: w.drawAmounts(t), Ask: w.drawMember(t, &gang)}))
		}
		return list
	case 11:
		return unitSteps{sent(w.drawRunning(t, "", pick(t, "application", w.apps...), pick(t, "gang", nil, &w.gangs[0], &w.gangs[7])))}
	case 12:
		return unitSteps{sent(w.drawConfig(t))}
	case 13:
		return aimed(plain(pick(t, "change", core.NodeDrain, core.NodeResume, core.NodeRemove, core.NodeResume, core.TickInput), "-"))
	case 14:
		return unitSteps{sent(&core.AddNode{ID: drawID(t, "n", w.nodes), Capacity: set(3000, 6, -1)})}
	case 15:
		return aimed(w.drawChange(t))
	case 16:
		return aimed(pick[core.Event](t, "removal", plain(core.AskRemove, "-"), plain(core.AskRemove, "-"), plain(core.AppRemove, "-"), &core.MoveApp{ID: "-", Queue: "-"}))
	}
	return unitSteps{sent(&core.AddAsk{App: pick(t, "application", w.apps...), Resources: w.drawAmounts(t), Ask: w.drawMember(t, nil)})}
}

func (w *unitWorld) drawChange(t *rapid.T) *core.UpdateAsk {
	update := &core.UpdateAsk{ID: "-"}
	switch roll(t, "update", 4) {
	case 0:
		update.Leaving = true
	case 1:
		update.Preemptable = new(rapid.Bool().Draw(t, "preemptable"))
	default:
		update.Priority = new(pick(t, "priority", int32(0), 1, 5, -1))
	}
	return update
}

func unitScenarios() *rapid.Generator[scenario] {
	return rapid.Custom(func(t *rapid.T) scenario { return drawUnits(t, chance(t, "placeholders", 3)) })
}

// elasticScenarios are scenarios with elastic gangs, which grow beyond their min and give way to others.
func elasticScenarios() *rapid.Generator[scenario] {
	return rapid.Custom(func(t *rapid.T) scenario {
		return (&unitWorld{placeholders: chance(t, "placeholders", 4), elastic: true, gangs: elasticGangs}).draw(t)
	})
}
