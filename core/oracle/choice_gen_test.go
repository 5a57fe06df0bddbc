package oracle_test

import (
	"fmt"
	"time"

	"pgregory.net/rapid"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
)

// choices draws single searches on full nodes. Amounts and priorities are close together, so that sets of victims differ little.
var choices = focus{
	requests: []resource.Set{
		set(1000, -1, -1), set(2000, -1, -1), set(1000, 1, -1), set(3000, 1, -1), set(2000, 2, -1), set(4000, -1, -1),
		set(500, 2, -1), set(-1, 3, -1), set(1500, -1, 1), set(0, 1, -1),
	},
	capacities: []resource.Set{
		set(6000, 6, 2), set(8000, 8, 2), set(4000, 4, 1), set(10000, 8, 4), set(3000, 4, 1), set(12000, 12, 1),
	},
	occupied:   []resource.Set{nil, nil, nil, nil, set(500, -1, -1), set(1000, 1, -1)},
	limitOdds:  1,
	promises:   []int64{2, 6, 1, 12, 3, 0, 4, 8},
	preemptive: 9,
	fill:       13,
	appSorts:   []string{"fifo", "fair"},
	priorities: []int32{1, 1, 0, 2, 3, 5, -1},
}

// placed are the sizes of allocations.
var placed = []resource.Set{
	set(500, -1, -1), set(1000, -1, -1), set(500, 1, -1), set(1000, 1, -1), set(-1, 1, -1), set(2000, -1, -1),
	set(1500, 1, -1), set(500, -1, 1), set(1000, 2, -1), set(0, -1, 1),
}

// shot is a scenario of one search: nodes that are filled, one or two asks, and the time until they may preempt.
type shot struct {
	scenario
	*world
	shape       *shape
	apps, nodes int
}

// agedChoices are choices among queues whose usage ages.
var agedChoices = func() focus {
	f := choices
	f.aging = 2
	return f
}()

func drawShot(t *rapid.T) shot { return drawShotOf(t, choices) }

func drawAgedShot(t *rapid.T) shot { return drawShotOf(t, agedChoices) }

func drawShotOf(t *rapid.T, f focus) shot {
	w := &world{focus: f}
	shape := drawShape(t, "root", 1+roll(t, "depth", 3), 2)
	w.addPaths(shape, "")
	w.configs = []string{w.drawConfig(t, shape, true)}
	var s scenario
	add := func(in *core.Input) { s.steps = append(s.steps, step{kind: stepInput, input: in}) }
	add(&core.Input{Event: &core.SetConfig{Config: w.configs[0]}})
	if !chance(t, "no spare", 5) {
		add(&core.Input{Event: &core.AddNode{ID: "spare", Capacity: set(16000, 16, 8), Unschedulable: true}})
	}
	apps := 2 + roll(t, "applications", 6)
	for i := range apps {
		add(&core.Input{Event: &core.AddApp{ID: fmt.Sprintf("a%d", i+1), Queue: pick(t, "queue", w.leaves...)}})
	}
	nodes := 1 + roll(t, "nodes", 4)
	for i := range nodes {
		w.drawFullNode(t, fmt.Sprintf("n%d", i+1), apps, add)
	}
	for i := range 1 + roll(t, "asks", 2) {
		task := w.drawTask(t, drawID(t, "n", nodes))
		task.Priority += pick(t, "urgency", int32(1), 2, 0)
		add(&core.Input{Event: &core.AddAsk{ID: fmt.Sprintf("ask%d", i+1), App: fmt.Sprintf("a%d", apps-roll(t, "asking", apps)),
			Resources: pick(t, "resources", w.requests...), Ask: task}})
	}
	s.steps = append(s.steps, step{kind: stepWait, wait: 5 * time.Second})
	return shot{s, w, shape, apps, nodes}
}

// mostOnNode bounds the allocations of a node, so that all sets of them can be tried.
const mostOnNode = 12

// drawFullNode adds a node with allocations until little vcore is left, or somewhat more or fewer.
func (w *world) drawFullNode(t *rapid.T, id string, apps int, add func(*core.Input)) {
	n := &core.Input{Event: &core.AddNode{ID: id, Capacity: pick(t, "capacity", w.capacities...), Occupied: pick(t, "occupied", w.occupied...)}}
	add(n)
	free := pick(t, "beyond", int64(-400), -400, -400, 600, 1600, -1400) + valueIn(n.Event.(*core.AddNode).Capacity, "vcore")
	for i := range mostOnNode {
		if free <= 0 {
			return
		}
		size := pick(t, "placed", placed...)
		add(&core.Input{Event: &core.RestoreAllocation{AddAsk: core.AddAsk{ID: fmt.Sprintf("%s-%d", id, i+1), App: drawID(t, "a", apps),
			Resources: size, Ask: w.drawTask(t, id)}, PlacedOn: id}})
		free -= valueIn(size, "vcore")
	}
}

// drawTask draws an ask. Sometimes it requires the node.
func (w *world) drawTask(t *rapid.T, node string) core.Ask {
	a := core.Ask{Priority: pick(t, "priority", w.priorities...)}
	if chance(t, "required", 12) {
		a.Node = node
	}
	w.drawOptions(t, &a)
	return a
}
