package oracle_test

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"

	"github.com/quern-project/quern/core"
)

// drawQuietRacks draws gangs of alike members that wait for racks while allocations end one by one. Without reservations and accumulated
// room, nothing else has the scheduler look at gangs that do not fit.
func drawQuietRacks(t *rapid.T) scenario {
	w := &placedWorld{nodes: 3 + roll(t, "nodes", 6)}
	s := scenario{manual: chance(t, "manual", 8)}
	add := func(e core.Event) { s.steps = append(s.steps, step{kind: stepInput, input: &core.Input{Event: e}}) }
	add(w.drawQuietConfig(t))
	for i, queue := range []string{"root.a", "root.a", "root.b", "root.b"} {
		w.apps = append(w.apps, fmt.Sprint("a", i+1))
		add(&core.AddApp{ID: w.apps[i], Queue: queue, User: "u"})
	}
	for i := range w.nodes {
		node, cores := fmt.Sprint("n", i+1), 1+roll(t, "cores", 2)
		add(&core.AddNode{ID: node, Capacity: set(int64(cores)*1000, 6, -1), Attributes: w.drawPlace(t)})
		for j := range cores {
			add(&core.RestoreAllocation{PlacedOn: node, AddAsk: core.AddAsk{ID: fmt.Sprintf("r%d-%d", i+1, j+1), App: w.apps[0], Resources: set(1000, -1, -1)}})
		}
	}
	draw := rapid.Custom(func(t *rapid.T) unitSteps {
		switch roll(t, "kind", 10) {
		case 0, 1, 2, 3:
			return unitSteps{{kind: stepInput, input: &core.Input{Event: &core.ReleaseAllocation{ID: "-"}}, aimed: true, target: rapid.IntRange(0, 60).Draw(t, "target")}}
		case 4, 5:
			return w.drawAlikeGang(t)
		case 6:
			return unitSteps{{kind: stepInput, input: &core.Input{Event: w.drawQuietConfig(t)}}}
		}
		return w.drawSteps(t, s.manual)
	})
	for i, list := range rapid.SliceOfN(draw, 15, 50).Draw(t, "steps") {
		for j, c := range list {
			if c.input != nil && c.input.Ask() != nil && c.input.ID() == "" {
				c.input.Ask().ID = fmt.Sprintf("k%d-%d", i+1, j+1)
			}
			if c.input != nil && c.input.Type() == core.ConfigSet {
				c.input.Event = w.drawQuietConfig(t)
			}
			s.steps = append(s.steps, c)
		}
	}
	return s
}

// drawAlikeGang draws the submission of a gang whose members differ in nothing.
func (w *placedWorld) drawAlikeGang(t *rapid.T) unitSteps {
	g := placedGang{app: pick(t, "application", w.apps...), gang: core.Gang{ID: fmt.Sprint("g", len(w.gangs)+1), Min: 1 + roll(t, "min", 4)}}
	g.topology.Required = pick(t, "level", "rack", "rack", "block", "node")
	w.gangs = append(w.gangs, g)
	var list unitSteps
	amounts := set(pick(t, "cores", int64(1000), 1000, 2000), -1, -1)
	for range g.gang.Min + pick(t, "surplus", 0, 0, 1) {
		list = append(list, w.asked(g.app, amounts, core.Ask{Gang: &g.gang, Topology: g.topology}))
	}
	return list
}

func (w *placedWorld) drawQuietConfig(t *rapid.T) *core.SetConfig {
	text := fmt.Sprintf(`
partitions:
- name: default
  topology: %s
  preemption: {enabled: false}
  nodesortpolicy: {type: %s}
  queues:
  - name: root
    properties: {gang.accumulate-after: %s, reservation.delay: %s}
    queues:
    - {name: a, properties: {application.sort.policy: fifo}}
    - {name: b%s}
    - {name: c}
`, pick(t, "topology", "[{level: block, attribute: block}, {level: rack, attribute: rack}]", "[{level: block, attribute: block}, {level: rack, attribute: rack}]",
		"[{level: rack, attribute: rack}]"), pick(t, "nodes", "fair", "binpacking"), pick(t, "after", "0s", "0s", "0s", "2s"), pick(t, "reserved", "0s", "0s", "0s", "2s"),
		pick(t, "max", "", "", ", resources: {max: {vcore: 4}}", ", limits: [{users: [u], maxresources: {vcore: 3}}]"))
	return &core.SetConfig{Config: strings.TrimPrefix(text, "\n")}
}

func quietRacks() *rapid.Generator[scenario] { return rapid.Custom(drawQuietRacks) }
