package oracle_test

import (
	"fmt"
	"strings"
	"time"

	"pgregory.net/rapid"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
)

// waitingWorld draws gangs that wait on full nodes while small asks come and go, so that gangs accumulate.
type waitingWorld struct {
	nodes        int
	placeholders bool // some applications have placeholders
	apps         []string
	gangs        int
}

func drawWaiting(t *rapid.T) scenario {
	w := &waitingWorld{nodes: 1 + roll(t, "nodes", 4), placeholders: chance(t, "placeholders", 4)}
	s := scenario{manual: chance(t, "manual", 8)}
	add := func(e core.Event) { s.steps = append(s.steps, step{kind: stepInput, input: &core.Input{Event: e}}) }
	add(w.drawConfig(t))
	if chance(t, "spare", 2) {
		add(&core.AddNode{ID: "spare", Capacity: set(9000, 9, -1), Unschedulable: true})
	}
	for i, queue := range []string{"root.a", "root.a", "root.q.b", "root.a", "root.q.b", "root.q.c"} {
		w.apps = append(w.apps, fmt.Sprint("a", i+1))
		add(w.drawApp(t, w.apps[i], queue))
	}
	for i := range w.nodes {
		node, cores := fmt.Sprint("n", i+1), 2+roll(t, "cores", 3)
		add(&core.AddNode{ID: node, Capacity: set(int64(cores)*1000, 6, -1)})
		for j := range cores - pick(t, "free", 0, 0, 1) {
			add(&core.RestoreAllocation{PlacedOn: node, AddAsk: core.AddAsk{ID: fmt.Sprintf("r%d-%d", i+1, j+1), App: w.drawApplication(t), Resources: set(1000, -1, -1)}})
		}
	}
	draw := rapid.Custom(func(t *rapid.T) unitSteps { return w.drawSteps(t, s.manual) })
	waits := unitSteps{{kind: stepWait, wait: 2 * time.Second}}
	lists := append([]unitSteps{w.drawGang(t), w.drawGang(t), waits}, rapid.SliceOfN(draw, 20, 60).Draw(t, "steps")...)
	for i, list := range lists {
		for j, c := range list {
			if c.input != nil && c.input.Ask() != nil && c.input.ID() == "" {
				c.input.Ask().ID = fmt.Sprintf("k%d-%d", i+1, j+1)
			}
			s.steps = append(s.steps, c)
		}
	}
	return s
}

func (w *waitingWorld) drawApplication(t *rapid.T) string { return pick(t, "application", w.apps...) }

func (w *waitingWorld) drawApp(t *rapid.T, id, queue string) *core.AddApp {
	app := &core.AddApp{ID: id, Queue: queue, User: pick(t, "user", "u", "u", "v"), Groups: pick(t, "groups", nil, []string{"g"})}
	if w.placeholders && chance(t, "has placeholders", 2) {
		app.Placeholders = &core.Placeholders{Ask: set(int64(1+roll(t, "sum", 3))*1000, -1, -1), Timeout: pick(t, "timeout", time.Minute, 10*time.Second)}
	}
	return app
}

func (w *waitingWorld) drawAmounts(t *rapid.T) resource.Set {
	return pick(t, "resources", set(1000, -1, -1), set(1000, -1, -1), set(1000, 1, -1), set(500, 2, -1), set(2000, -1, -1), set(1000, 3, -1))
}

// drawGang draws the submission of a gang, of which a member may be missing, or more may be there than it needs.
func (w *waitingWorld) drawGang(t *rapid.T) unitSteps {
	w.gangs++
	gang := core.Gang{ID: fmt.Sprint("g", w.gangs), Min: 2 + roll(t, "min", 3)}
	if chance(t, "times out", 8) {
		gang.Timeout, gang.Fallback = pick(t, "timeout", 3*time.Second, 8*time.Second), chance(t, "falls back", 2)
	}
	var list unitSteps
	app, amounts, alike := pick(t, "application", "a1", "a1", "a2", "a3", "a5"), w.drawAmounts(t), chance(t, "alike", 2)
	for range gang.Min + pick(t, "surplus", 0, 0, 0, 0, 0, 1, 2, -1) {
		if !alike {
			amounts = w.drawAmounts(t)
		}
		k := core.Ask{Gang: &gang, Priority: pick(t, "priority", int32(0), 0, 0, 1, -1)}
		if w.placeholders {
			k.Placeholder, k.TaskGroup = chance(t, "placeholder", 4), pick(t, "task group", "t", "u", "")
		}
		if chance(t, "requires a node", 16) {
			k.Node = drawID(t, "n", w.nodes)
		}
		list = append(list, step{kind: stepInput, input: &core.Input{Event: &core.AddAsk{App: app, Resources: amounts, Ask: k}}})
	}
	return list
}

func (w *waitingWorld) drawSingle(t *rapid.T) core.Ask {
	k := core.Ask{Priority: pick(t, "priority", int32(0), 0, 0, 0, 1, -1), NoPreemptOthers: chance(t, "peaceful", 3)}
	if w.placeholders {
		k.Placeholder, k.TaskGroup = chance(t, "placeholder", 3), pick(t, "task group", "t", "u", "")
	}
	if chance(t, "requires a node", 12) {
		k.Node = drawID(t, "n", w.nodes)
	}
	return k
}

func (w *waitingWorld) drawConfig(t *rapid.T) *core.SetConfig {
	bound := func(label string) string {
		return pick(t, label, "", "", ", resources: {max: {vcore: 4}}", ", resources: {max: {vcore: 6, memory: 9}, guaranteed: {vcore: 2}}", ", maxapplications: 2",
			", limits: [{users: [u], maxresources: {vcore: 3}}]", ", limits: [{groups: [g], maxresources: {vcore: 4, memory: 6}}]")
	}
	text := fmt.Sprintf(`
partitions:
- name: default
  preemption: %s
  nodesortpolicy: {type: %s}
  queues:
  - name: root
    properties: {gang.accumulate-after: %s, gang.accumulate-for: %s, reservation.delay: %s, preemption.delay: %s, preemption.patience: 2s}
    queues:
    - {name: a%s, properties: {application.sort.policy: %s, application.sort.priority: %s}}
    - name: q
      queues:
      - {name: b%s, properties: {application.sort.policy: fifo, priority.offset: "%s"}}
      - {name: c%s, properties: {preemption.intra-queue: enabled, application.sort.policy: fifo}}
`, pick(t, "switches", "{enabled: true}", "{enabled: false}", "{observe: true}"), pick(t, "nodes", "fair", "binpacking"),
		pick(t, "after", "1s", "1s", "2s", "500ms", "1s", "500ms", "2s", "0s"), pick(t, "for", "5s", "10s", "3s", "1h", "0s"), pick(t, "reserved", "1s", "2s", "0s"),
		pick(t, "delay", "1s", "5s", "1h"), bound("a"), pick(t, "order of a", "fifo", "fifo", "stateaware"), pick(t, "priorities", "enabled", "enabled", "disabled"),
		bound("b"), pick(t, "offset", "0", "0", "1"), bound("c"))
	return &core.SetConfig{Config: strings.TrimPrefix(text, "\n")}
}

func (w *waitingWorld) drawSteps(t *rapid.T, manual bool) unitSteps {
	aimed := func(e core.Event) unitSteps {
		return unitSteps{{kind: stepInput, input: &core.Input{Event: e}, aimed: true, target: rapid.IntRange(0, 60).Draw(t, "target")}}
	}
	if manual && chance(t, "cycle", 3) {
		return unitSteps{{kind: stepCycle, limit: pick(t, "limit", 1, 0, 2, -1)}}
	}
	switch roll(t, "step", 24) {
	case 0, 1, 2, 3:
		return unitSteps{{kind: stepWait, wait: pick(t, "wait", time.Second, time.Second, 500*time.Millisecond, 3*time.Second)}}
	case 4:
		return unitSteps{{kind: stepDeadline}}
	case 5, 6, 7, 8, 9:
		return aimed(&core.ReleaseAllocation{ID: "-", Failed: chance(t, "fails", 4)})
	case 11, 18:
		return w.drawGang(t)
	case 12:
		return aimed(plain(pick(t, "change", core.NodeDrain, core.NodeResume, core.NodeResume, core.NodeRemove), "-"))
	case 13:
		return unitSteps{{kind: stepInput, input: &core.Input{Event: &core.AddNode{ID: drawID(t, "n", w.nodes), Capacity: set(3000, 6, -1)}}}}
	case 14:
		return unitSteps{{kind: stepInput, input: &core.Input{Event: w.drawConfig(t)}}}
	case 15:
		return aimed(&core.UpdateAsk{ID: "-", Priority: new(pick(t, "priority", int32(0), 1, -1))})
	case 16:
		return aimed(pick[core.Event](t, "removal", plain(core.AskRemove, "-"), plain(core.AskRemove, "-"), &core.MoveApp{ID: "-", Queue: "-"}, plain(core.AppRemove, "-")))
	case 17:
		return aimed(&core.UpdateNode{ID: "-", Capacity: pick(t, "capacity", set(2000, 6, -1), set(4000, 6, -1), set(3000, 2, -1))})
	}
	var list unitSteps
	for range 1 + roll(t, "singles", 3) {
		list = append(list, step{kind: stepInput, input: &core.Input{Event: &core.AddAsk{App: w.drawApplication(t), Resources: w.drawAmounts(t), Ask: w.drawSingle(t)}}})
	}
	return list
}

func waitingScenarios() *rapid.Generator[scenario] { return rapid.Custom(drawWaiting) }
