package oracle_test

import (
	"fmt"
	"strings"
	"time"

	"github.com/quern-project/quern/core"
	"pgregory.net/rapid"
)

// maxOdds are the odds of a max. A max can bar preemption, so it is rarer in scenarios about that.
func (w *world) maxOdds() int {
	if w.fill > 0 {
		return 20 * w.limitOdds
	}
	return w.limitOdds
}

// maxApplicationsOdds are the odds of maxapplications.
func (w *world) maxApplicationsOdds() int {
	if w.boundOdds > 0 {
		return w.boundOdds
	}
	return w.maxOdds()
}

// drawPreemption draws the properties of a queue about preemption. Delays are short, so that they end within the scenario.
func (w *world) drawPreemption(t *rapid.T, q *queueText) {
	draw := func(key string, n int, values ...string) {
		if w.preemptive > 0 && chance(t, key, n) {
			q.properties[key] = pick(t, "value", values...)
		}
	}
	if q.name == "root" {
		draw("preemption.delay", 1, "1s", "1s", "2s", "500ms", "5s")
	} else {
		draw("preemption.delay", w.preemptive, "1s", "2s", "5s", "1500ms", "soon", "2562047h")
	}
	draw("preemption.policy", w.preemptive, "fence", "disabled", "default")
	draw("preemption.intra-queue", w.preemptive, "enabled", "enabled", "disabled")
}

// writePreemption writes the partition's settings about preemption.
func (w *world) writePreemption(t *rapid.T, text *strings.Builder) {
	if w.preemptive > 0 && chance(t, "preemption", 6) {
		fmt.Fprintf(text, "  preemption: %s\n",
			pick(t, "switches", "{enabled: false}", "{observe: true}", "{enabled: false, observe: true}", "{enabled: true}"))
	}
}

// drawOptions draws the options of an ask about preempting and being preempted.
func (w *world) drawOptions(t *rapid.T, a *core.Ask) {
	if w.preemptive == 0 || !chance(t, "options", w.preemptive) {
		return
	}
	switch roll(t, "option", 5) {
	case 0, 1:
		a.NotPreemptable = true
	case 2:
		a.Originator = true
	case 3:
		a.Originator, a.NotPreemptable = true, true
	case 4:
		a.NoPreemptOthers = true
	}
}

// drawFullNodes draws full nodes, asks that wait there, and confirmations that some leaving allocations have left.
func (w *world) drawFullNodes(t *rapid.T) []step {
	var steps []step
	add := func(kind core.InputType) { steps = append(steps, aimed(t, w.drawInputOf(t, kind))) }
	for range roll(t, "restored", 5) {
		add(core.AllocationRestore)
	}
	for range 1 + roll(t, "asking", 3) {
		add(core.AskAdd)
	}
	steps = append(steps, step{kind: stepWait, wait: pick(t, "wait", 2*time.Second, time.Second, 5*time.Second)})
	for range roll(t, "leaving", 4) {
		add(core.AllocationRelease)
	}
	return steps
}

// fillNodes draws restored allocations that fill or overcommit nodes, also in ways that scheduling would not.
func (w *world) fillNodes(t *rapid.T, add func(*core.Input)) {
	if w.fill == 0 {
		return
	}
	for range roll(t, "fill", w.fill) {
		add(w.drawAddition(t, core.AllocationRestore))
	}
}
