package oracle_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
)

// gangFocus draws applications with placeholders on nearly full nodes: gangs that form in time or not, and tasks that replace placeholders.
var gangFocus = focus{
	kinds: weigh(map[core.InputType]int{
		core.AskAdd: 26, core.AppAdd: 4, core.NodeAdd: 2, core.AllocationRelease: 8, core.AskRemove: 3, core.AskUpdate: 3,
		core.AllocationRestore: 4, core.NodeUpdate: 2, core.NodeDrain: 1, core.NodeResume: 2, core.NodeRemove: 1,
		core.AppRemove: 1, core.ConfigSet: 2,
	}),
	requests: []resource.Set{
		set(1000, -1, -1), set(1000, -1, -1), set(500, -1, -1), set(1000, 1, -1), set(2000, -1, -1), set(1500, -1, -1), set(1000, 2, -1),
	},
	capacities: []resource.Set{set(2000, 4, -1), set(4000, 4, -1), set(3000, 4, 1), set(2000, 2, -1), set(6000, 8, -1)},
	occupied:   []resource.Set{nil, nil, nil, set(500, -1, -1)},
	waits: []time.Duration{
		time.Second, time.Second, 2 * time.Second, 2 * time.Second, 5 * time.Second, 10 * time.Second, 30 * time.Second,
	},
	limitOdds:  4,
	boundOdds:  5,
	required:   2,
	promises:   []int64{1, 2, 3, 0},
	preemptive: 8,
	appSorts:   []string{"fifo", "stateaware", "fifo", "stateaware", "fifo", "fair"},
	priorities: []int32{0, 0, 0, 1, 2, -1},
	spareOdds:  3,
	expiryOdds: 16,
	streamOdds: 16,
	gangs:      5,
}

// fullGangs draws gangs among allocations that may be preempted.
var fullGangs = func() focus {
	f := preemption
	f.gangs, f.boundOdds = 5, 4
	f.appSorts, f.waits = gangFocus.appSorts, gangFocus.waits
	return f
}()

func gangScenarios() *rapid.Generator[scenario] {
	return rapid.Custom(func(t *rapid.T) scenario {
		return drawWorldOf(t, pick(t, "focus", gangFocus, gangFocus, fullGangs)).drawScenario(t)
	})
}

// drawPlaceholders makes some applications gangs.
func (w *world) drawPlaceholders(t *rapid.T) *core.Placeholders {
	if roll(t, "gang", 10) < 9-w.gangs {
		return nil
	}
	return &core.Placeholders{
		Ask:  pick(t, "placeholder ask", set(1000, -1, -1), set(2000, -1, -1), set(3000, -1, -1), set(2000, 1, -1), set(0, -1, -1), set(500, -1, 1)),
		Hard: chance(t, "hard", 3), Timeout: pick(t, "timeout", 10*time.Second, 3*time.Second, 30*time.Second, 0),
	}
}

// drawMembership draws the fields of an ask that concern placeholders.
func (w *world) drawMembership(t *rapid.T, a *core.Ask) {
	a.Placeholder, a.TaskGroup, a.Gang = roll(t, "member", 10) >= 10-w.gangs, pick(t, "task group", "g", "g", "g", "h", ""), nil
}

// drawSwap draws placeholders and tasks of an application, and confirmations that leaving allocations have left.
func (w *world) drawSwap(t *rapid.T) []step {
	target, resources, priority := roll(t, "target", 16), pick(t, "resources", w.requests...), pick(t, "priority", w.priorities...)
	var steps []step
	for range 1 + roll(t, "members", 4) {
		in := w.drawInputOf(t, core.AskAdd)
		in.Ask().Resources, in.Ask().Priority, in.Ask().TaskGroup = resources, priority, "g"
		if chance(t, "other size", 4) {
			in.Ask().Resources = pick(t, "resources", w.requests...)
		}
		steps = append(steps, step{kind: stepInput, input: in, aimed: true, target: target})
	}
	if chance(t, "wait", 3) {
		steps = append(steps, step{kind: stepWait, wait: time.Second})
	}
	for range roll(t, "releases", 3) { // odd: what leaves
		in := &core.Input{Event: &core.ReleaseAllocation{ID: "k1"}}
		steps = append(steps, step{kind: stepInput, input: in, aimed: true, target: 1 + 2*roll(t, "leaving", 4)})
	}
	return steps
}

func TestGangsAreDecidedAsTheOracleDecidesThem(t *testing.T) {
	clusters, reached := 0, map[core.DecisionType]int{}
	defer func() {
		t.Logf("%d clusters: %d allocations, %d replacements, %d placeholders told to leave, %d preemptions, %d kept nodes that lapsed",
			clusters, reached[core.Allocation], reached[core.Replaced], reached[core.TimedOut], reached[core.Preemption], reached[core.Lapsed])
	}()
	rapid.Check(t, func(t *rapid.T) {
		clusters++
		inStep(t, gangScenarios(), reached)
	})
}

func TestGangsGoOnFromASnapshotAsTheyGoOn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { goOnFromSnapshot(t, gangScenarios().Draw(t, "scenario")) })
}
