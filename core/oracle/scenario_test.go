package oracle_test

import (
	"fmt"
	"slices"
	"time"

	"pgregory.net/rapid"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
)

// scenario is a sequence of steps for a machine. Steps are drawn independently and aimed at existing objects when they are run, so that
// failing scenarios shrink well: steps can be left out, and the others stay meaningful.
type scenario struct {
	start  time.Duration
	manual bool // cycles run only where a step says so; otherwise at the end of each instant
	steps  []step
}

// GoString keeps the log of a failure short: the journal says what happened.
func (s scenario) GoString() string { return fmt.Sprintf("%d steps", len(s.steps)) }

type stepKind int

const (
	stepNothing stepKind = iota // what steps shrink to
	stepInput
	stepWait     // for a time, stopping at deadlines
	stepDeadline // until the next deadline
	stepCycle    // manual only
)

type step struct {
	kind   stepKind
	input  *core.Input
	aimed  bool // the input is aimed at the target-th existing object
	target int
	wait   time.Duration
	limit  int
}

// drawScenario draws a scenario that starts with a configuration, nodes and applications, followed by arbitrary steps.
func drawScenario(t *rapid.T) scenario {
	if chance(t, "contest", 3) {
		return besideGangs(t, drawContest(t))
	}
	return drawWorld(t).drawScenario(t)
}

func (w *world) drawScenario(t *rapid.T) scenario {
	s := scenario{
		start:  pick(t, "start", 0, 490_000*time.Hour),
		manual: chance(t, "manual", 4),
	}
	add := func(in *core.Input) { s.steps = append(s.steps, aimed(t, in)) }
	if !chance(t, "unconfigured", 10) {
		add(&core.Input{Event: &core.SetConfig{Config: w.configs[0]}})
	}
	for range 1 + roll(t, "nodes", 4) {
		add(w.drawAddition(t, core.NodeAdd))
	}
	if chance(t, "spare node", w.spareOdds) {
		add(&core.Input{Event: &core.AddNode{ID: "spare", Capacity: set(16000, 16, 8), Unschedulable: true}})
	}
	for range 1 + roll(t, "applications", 5+w.fill/4) {
		add(w.drawAddition(t, core.AppAdd))
	}
	w.fillNodes(t, add)
	draw := rapid.Custom(func(t *rapid.T) []step { return w.drawSteps(t, s.manual) })
	s.steps = append(s.steps, slices.Concat(rapid.SliceOfN(draw, 30, 100).Draw(t, "steps")...)...)
	return besideGangs(t, s)
}

func (w *world) drawSteps(t *rapid.T, manual bool) []step {
	kind := pick(t, "step", stepNothing, stepInput, stepInput, stepInput, stepInput, stepInput, stepInput, stepWait, stepDeadline)
	if manual && chance(t, "cycle", 4) {
		kind = stepCycle
	}
	switch kind {
	case stepInput:
		if chance(t, "flurry", 16) {
			return w.drawFlurry(t)
		}
		if w.gangs > 0 && chance(t, "swap", 6) {
			return w.drawSwap(t)
		}
		if w.atomicOdds > 0 && chance(t, "gang", w.atomicOdds) {
			return w.drawAtomic(t)
		}
		if w.fill > 0 && chance(t, "siege", 2) {
			return w.drawFullNodes(t)
		}
		return []step{aimed(t, w.drawInput(t))}
	case stepWait:
		if chance(t, "expiry", w.expiryOdds) {
			return w.drawExpiry(t)
		}
		if w.streamOdds > 0 && chance(t, "stream", w.streamOdds) {
			return w.drawStream(t)
		}
		return []step{{kind: kind, wait: pick(t, "wait", w.waits...)}}
	case stepCycle:
		return []step{{kind: kind, limit: pick(t, "limit", 1, 2, 0, -1)}}
	}
	return []step{{kind: kind}}
}

// drawExpiry lets a reservation be made and expire, changes something, and waits until its leaf may make one again.
func (w *world) drawExpiry(t *rapid.T) []step {
	return []step{
		{kind: stepWait, wait: 2 * time.Second},
		{kind: stepWait, wait: 30 * time.Second},
		aimed(t, w.drawInput(t)),
		aimed(t, w.drawInput(t)),
		{kind: stepWait, wait: 30 * time.Second},
	}
}

// drawStream lets an ask wait while small ones of lower priority come and go.
func (w *world) drawStream(t *rapid.T) []step {
	add := func(kind core.InputType, priority int32, request resource.Set) step {
		in := w.drawInputOf(t, kind)
		in.Ask().Resources, in.Ask().Priority = request, priority
		return aimed(t, in)
	}
	steps := []step{
		add(core.AskAdd, pick(t, "urgent", int32(5), 1, 9), pick(t, "large", set(2000, -1, -1), set(3000, -1, -1), set(1500, 1, -1))),
		{kind: stepWait, wait: pick(t, "before", 2*time.Second, time.Second)},
	}
	for range 1 + roll(t, "stream", 4) {
		for range 1 + roll(t, "small", 2) {
			steps = append(steps, add(core.AskAdd, pick(t, "low", int32(0), -1, 5), pick(t, "small", set(500, -1, -1), set(1000, -1, -1))))
		}
		steps = append(steps, aimed(t, w.drawInputOf(t, core.AllocationRelease)), step{kind: stepWait, wait: time.Second})
	}
	return steps
}

// drawFlurry draws, in one instant, the removal of everything of an application, and an addition that is removed again.
func (w *world) drawFlurry(t *rapid.T) []step {
	var steps []step
	for _, kind := range []core.InputType{core.AllocationRelease, core.AskAdd, core.AskRemove, core.AllocationRestore} {
		if s := aimed(t, w.drawInputOf(t, kind)); !chance(t, "skipped", 5) {
			steps = append(steps, s)
		}
	}
	return steps
}

func aimed(t *rapid.T, in *core.Input) step {
	return step{kind: stepInput, input: in, aimed: !chance(t, "astray", 8), target: roll(t, "target", 16)}
}
