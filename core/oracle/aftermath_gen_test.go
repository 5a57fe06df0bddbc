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
	s := drawShot(t)
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
	in := &core.Input{ID: drawID(t, "n", s.nodes)}
	aimed := step{kind: stepInput, input: in, aimed: true, target: rapid.IntRange(0, 60).Draw(t, "target")}
	switch roll(t, "change", 10) {
	case 0, 1, 2:
		in.Type, in.App, in.PlacedOn, in.ID = core.AllocationRestore, drawID(t, "a", s.apps), in.ID, id
		in.Resources, in.Ask = pick(t, "placed", placed...), s.drawTask(t, in.PlacedOn)
		return step{kind: stepInput, input: in}
	case 3, 4, 5:
		in.Type = core.AllocationRelease
	case 6:
		in.Type, in.Occupied = core.NodeUpdate, pick(t, "occupied", s.occupied...)
		return step{kind: stepInput, input: in}
	case 7:
		if in.Type = core.AskUpdate; rapid.Bool().Draw(t, "protection") {
			if in.Leaving = chance(t, "leaving", 3); !in.Leaving {
				in.HasPreemptable, in.Ask.NotPreemptable = true, rapid.Bool().Draw(t, "not preemptable")
			}
			break
		}
		in.HasPriority, in.Ask.Priority = true, pick(t, "priority", s.priorities...)
	case 8:
		in.Type = pick(t, "node", core.NodeResume, core.NodeDrain)
		return step{kind: stepInput, input: in}
	case 9:
		in.Type, in.Config = core.ConfigSet, pick(t, "configuration", s.configs...)
	}
	return aimed
}
