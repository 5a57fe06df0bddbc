package oracle_test

import (
	"slices"
	"time"

	"pgregory.net/rapid"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
)

// atomicGangs draws gangs on nearly full nodes. Members have several sizes, some require a node or an attribute, and they are added,
// changed and removed while victims leave.
var atomicGangs = focus{
	kinds: weigh(map[core.InputType]int{
		core.AskAdd: 8, core.AppAdd: 2, core.NodeAdd: 2, core.AllocationRelease: 8, core.AskRemove: 4, core.AskUpdate: 4,
		core.AllocationRestore: 4, core.NodeUpdate: 3, core.NodeDrain: 1, core.NodeResume: 2, core.NodeRemove: 1,
		core.AppRemove: 1, core.ConfigSet: 2,
	}),
	requests: []resource.Set{
		set(1000, -1, -1), set(1000, -1, -1), set(2000, -1, -1), set(500, 1, -1), set(3000, -1, -1), set(-1, 2, -1), set(1000, 1, -1),
	},
	capacities: []resource.Set{set(4000, 4, -1), set(3000, 4, 1), set(2000, 2, -1), set(6000, 4, -1), set(1000, 1, -1)},
	occupied:   []resource.Set{nil, nil, nil, set(500, -1, -1)},
	waits: []time.Duration{
		time.Second, time.Second, 2 * time.Second, 500 * time.Millisecond, 5 * time.Second, 30 * time.Second, 3 * time.Second,
	},
	limitOdds:  2,
	boundOdds:  8,
	promises:   []int64{2, 3, 4, 6, 1, 8, 0},
	preemptive: 5,
	fill:       8,
	appSorts:   []string{"fifo", "fifo", "fair", "stateaware"},
	priorities: []int32{0, 0, 0, 1, 2, -1},
	spareOdds:  3,
	expiryOdds: 16,
	streamOdds: 16,
	hugeOdds:   40,
	atomicOdds: 2,
}

// roomyGangs is atomicGangs without max and guarantees, so that only nodes matter.
var roomyGangs = func() focus {
	f := atomicGangs
	f.limitOdds, f.boundOdds, f.preemptive, f.fill = 12, 12, 20, 0
	return f
}()

// atomicScenarios are scenarios with many gangs.
func atomicScenarios() *rapid.Generator[scenario] {
	return rapid.Custom(func(t *rapid.T) scenario {
		return drawWorldOf(t, pick(t, "focus", atomicGangs, roomyGangs)).drawScenario(t)
	})
}

// mixedGangs has both kinds of gangs, in one application too: placeholders and tasks that are members of atomic gangs.
var mixedGangs = func() focus {
	f := atomicGangs
	f.gangs, f.appSorts, f.atomicOdds = 5, []string{"fifo", "fifo", "fifo", "stateaware", "fair"}, 3
	return f
}()

// roomyMixedGangs is mixedGangs without max and guarantees.
var roomyMixedGangs = func() focus {
	f := mixedGangs
	f.limitOdds, f.boundOdds, f.preemptive, f.fill = 12, 12, 20, 0
	return f
}()

// limitedMixedGangs is mixedGangs with limits of users and groups.
var limitedMixedGangs = func() focus {
	f := mixedGangs
	f.limited = 2
	return f
}()

// mixedScenarios are scenarios with both kinds of gangs.
func mixedScenarios() *rapid.Generator[scenario] {
	return rapid.Custom(func(t *rapid.T) scenario {
		return drawWorldOf(t, pick(t, "focus", mixedGangs, roomyMixedGangs, limitedMixedGangs)).drawScenario(t)
	})
}

// drawAtomicGang draws the gang of an ask. There are few timeouts and minima, so that members usually agree.
func drawAtomicGang(t *rapid.T) *core.Gang {
	return pick(t, "gang", &core.Gang{ID: "g", Min: 2}, &core.Gang{ID: "h", Min: 3}, &core.Gang{ID: "i", Min: 2, Timeout: 4 * time.Second},
		&core.Gang{ID: "j", Min: 4}, &core.Gang{ID: "k", Min: 1}, &core.Gang{ID: "g", Min: 3}, &core.Gang{ID: "l", Min: 3, Timeout: 2 * time.Second, Fallback: true})
}

// drawAtomic draws the submission of some members of a gang, and a wait.
func (w *world) drawAtomic(t *rapid.T) []step {
	var steps []step
	gang, target, alike := drawAtomicGang(t), roll(t, "target", 16), chance(t, "alike", 3)
	var first *core.Input
	for range 1 + roll(t, "members", 5) {
		in := w.drawAddition(t, core.AskAdd)
		in.Ask().Gang = gang
		if w.gangs == 0 {
			in.Ask().Placeholder, in.Ask().TaskGroup = false, ""
		}
		if first == nil {
			first = in
		} else if alike {
			in.Ask().Resources, in.Ask().Priority = first.Ask().Resources, first.Ask().Priority
		}
		steps = append(steps, step{kind: stepInput, input: in, aimed: true, target: target})
	}
	if chance(t, "waits", 2) {
		steps = append(steps, step{kind: stepWait, wait: pick(t, "wait", w.waits...)})
	}
	for range roll(t, "leaving", 3) {
		steps = append(steps, aimed(t, w.drawInputOf(t, core.AllocationRelease)))
	}
	return slices.Clip(steps)
}
