package oracle_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/oracle"
	"github.com/quern-project/quern/core/resource"
)

// These scenarios are about placement rules, dynamic queues and access lists. There are few names, so that the queues that rules yield and
// tags name are leaves, parents, draining or absent.

var placementRules = []string{
	"{name: provided, create: true}",
	"{name: provided}",
	"{name: user, create: true, parent: {name: fixed, value: t}}",
	"{name: user, create: true, parent: {name: provided, create: true}}",
	"{name: user, create: true, filter: {type: deny, users: [u, v]}}",
	"{name: tag, value: ns, create: true, parent: {name: tag, value: team, create: true, filter: {groups: [g]}}}",
	"{name: tag, value: ns, create: true, filter: {users: ['^[uw]']}}",
	"{name: fixed, value: root.d.e.f, create: true, filter: {groups: ['^g$']}}",
	"{name: fixed, value: d, create: true, parent: {name: user, create: true, filter: {type: deny, groups: [h]}}}",
	"{name: provided, create: true, filter: {type: deny}}",
}

var placementTemplates = []string{
	"", "", "childtemplate: {maxapplications: 1}", "childtemplate: {resources: {max: {vcore: 2}}}",
	"childtemplate: {resources: {guaranteed: {vcore: 1}, max: {vcore: 3, gpu: 1}}, properties: {application.sort.policy: fair, preemption.delay: 1s}}",
	"childtemplate: {properties: {application.sort.policy: fair-users}}",
	"childtemplate: {maxapplications: 2, properties: {application.sort.policy: stateaware, priority.offset: '3'}}",
	"childtemplate: {resources: {guaranteed: {vcore: 2}}, properties: {priority.policy: fence, preemption.delay: 2s}}", "childtemplate: {}",
}

// drawPlacementConfig draws a configuration, the whole of which has the queues a, b.x, t, t.m and u.
func drawPlacementConfig(t *rapid.T) string {
	var text strings.Builder
	text.WriteString("partitions:\n- name: default\n")
	if !chance(t, "no rules", 6) {
		var rules []string
		for range 1 + roll(t, "rules", 3) {
			rules = append(rules, pick(t, "rule", placementRules...))
		}
		fmt.Fprintf(&text, "  placementrules: [%s]\n", strings.Join(rules, ", "))
	}
	fmt.Fprintf(&text, "  queues:\n  - name: root\n    properties: {preemption.delay: %s, reservation.delay: %s%s}\n",
		pick(t, "delay", "3s", "1s", "30s"), pick(t, "reservation delay", "2s", "0s"), pick(t, "half-life", "", ", fairness.half-life: 2s", ", fairness.half-life: 1h"))
	access := chance(t, "access", 2)
	common := func(indent string) {
		for _, key := range []string{"submitacl", "adminacl"} {
			if access && chance(t, key, 2) {
				fmt.Fprintf(&text, "%s%s: '%s'\n", indent, key, pick(t, "list", "u", "v g", " h", "", "*", "u,v,w g"))
			}
		}
		if template := pick(t, "template", placementTemplates...); template != "" {
			fmt.Fprintf(&text, "%s%s\n", indent, template)
		}
	}
	common("    ")
	text.WriteString("    queues:\n    - name: default\n")
	queue := func(indent, name, more string) bool {
		if chance(t, "left out", 4) {
			return false
		}
		fmt.Fprintf(&text, "%s- name: %s\n", indent, name)
		if more != "" {
			fmt.Fprintf(&text, "%s  %s\n", indent, more)
		}
		common(indent + "  ")
		return true
	}
	queue("    ", "a", pick(t, "resources", "", "resources: {guaranteed: {vcore: 2}}", "resources: {max: {vcore: 2}}", "maxapplications: 1"))
	if queue("    ", "b", "parent: true") && !chance(t, "no child", 2) {
		text.WriteString("      queues:\n")
		if !queue("      ", "x", pick(t, "kind", "", "parent: true")) {
			text.WriteString("      - name: y\n")
		}
	}
	if queue("    ", "t", pick(t, "bounds", "parent: true", "resources: {max: {vcore: 4}}", "maxapplications: 3")) {
		text.WriteString("      queues:\n      - name: z\n")
		queue("      ", "m", "")
		queue("      ", "u", pick(t, "kind", "", "parent: true"))
	}
	queue("    ", "u", pick(t, "kind", "parent: true", ""))
	queue("    ", "k", pick(t, "kind", "parent: true", ""))
	return text.String()
}

// drawNewApp draws an application to be placed.
func drawNewApp(t *rapid.T) *core.Input {
	app := &core.AddApp{ID: drawID(t, "a", 25)}
	app.Queue = pick(t, "queue", "root.a", "root.t.x", "root.t.u", "root.b.x", "root.t.m", "root.k", "k", "root.u", "u", "t", "b", "root.d.e.f", "",
		"root", "ROOT.T.X", "root.t.y.z", "root.@recovery@", "root.b.x.y", "a.b", "root..a", "root.d", "root.d.e", "root.t", strings.Repeat("x", 65))
	app.User = pick(t, "user", "u", "v", "w", "u.v", "", "T", "a$", "root")
	app.Groups = pick(t, "groups", nil, []string{"g"}, []string{"h", "g"}, []string{"h"}, []string{""})
	if chance(t, "long name", 60) {
		app.User = strings.Repeat("u", pick(t, "length", 1024, 1025))
	}
	tags := map[string]string{}
	tag := func(odds int, key string, values ...string) {
		if chance(t, key, odds) {
			tags[key] = pick(t, "value", values...)
		}
	}
	tag(2, "ns", "k", "root.k.l", "m.n", "", "a!", "root.t.x", "@recovery@", "root.@recovery@.x")
	tag(8, "NS", "x", "")
	tag(3, "team", "t", "b", "root.d", "a", "")
	tag(6, "application.create.force", "true", "false")
	tag(10, "application.stateaware.disable", "true")
	tag(3, "namespace.resourcequota", `{"vcore":2}`, `{"vcore":"1","memory":"4"}`, `{"vcore":0}`, `{}`, `{"resources":{"vcore":{"value":2500}}}`, "x", "", `{"gpu":"1"}`)
	tag(12, "Namespace.ResourceQuota", `{"vcore":3}`, `{"vcore":-3}`)
	tag(4, "namespace.resourceguaranteed", `{"vcore":"1"}`, `{"vcore":"3"}`, `{"memory":2}`, `{}`)
	tag(5, "namespace.resourcemaxapps", "1", "2", "0", "18446744073709551615", "-1", "")
	if len(tags) > 0 {
		app.Tags = tags
	}
	if chance(t, "gang", 8) {
		app.Placeholders = &core.Placeholders{Ask: pick(t, "placeholders", set(1000, -1, -1), set(2500, -1, -1), set(4000, -1, -1)), Hard: chance(t, "hard", 2)}
	}
	return &core.Input{Event: app}
}

// placementFocus has the weights for the other inputs.
var placementFocus = focus{
	kinds: weigh(map[core.InputType]int{
		core.AppAdd: 14, core.AppRemove: 6, core.AskAdd: 16, core.AllocationRelease: 8, core.AskRemove: 4, core.AskUpdate: 2, core.NodeAdd: 1,
		core.NodeRemove: 1, core.NodeDrain: 1, core.NodeResume: 1, core.NodeUpdate: 1, core.AllocationRestore: 4, core.ConfigSet: 5,
	}),
	requests: []resource.Set{
		set(1000, -1, -1), set(500, -1, -1), set(2000, -1, -1), set(1000, 1, -1), set(500, 1, 1), set(3000, -1, -1),
	},
	capacities: []resource.Set{set(4000, 8, 2), set(3000, 4, -1), set(2000, 4, 1), set(6000, 8, 2)},
	occupied:   []resource.Set{nil, nil, set(500, -1, -1)},
	priorities: []int32{0, 0, 0, 1, 5, -1},
	preemptive: 6,
	required:   2,
}

var placementWaits = []time.Duration{
	time.Second, time.Second, 3 * time.Second, 9 * time.Second, 10 * time.Second, 10 * time.Second, 30 * time.Second, 40 * time.Second, time.Minute,
	9500 * time.Millisecond,
}

func drawPlacementScenario(t *rapid.T) scenario {
	w := &world{focus: placementFocus}
	for range 2 + roll(t, "configurations", 2) {
		w.configs = append(w.configs, drawPlacementConfig(t))
	}
	s := scenario{manual: chance(t, "manual", 6)}
	s.steps = []step{
		{kind: stepInput, input: &core.Input{Event: &core.SetConfig{Config: w.configs[0], Format: "yaml"}}},
		aimed(t, w.drawAddition(t, core.NodeAdd)), aimed(t, w.drawAddition(t, core.NodeAdd)),
	}
	draw := rapid.Custom(func(t *rapid.T) []step {
		switch kind := pick(t, "step", stepNothing, stepInput, stepInput, stepInput, stepInput, stepInput, stepInput, stepInput, stepWait, stepWait, stepDeadline); {
		case s.manual && chance(t, "cycle", 4):
			return []step{{kind: stepCycle, limit: pick(t, "limit", 1, 2, 0, -1)}}
		case kind == stepWait:
			return []step{{kind: kind, wait: pick(t, "wait", placementWaits...)}}
		case kind == stepInput:
			return w.drawPlacementSteps(t)
		default:
			return []step{{kind: kind}}
		}
	})
	s.steps = append(s.steps, slices.Concat(rapid.SliceOfN(draw, 20, 90).Draw(t, "steps")...)...)
	return besideGangs(t, s)
}

func (w *world) drawPlacementSteps(t *rapid.T) []step {
	kind := pick(t, "input", w.kinds...)
	if kind != core.AppAdd {
		return []step{aimed(t, w.drawInputOf(t, kind))}
	}
	steps := []step{{kind: stepInput, input: drawNewApp(t)}}
	for range roll(t, "asks", 3) {
		ask := w.drawAddition(t, core.AskAdd)
		ask.Ask().App = steps[0].input.ID()
		steps = append(steps, step{kind: stepInput, input: ask})
	}
	return steps
}

// equalTheOracle runs a scenario through oracle and machine, and counts the decisions.
func equalTheOracle(t *rapid.T, s scenario, reached map[string]int) {
	judge, fast := oracle.New(), newMachine()
	r := &lockstepRun{t: t, scenario: s, machines: []dumper{judge, fast}}
	r.check = func(call string, returns []outcome) {
		for _, d := range returns[0].decisions {
			reached[string(d.Type)]++
			reached[string(d.Type)+" "+string(d.Reason)]++
		}
		r.equalsOracle(judge, call, returns)
	}
	r.run()
}

func TestPlacementEqualsTheOracles(t *testing.T) {
	reached := map[string]int{}
	defer func() { t.Log(reached) }()
	rapid.Check(t, func(t *rapid.T) {
		equalTheOracle(t, rapid.Custom(drawPlacementScenario).Draw(t, "scenario"), reached)
	})
}

func TestSnapshot_DynamicQueuesContinueEqually(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		goOnFromSnapshot(t, rapid.Custom(drawPlacementScenario).Draw(t, "scenario"))
	})
}
