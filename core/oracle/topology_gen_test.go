package oracle_test

import (
	"fmt"
	"strings"
	"time"

	"pgregory.net/rapid"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
)

// placedWorld draws gangs and asks that name levels, on few racks whose nodes fill, empty, and change places.
type placedWorld struct {
	nodes  int
	slices bool // most gangs are placed in slices
	sets   bool // most gangs start with others
	apps   []string
	gangs  []placedGang
}

// placedGang is a gang of an application, whose members agree unless the scenario says otherwise.
type placedGang struct {
	app      string
	gang     core.Gang
	topology core.Topology
}

func drawPlaced(t *rapid.T) scenario { return (&placedWorld{}).draw(t) }

func (w *placedWorld) draw(t *rapid.T) scenario {
	w.nodes = 3 + roll(t, "nodes", 6)
	if w.slices {
		w.nodes = min(w.nodes, 6)
	}
	s := scenario{manual: chance(t, "manual", 8)}
	add := func(e core.Event) { s.steps = append(s.steps, step{kind: stepInput, input: &core.Input{Event: e}}) }
	add(w.drawConfig(t))
	for i, queue := range []string{"root.a", "root.a", "root.b", "root.b", "root.c"} {
		w.apps = append(w.apps, fmt.Sprint("a", i+1))
		add(&core.AddApp{ID: w.apps[i], Queue: queue, User: pick(t, "user", "u", "v")})
	}
	for i := range w.nodes {
		node, cores := fmt.Sprint("n", i+1), 1+roll(t, "cores", 3)
		add(&core.AddNode{ID: node, Capacity: set(int64(cores)*1000, 6, -1), Attributes: w.drawPlace(t)})
		if chance(t, "full", 2) {
			for j := range cores {
				add(&core.RestoreAllocation{PlacedOn: node, AddAsk: core.AddAsk{ID: fmt.Sprintf("r%d-%d", i+1, j+1), App: pick(t, "application", w.apps...),
					Resources: set(1000, -1, -1), Ask: core.Ask{Priority: pick(t, "priority", int32(0), 0, 1)}}})
			}
		}
	}
	draw := rapid.Custom(func(t *rapid.T) unitSteps { return w.drawSteps(t, s.manual) })
	for i, list := range rapid.SliceOfN(draw, 15, 50).Draw(t, "steps") {
		for j, c := range list {
			if c.input != nil && c.input.Ask() != nil && c.input.ID() == "" {
				c.input.Ask().ID = fmt.Sprintf("k%d-%d", i+1, j+1)
			}
			s.steps = append(s.steps, c)
		}
	}
	return s
}

func (w *placedWorld) drawPlace(t *rapid.T) map[string]string {
	attributes := attributesOf(pick(t, "place", "b1/r1", "b1/r1", "b1/r2", "b1/r2", "b2/r1", "b2/r3", "b1/", "/r1", "/"))
	if zone := pick(t, "zone", "z1", "z1", "z2", ""); zone != "" { // racks and blocks are in several
		attributes["zone"] = zone
	}
	return attributes
}

func (w *placedWorld) drawAmounts(t *rapid.T) resource.Set {
	return pick(t, "resources", set(1000, -1, -1), set(1000, -1, -1), set(1000, 1, -1), set(500, 2, -1), set(2000, -1, -1))
}

func (w *placedWorld) drawTopology(t *rapid.T) core.Topology {
	level := pick(t, "level", "rack", "rack", "block", "node", "rack", "row", "attribute:zone", "attribute:zone", "attribute:rack", "attribute:none")
	if chance(t, "preferred", 3) {
		return core.Topology{Preferred: level}
	}
	return core.Topology{Required: level}
}

// drawGang draws the submission of a gang.
func (w *placedWorld) drawGang(t *rapid.T) unitSteps {
	g := placedGang{app: pick(t, "application", w.apps...), gang: core.Gang{ID: fmt.Sprint("g", len(w.gangs)+1), Min: 1 + roll(t, "min", 5)}, topology: w.drawTopology(t)}
	if chance(t, "times out", 8) {
		g.gang.Timeout, g.gang.Fallback = 3*time.Second, chance(t, "falls back", 2)
	}
	if w.slices {
		w.drawSlices(t, &g)
	}
	if w.sets && !chance(t, "by itself", 4) {
		g.app = pick(t, "application", w.apps[0], w.apps[2])
		g.gang.Set, g.gang.SetMin, g.gang.Min = pick(t, "set", "s", "s", "t"), 2, 1+roll(t, "min", 3)
		if chance(t, "another min", 8) {
			g.gang.SetMin = 1 + roll(t, "min of the set", 3)
		}
	}
	w.gangs = append(w.gangs, g)
	return w.drawMembers(t, g, g.gang.Min+pick(t, "surplus", 0, 0, 0, 1, 2, -1))
}

// drawSlices makes most gangs land in slices, with a min that these usually divide.
func (w *placedWorld) drawSlices(t *rapid.T, g *placedGang) {
	if chance(t, "in one", 6) {
		return
	}
	g.topology.Slice = core.Slice{Level: pick(t, "level of slices", "rack", "node", "rack", "node", "block", "row", "attribute:zone"), Size: 1 + roll(t, "size", 3)}
	switch g.topology.Required + g.topology.Preferred {
	case "rack", "node", "row", "attribute:zone", "attribute:rack", "attribute:none":
		if !chance(t, "not below", 8) {
			g.topology = core.Topology{Slice: g.topology.Slice}
			if chance(t, "inside a block", 2) {
				g.topology.Required = "block"
			} else if chance(t, "preferably inside a block", 2) {
				g.topology.Preferred = "block"
			}
		}
	}
	if !chance(t, "not divided", 10) {
		g.gang.Min = g.topology.Slice.Size * (1 + roll(t, "slices", 2))
		if g.gang.Min > 4 && w.nodes > 4 { // the oracle tries all nodes for all members
			g.gang.Min = g.topology.Slice.Size
		}
	}
	if chance(t, "is ended soon", 4) {
		g.gang.Repair = core.Repair{Bounded: true, Within: pick(t, "within", 0, time.Second)}
	}
}

func (w *placedWorld) drawMembers(t *rapid.T, g placedGang, count int) unitSteps {
	var list unitSteps
	amounts, alike := w.drawAmounts(t), chance(t, "alike", 2)
	for range count {
		if !alike {
			amounts = w.drawAmounts(t)
		}
		k := core.Ask{Gang: &g.gang, Topology: g.topology, Priority: pick(t, "priority", int32(0), 0, 0, 1)}
		switch roll(t, "option", 24) {
		case 21:
			k.Topology = w.drawTopology(t)
			k.Topology.Slice = g.topology.Slice
		case 22:
			k.Node = drawID(t, "n", w.nodes)
		case 23:
			k.Constraints = map[string][]string{"rack": {"r1", "r2"}}
		}
		list = append(list, w.asked(g.app, amounts, k))
	}
	return list
}

func (w *placedWorld) asked(app string, amounts resource.Set, k core.Ask) step {
	return step{kind: stepInput, input: &core.Input{Event: &core.AddAsk{App: app, Resources: amounts, Ask: k}}}
}

// topologies are those of configurations.
var topologies = []string{
	"[{level: block, attribute: block}, {level: rack, attribute: rack}]",
	"[{level: block, attribute: block}, {level: rack, attribute: rack}]",
	"[{level: rack, attribute: rack}]",
	"[{level: rack, attribute: block}, {level: block, attribute: rack}]",
	"[]",
}

func (w *placedWorld) drawConfig(t *rapid.T) *core.SetConfig {
	text := fmt.Sprintf(`
partitions:
- name: default
  topology: %s
  preemption: %s
  nodesortpolicy: {type: %s}
  queues:
  - name: root
    properties: {gang.accumulate-after: %s, reservation.delay: %s, preemption.delay: %s, preemption.patience: 2s}
    queues:
    - {name: a, resources: {guaranteed: {vcore: %d}}, properties: {application.sort.policy: fifo}}
    - {name: b%s}
    - {name: c, properties: {preemption.intra-queue: enabled}}
`, pick(t, "topology", topologies...),
		pick(t, "switches", "{enabled: true}", "{enabled: true}", "{enabled: false}", "{observe: true}"), pick(t, "nodes", "fair", "binpacking"),
		pick(t, "after", "0s", "0s", "1s", "2s"), pick(t, "reserved", "1s", "2s", "0s"), pick(t, "delay", "1s", "1s", "3s"), pick(t, "promise", 9, 4, 2),
		pick(t, "max", "", "", ", resources: {max: {vcore: 4}}", ", limits: [{users: [u], maxresources: {vcore: 3}}]"))
	return &core.SetConfig{Config: strings.TrimPrefix(text, "\n")}
}

func (w *placedWorld) drawSteps(t *rapid.T, manual bool) unitSteps {
	aimed := func(e core.Event) unitSteps {
		return unitSteps{{kind: stepInput, input: &core.Input{Event: e}, aimed: true, target: rapid.IntRange(0, 60).Draw(t, "target")}}
	}
	sent := func(e core.Event) unitSteps { return unitSteps{{kind: stepInput, input: &core.Input{Event: e}}} }
	if manual && chance(t, "cycle", 3) {
		return unitSteps{{kind: stepCycle, limit: pick(t, "limit", 1, 0, 2, -1)}}
	}
	switch roll(t, "step", 22) {
	case 0, 1, 2:
		return unitSteps{{kind: stepWait, wait: pick(t, "wait", time.Second, time.Second, 2*time.Second, 500*time.Millisecond)}}
	case 3:
		return unitSteps{{kind: stepDeadline}}
	case 4, 5, 6, 7:
		return aimed(&core.ReleaseAllocation{ID: "-", Failed: chance(t, "fails", 2)})
	case 8, 9, 10:
		return w.drawGang(t)
	case 11:
		if len(w.gangs) > 0 {
			return w.drawMembers(t, pick(t, "gang", w.gangs...), 1+roll(t, "members", 2))
		}
	case 12:
		if len(w.gangs) > 0 {
			g := pick(t, "gang", w.gangs...)
			restored := &core.RestoreAllocation{PlacedOn: drawID(t, "n", w.nodes), AddAsk: core.AddAsk{App: g.app, Resources: w.drawAmounts(t)}}
			restored.Ask = core.Ask{Gang: &g.gang, Topology: g.topology}
			return sent(restored)
		}
	case 13:
		return aimed(plain(pick(t, "change", core.NodeDrain, core.NodeResume, core.NodeResume, core.NodeRemove), "-"))
	case 14:
		return sent(&core.AddNode{ID: drawID(t, "n", w.nodes), Capacity: set(3000, 6, -1), Attributes: w.drawPlace(t)})
	case 15:
		return aimed(&core.UpdateNode{ID: "-", Attributes: w.drawPlace(t)})
	case 16:
		return sent(w.drawConfig(t))
	case 17:
		return aimed(pick[core.Event](t, "removal", plain(core.AskRemove, "-"), plain(core.AskRemove, "-"), plain(core.AppRemove, "-"), &core.MoveApp{ID: "-", Queue: "-"}))
	}
	k := core.Ask{Priority: pick(t, "priority", int32(0), 0, 1, 5), NoPreemptOthers: chance(t, "peaceful", 3)}
	if chance(t, "with a level", 2) {
		k.Topology = w.drawTopology(t)
	}
	if chance(t, "requires a node", 16) {
		k.Node = drawID(t, "n", w.nodes)
	}
	return unitSteps{w.asked(pick(t, "application", w.apps...), w.drawAmounts(t), k)}
}

func placedScenarios() *rapid.Generator[scenario] { return rapid.Custom(drawPlaced) }

// slicedScenarios are scenarios with gangs that are placed in slices.
func slicedScenarios() *rapid.Generator[scenario] {
	return rapid.Custom(func(t *rapid.T) scenario { return (&placedWorld{slices: true}).draw(t) })
}

// setScenarios are scenarios with gangs of sets.
func setScenarios() *rapid.Generator[scenario] {
	return rapid.Custom(func(t *rapid.T) scenario { return (&placedWorld{slices: chance(t, "slices", 4), sets: true}).draw(t) })
}
