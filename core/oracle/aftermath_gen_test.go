package oracle_test

import (
	"fmt"
	"time"

	"pgregory.net/rapid"

	"github.com/quern-project/quern/core"
	_ "github.com/quern-project/quern/internal/seeded"
)

// drawAftermath draws a shot after which the cluster changes little by little, so that an ask searches again and again and must not reuse
// outdated results. With fewer asks, more of the results stay valid.
func drawAftermath(t *rapid.T) shot {
	s := drawShotOf(t, pick(t, "ages", choices, choices, agedChoices))
	s.configs = append(s.configs, s.drawConfig(t, s.shape, true))
	for i := range 3 + roll(t, "changes", 12) {
		for j := range 1 + roll(t, "at once", 2) {
			s.steps = append(s.steps, s.drawChange(t, fmt.Sprintf("late%d-%d", i, j)))
		}
		s.steps = append(s.steps, step{kind: stepWait, wait: pick(t, "wait", time.Second, 4*time.Second)})
	}
	return s
}

func (s *shot) drawChange(t *rapid.T, id string) step {
	node := drawID(t, "n", s.nodes)
	aimed := step{kind: stepInput, input: &core.Input{}, aimed: true, target: rapid.IntRange(0, 60).Draw(t, "target")}
	sent := func(e core.Event) step { return step{kind: stepInput, input: &core.Input{Event: e}} }
	switch roll(t, "change", 10) {
	case 0, 1, 2:
		return sent(&core.RestoreAllocation{AddAsk: core.AddAsk{ID: id, App: drawID(t, "a", s.apps),
			Resources: pick(t, "placed", placed...), Ask: s.drawTask(t, node)}, PlacedOn: node})
	case 3, 4, 5:
		aimed.input.Event = &core.ReleaseAllocation{ID: node}
	case 6:
		return sent(&core.UpdateNode{ID: node, Occupied: pick(t, "occupied", s.occupied...)})
	case 7:
		update := &core.UpdateAsk{ID: node}
		aimed.input.Event = update
		if rapid.Bool().Draw(t, "protection") {
			if update.Leaving = chance(t, "leaving", 3); !update.Leaving {
				update.Preemptable = new(rapid.Bool().Draw(t, "preemptable"))
			}
			break
		}
		update.Priority = new(pick(t, "priority", s.priorities...))
	case 8:
		return sent(plain(pick(t, "node", core.NodeResume, core.NodeDrain), node))
	case 9:
		aimed.input.Event = &core.SetConfig{Config: pick(t, "configuration", s.configs...)}
	}
	return aimed
}
