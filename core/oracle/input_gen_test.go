package oracle_test

import (
	"fmt"
	"slices"

	"pgregory.net/rapid"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
)

// world has the names from which the inputs of one scenario are drawn. There are few, so that inputs concern the same objects.
type world struct {
	focus
	configs []string
	leaves  []string // that some configuration may have
	parents []string
}

func drawWorld(t *rapid.T) *world {
	return drawWorldOf(t, pick(t, "focus", anything, tightNodes, fairShares, preemption, preemption, places, places, atomicGangs))
}

func drawWorldOf(t *rapid.T, f focus) *world {
	w := &world{focus: f}
	least := 1
	if w.fill > 0 {
		least = 2
	}
	s := drawShape(t, "root", 1+roll(t, "depth", 3), least)
	for i := range 2 + roll(t, "configurations", 2) {
		w.configs = append(w.configs, w.drawConfig(t, s, i == 0))
	}
	w.addPaths(s, "")
	return w
}

func (w *world) addPaths(s *shape, above string) {
	if len(s.children) == 0 {
		w.leaves = append(w.leaves, above+s.name)
		return
	}
	w.parents = append(w.parents, above+s.name)
	for _, child := range s.children {
		w.addPaths(child, above+s.name+".")
	}
}

func drawID(t *rapid.T, prefix string, n int) string {
	return fmt.Sprintf("%s%d", prefix, 1+roll(t, prefix, n))
}

func drawNode(t *rapid.T) string { return drawID(t, "n", 5) }
func drawApp(t *rapid.T) string  { return drawID(t, "a", 9) }
func drawAsk(t *rapid.T) string  { return drawID(t, "k", 99) }

func drawAttributes(t *rapid.T) map[string]string {
	return pick(t, "attributes", nil, map[string]string{"zone": "east"}, map[string]string{"zone": "west", "disk": "ssd"},
		map[string]string{})
}

func (w *world) drawDetails(t *rapid.T) core.Ask {
	a := core.Ask{Priority: pick(t, "priority", w.priorities...)}
	switch roll(t, "details", 20) {
	case 16, 17:
		a.Constraints = pick(t, "constraints", map[string][]string{"zone": {"east"}},
			map[string][]string{"zone": {"west", "east"}, "disk": {"ssd"}}, map[string][]string{"zone": {}})
	case 18, 19:
		a.Node = drawNode(t)
	case 15:
		a.Placeholder, a.TaskGroup = chance(t, "placeholder", 3), pick(t, "task group", "", "", "g")
		a.Gang = pick(t, "atomic", nil, &core.Gang{ID: "g", Min: 1})
	}
	if w.gangs > 0 {
		w.drawMembership(t, &a)
	}
	if roll(t, "required", 20) >= 20-w.required {
		a.Node, a.NoPreemptOthers = drawNode(t), chance(t, "no preemption", 2)
	}
	w.drawOptions(t, &a)
	if w.atomicOdds > 0 && chance(t, "member", 3) {
		a.Gang = drawAtomicGang(t)
	}
	return a
}

// drawAmount draws one of the usual amounts or, rarely, the largest one.
func (w *world) drawAmount(t *rapid.T, label string, usual []resource.Set) resource.Set {
	if w.hugeOdds > 0 && chance(t, "huge", w.hugeOdds) {
		return pick(t, label, huge...)
	}
	return pick(t, label, usual...)
}

func (w *world) drawQueue(t *rapid.T) string {
	if chance(t, "odd queue", 3) {
		return pick(t, "queue", slices.Concat(w.parents, []string{"", "root.nowhere", "a", "root.default"})...)
	}
	return pick(t, "queue", w.leaves...)
}

func (w *world) drawConfigSet(t *rapid.T) *core.Input {
	text := pick(t, "configuration", w.configs...)
	if chance(t, "invalid", 6) {
		text = pick(t, "configuration", invalidConfigs...)
	}
	return &core.Input{Event: &core.SetConfig{Config: text, Format: "yaml"}}
}

func (w *world) drawAddition(t *rapid.T, what core.InputType) *core.Input {
	e := w.drawAdded(t, what)
	drawLongTexts(t, e)
	return &core.Input{Event: e}
}

func (w *world) drawAdded(t *rapid.T, what core.InputType) core.Event {
	switch what {
	case core.NodeAdd:
		return &core.AddNode{ID: drawNode(t), Capacity: w.drawAmount(t, "capacity", w.capacities), Occupied: pick(t, "occupied", w.occupied...),
			Attributes: drawAttributes(t), Unschedulable: chance(t, "unschedulable", 8+w.fill)}
	case core.AppAdd:
		app := &core.AddApp{ID: drawApp(t), Queue: w.drawQueue(t)}
		if w.gangs > 0 {
			app.Placeholders = w.drawPlaceholders(t)
		}
		if w.atomicOdds > 0 && chance(t, "succeeded", 6) {
			app.Succeeded = pick(t, "members", map[string]int{"h": 1}, map[string]int{"j": 3, "l": 1}, map[string]int{"g": 2, "h": 4})
		}
		w.drawUser(t, app)
		if chance(t, "straight", 6) {
			app.Tags = map[string]string{"application.stateaware.disable": pick(t, "tag", "true", "false")}
		}
		return app
	}
	ask := core.AddAsk{App: drawApp(t), ID: drawAsk(t), Resources: pick(t, "resources", w.requests...), Ask: w.drawDetails(t)}
	if what == core.AskAdd {
		return &ask
	}
	restored := &core.RestoreAllocation{AddAsk: ask, PlacedOn: drawNode(t)}
	restored.Resources = w.drawAmount(t, "restored", w.requests)
	return restored
}

func (w *world) drawNodeUpdate(t *rapid.T) *core.Input {
	update := &core.UpdateNode{ID: drawNode(t)}
	if rapid.Bool().Draw(t, "new capacity") {
		update.Capacity = w.drawAmount(t, "capacity", w.capacities)
	}
	if rapid.Bool().Draw(t, "new occupied") {
		update.Occupied = w.drawAmount(t, "occupied", w.occupied)
	}
	if chance(t, "new attributes", 3) {
		update.Attributes = drawAttributes(t)
	}
	return &core.Input{Event: update}
}

func (w *world) drawAskUpdate(t *rapid.T) *core.Input {
	update := &core.UpdateAsk{ID: drawAsk(t)}
	in := &core.Input{Event: update}
	if rapid.Bool().Draw(t, "new priority") {
		update.Priority = new(pick(t, "priority", w.priorities...))
	} else if chance(t, "leaving", 4) {
		update.Leaving = true
		return in
	}
	if chance(t, "new protection", 3) {
		update.Preemptable = new(!rapid.Bool().Draw(t, "not preemptable"))
		if update.Priority == nil {
			return in
		}
	}
	if rapid.Bool().Draw(t, "new resources") {
		update.Resources = w.drawAmount(t, "resources", w.requests)
		if chance(t, "nothing", 8) {
			update.Resources = set(0, -1, -1)
		}
	}
	return in
}

func (w *world) drawInput(t *rapid.T) *core.Input {
	return w.drawInputOf(t, pick(t, "input", w.kinds...))
}

func (w *world) drawInputOf(t *rapid.T, kind core.InputType) *core.Input {
	switch kind {
	case core.AskAdd, core.AppAdd, core.NodeAdd, core.AllocationRestore:
		return w.drawAddition(t, kind)
	case core.NodeUpdate:
		return w.drawNodeUpdate(t)
	case core.AskUpdate:
		return w.drawAskUpdate(t)
	case core.ConfigSet:
		return w.drawConfigSet(t)
	case core.NodeDrain, core.NodeResume, core.NodeRemove:
		return &core.Input{Event: plain(kind, drawNode(t))}
	case core.AppRemove:
		return &core.Input{Event: plain(kind, drawApp(t))}
	case core.AppMove:
		return &core.Input{Event: &core.MoveApp{ID: drawApp(t), Queue: w.drawQueue(t)}}
	case core.AllocationRelease:
		return &core.Input{Event: &core.ReleaseAllocation{ID: drawAsk(t), Failed: w.atomicOdds > 0 && chance(t, "failed", 3)}}
	case core.AskRemove:
		return &core.Input{Event: plain(kind, drawAsk(t))}
	default:
		return &core.Input{Event: plain(kind, "")}
	}
}
