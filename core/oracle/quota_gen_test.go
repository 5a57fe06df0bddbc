package oracle_test

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/oracle"
	"github.com/quern-project/quern/core/resource"
)

// drawQuotas draws a scenario of queues that come to use more than their max, by reloads, restored allocations and moved applications,
// while asks preempt, nodes are removed, and queues are added and removed.
func drawQuotas(t *rapid.T) scenario {
	s := scenario{manual: chance(t, "manual", 5)}
	add := func(in *core.Input) { s.steps = append(s.steps, step{kind: stepInput, input: in}) }
	add(quotaConfig(t, true))
	for i := range 3 {
		add(&core.Input{Event: &core.AddNode{ID: fmt.Sprintf("n%d", i+1), Capacity: set(6000, 6, 2)}})
	}
	for i, queue := range []string{"root.p.a", "root.p.b", "root.q", "root.p.c.d", "root.o"} {
		add(&core.Input{Event: &core.AddApp{ID: fmt.Sprintf("a%d", i+1), Queue: queue}})
	}
	for i := range 4 + roll(t, "allocations", 14) {
		add(&core.Input{Event: &core.RestoreAllocation{AddAsk: core.AddAsk{ID: fmt.Sprint("r", i+1), App: drawID(t, "a", 5),
			Resources: pick(t, "resources", quotaAmounts...), Ask: drawQuotaAsk(t)}, PlacedOn: drawID(t, "n", 3)}})
	}
	draw := rapid.Custom(func(t *rapid.T) contestStep { return drawQuotaStep(t, s.manual) })
	for i, c := range rapid.SliceOfN(draw, 10, 60).Draw(t, "steps") {
		if c.input != nil && c.input.Ask() != nil && c.input.ID() == "" {
			c.input.Ask().ID = fmt.Sprintf("k%d", i+1)
		}
		s.steps = append(s.steps, step(c))
	}
	return besideGangs(t, s)
}

var quotaAmounts = []resource.Set{
	set(1000, -1, -1), set(2000, -1, -1), set(1000, 1, -1), set(500, 2, -1), set(-1, 1, 1), set(3000, 1, -1), set(-1, 2, -1), set(1500, 3, 1),
}

// quotaConfig draws a configuration; one that is whole has all queues.
func quotaConfig(t *rapid.T, whole bool) *core.Input {
	number := func(label string, least, most int) int { return least + roll(t, label, most-least+1) }
	resources := func(above, promised int) (text string, most int) {
		most = above
		if chance(t, "bounded", 2) {
			most = number("max", 0, above)
			text = fmt.Sprintf("max: {vcore: %d", most)
			if chance(t, "memory", 2) {
				text += fmt.Sprintf(", memory: %d", number("max memory", 0, 4))
			}
			text += "}, "
		}
		return text + fmt.Sprintf("guaranteed: {vcore: %d}", number("guaranteed", 0, min(promised, most))), most
	}
	delay := func(label string) string {
		return pick(t, label, "", ", properties: {quota.preemption.delay: 2s}", ", properties: {quota.preemption.delay: 5s}",
			", properties: {quota.preemption.delay: 1s, preemption.delay: 1s}", ", properties: {quota.preemption.delay: 0s}", ", properties: {quota.preemption.delay: soon}")
	}
	p, most := number("max of p", 0, 9), 0
	p, most = max(p, 3), max(p, 3)
	a, _ := resources(most, 1)
	b, _ := resources(most, 1)
	d, _ := resources(most, 1)
	queues := fmt.Sprintf("{name: a, resources: {%s}%s}", a, delay("delay of a"))
	if whole || !chance(t, "without b", 4) {
		queues += fmt.Sprintf(", {name: b, resources: {%s}%s}", b, delay("delay of b"))
	}
	if whole || !chance(t, "without c", 4) {
		queues += fmt.Sprintf(", {name: c, parent: true%s, queues: [{name: d, resources: {%s}}]}", delay("delay of c"), d)
	}
	inner := fmt.Sprintf("{name: p, parent: true, resources: {max: {vcore: %d}}%s, queues: [%s]}, {name: q, resources: {max: {vcore: %d, memory: %d}}%s}",
		p, delay("delay of p"), queues, number("max of q", 0, 6), number("memory of q", 0, 6), delay("delay of q"))
	if whole || !chance(t, "without o", 4) {
		inner += ", {name: o, resources: {guaranteed: {vcore: 4}}}"
	}
	text := fmt.Sprintf("partitions:\n- name: default\n  preemption: %s\n  queues:\n  - name: root\n    properties: {preemption.delay: 1s, quota.preemption.delay: %s}\n    queues: [%s]\n",
		pick(t, "switches", "{quotapreemptionenabled: true}", "{quotapreemptionenabled: true}", "{quotapreemptionenabled: true, enabled: false}",
			"{quotapreemptionenabled: true, observe: true}", "{quotapreemptionenabled: false}"),
		pick(t, "delay of root", "3s", "1s", "10s", "0s"), inner)
	return &core.Input{Event: &core.SetConfig{Config: text}}
}

func drawQuotaStep(t *rapid.T, manual bool) contestStep {
	aimed := func(e core.Event) contestStep {
		return contestStep{kind: stepInput, input: &core.Input{Event: e}, aimed: true, target: rapid.IntRange(0, 60).Draw(t, "target")}
	}
	if manual && chance(t, "cycle", 3) {
		return contestStep{kind: stepCycle, limit: pick(t, "limit", 1, 0, 2, -1)}
	}
	switch roll(t, "step", 22) {
	case 0, 1, 2, 3:
		return contestStep{kind: stepWait, wait: pick(t, "wait", time.Second, 2*time.Second, 3*time.Second, 500*time.Millisecond, 10*time.Second, 30*time.Second)}
	case 4, 5:
		return contestStep{kind: stepDeadline}
	case 6, 7, 8:
		return aimed(plain(core.AllocationRelease, "-"))
	case 9, 10, 11:
		return contestStep{kind: stepInput, input: quotaConfig(t, false)}
	case 12, 13:
		return contestStep{kind: stepInput, input: &core.Input{Event: &core.RestoreAllocation{AddAsk: core.AddAsk{App: drawID(t, "a", 5),
			Resources: pick(t, "resources", quotaAmounts...), Ask: drawQuotaAsk(t)}, PlacedOn: drawID(t, "n", 3)}}}
	case 14:
		return aimed(plain(pick(t, "change", core.NodeDrain, core.NodeResume, core.NodeRemove, core.NodeResume, core.AppRemove), "-"))
	case 15:
		return contestStep{kind: stepInput, input: &core.Input{Event: &core.AddNode{ID: drawID(t, "n", 3), Capacity: set(6000, 6, 2)}}}
	case 17:
		return aimed(&core.MoveApp{ID: "-", Queue: pick(t, "target", "root.p", "root.nowhere", "")})
	case 16:
		return contestStep{kind: stepInput, input: &core.Input{Event: &core.AddApp{ID: drawID(t, "a", 5), Queue: pick(t, "queue", "root.p.a", "root.p.b", "root.q", "root.p.c.d", "root.o")}}}
	}
	return contestStep{kind: stepInput, input: &core.Input{Event: &core.AddAsk{App: drawID(t, "a", 5), Ask: drawQuotaAsk(t), Resources: pick(t, "resources", quotaAmounts...)}}}
}

func drawQuotaAsk(t *rapid.T) core.Ask {
	a := core.Ask{Priority: pick(t, "priority", int32(0), 0, 1, 5, -1)}
	switch roll(t, "option", 10) {
	case 7:
		a.NotPreemptable = true
	case 8:
		a.Originator = true
	case 9:
		a.Node = drawID(t, "n", 3)
	}
	return a
}

func quotaScenarios() *rapid.Generator[scenario] {
	return rapid.Custom(func(t *rapid.T) scenario {
		s := drawQuotas(t)
		if chance(t, "several partitions", 6) {
			return partitioned(t, s)
		}
		return s
	})
}

func TestRoundsByQuotaEqualTheOracles(t *testing.T) {
	clusters, rounds, observed, moved := 0, 0, 0, 0
	defer func() {
		t.Logf("%d clusters: %d victims by quota, %d observed, %d applications moved", clusters, rounds, observed, moved)
	}()
	rapid.Check(t, func(t *rapid.T) {
		judge, fast := oracle.New(), newMachine()
		r := &lockstepRun{t: t, scenario: quotaScenarios().Draw(t, "scenario"), machines: []dumper{judge, fast}}
		clusters++
		r.check = func(call string, returns []outcome) {
			for _, d := range returns[0].decisions {
				switch {
				case d.Quota != "" && d.Type == core.Observed:
					observed++
				case d.Quota != "":
					rounds++
				case d.Type == core.AppMoved:
					moved++
				}
			}
			r.equalsOracle(judge, call, returns)
		}
		r.run()
	})
}

func TestSnapshot_QuotaRoundsContinueEqually(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { goOnFromSnapshot(t, quotaScenarios().Draw(t, "scenario")) })
}

func TestInvariantsHoldWithRoundsByQuota(t *testing.T) { invariantsHold(t, rapid.Custom(drawQuotas)) }
