package oracle_test

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/oracle"
	"github.com/quern-project/quern/core/scheduler"
)

// These scenarios use all parts of the queue model together. Each starts as a scenario of one focus, with limits and gangs. Then rules, lists,
// templates and delays are added to its configurations, and its applications, asks and nodes are aimed at queues that rules create, at
// gangs and at other partitions.

// drawWhole draws a scenario of the whole queue model.
func drawWhole(t *rapid.T) scenario {
	if chance(t, "one partition", 2) {
		return besideGangs(t, drawWholePartition(t))
	}
	return putInPartitions(t, besideGangs(t, drawWholePartition(t)), []string{"gpu", "", "default", "gpu", "", "gpu", "batch"})
}

func wholeScenarios() *rapid.Generator[scenario] { return rapid.Custom(drawWhole) }

func drawWholePartition(t *rapid.T) scenario {
	if chance(t, "quotas", 3) {
		return drawWholeQuotas(t)
	}
	f := pick(t, "focus", gangFocus, fullGangs, anything, tightNodes, preemption, places, gangFocus)
	f.gangs, f.limited, f.preemptive = 4, 3, max(f.preemptive, 1)
	f.preemptive = min(f.preemptive, 6)
	if chance(t, "bounded", 2) {
		f.fill, f.limitOdds = 0, 2
	}
	f.waits = slices.Concat(f.waits, []time.Duration{time.Second, 2 * time.Second, 10 * time.Second})
	f.kinds = slices.Concat(f.kinds, weigh(map[core.InputType]int{core.AppAdd: 6, core.AllocationRelease: 4, core.ConfigSet: 2, core.AppRemove: 2}))
	w := drawWorldOf(t, f)
	s := w.drawScenario(t)
	richer := map[string]string{}
	for _, text := range w.configs {
		richer[text] = drawRicher(t, text)
	}
	var steps []step
	if s.steps[0].input.Type() != core.ConfigSet {
		steps = append(steps, step{kind: stepInput, input: &core.Input{Event: &core.SetConfig{Config: richer[w.configs[0]]}}})
	}
	for _, step := range s.steps {
		if step.input != nil {
			in := step.input.Clone()
			step.input = &in
			steps = append(steps, w.drawModelInput(t, &step, richer)...)
		}
		steps = append(steps, step)
	}
	s.steps = steps
	return s
}

// drawModelInput aims an input at parts of the queue model, and returns the inputs that have to precede it.
func (w *world) drawModelInput(t *rapid.T, s *step, richer map[string]string) (before []step) {
	switch in := s.input; in.Type() {
	case core.ConfigSet:
		if text, ok := richer[in.Event.(*core.SetConfig).Config]; ok {
			in.Event.(*core.SetConfig).Config = text
			if chance(t, "other text", 3) {
				in.Event.(*core.SetConfig).Config = drawRicher(t, pick(t, "configuration", w.configs...))
			}
		}
	case core.AppAdd:
		s.aimed = s.aimed && chance(t, "aimed", 2)
		if !s.aimed && chance(t, "created", 2) {
			in.Event.(*core.AddApp).Queue = pick(t, "queue", "root.d.x", "root.d.y", "root.a.n", "d", "x", "root.b.n.m", "n", "root.d", "a")
		}
		in.Event.(*core.AddApp).Tags = drawModelTags(t, in.Event.(*core.AddApp).Tags)
	case core.AskAdd, core.AllocationRestore:
		before = w.drawMore(t, richer)
		in.Ask().Placeholder = in.Ask().Placeholder && chance(t, "placeholder", 2)
		if in.Ask().Gang = nil; chance(t, "atomic", 8) {
			in.Ask().Gang = drawGang(t)
		}
	case core.AskRemove, core.AppRemove:
		if chance(t, "moved", 2) {
			before = []step{aimed(t, &core.Input{Event: &core.MoveApp{ID: drawApp(t), Queue: w.drawQueue(t)}})}
		}
	}
	return before
}

// drawMore draws applications for asks, and configurations that change queues with allocations.
func (w *world) drawMore(t *rapid.T, richer map[string]string) (more []step) {
	add := func(kind core.InputType) {
		s := aimed(t, w.drawInputOf(t, kind))
		more = append(w.drawModelInput(t, &s, richer), s)
	}
	switch roll(t, "more", 20) {
	case 16, 17, 18:
		add(core.AppAdd)
	case 19:
		add(core.ConfigSet)
	}
	return more
}

func drawGang(t *rapid.T) *core.Gang {
	return pick(t, "gang", &core.Gang{ID: "g", Min: 2}, &core.Gang{ID: "h", Min: 3}, &core.Gang{ID: "g", Min: 2, Timeout: 5 * time.Second},
		&core.Gang{ID: "i", Min: 1}, &core.Gang{ID: "j", Min: 2, Timeout: 2 * time.Second})
}

func drawModelTags(t *rapid.T, given map[string]string) map[string]string {
	tags := maps.Clone(given)
	tag := func(odds int, key string, values ...string) {
		if chance(t, key, odds) {
			if tags == nil {
				tags = map[string]string{}
			}
			tags[key] = pick(t, "value", values...)
		}
	}
	tag(2, "ns", "x", "y", "a", "root.d.x", "n", "")
	tag(8, "application.create.force", "true")
	tag(4, "namespace.resourcequota", `{"vcore":2}`, `{"vcore":"1","memory":"4"}`, `{"vcore":4}`, `{}`, "x")
	tag(6, "namespace.resourceguaranteed", `{"vcore":"1"}`, `{"vcore":"3"}`)
	tag(6, "namespace.resourcemaxapps", "1", "2")
	return tags
}

var wholeRules = []string{
	"{name: provided, create: true}",
	"{name: provided, create: true, filter: {type: deny, users: [w]}}",
	"{name: provided}",
	"{name: tag, value: ns, create: true, parent: {name: fixed, value: d, create: true}}",
	"{name: tag, value: ns, create: true, filter: {groups: ['^[gh]$']}}",
	"{name: user, create: true, parent: {name: provided, create: true}}",
	"{name: user, create: true, filter: {users: [u, v]}}",
	"{name: fixed, value: root.d.e, create: true}",
}

var (
	partitionLine = regexp.MustCompile(`(?m)^- name: .*\n`)
	delayLine     = regexp.MustCompile(`(?m)^( +)preemption\.delay: .*\n`)
	switchesLine  = regexp.MustCompile(`(?m)^  preemption: \{(.*)\}\n`)
	queueLine     = regexp.MustCompile(`(?m)^( +)- name: .*\n`)
)

// drawRicher adds rules, access lists, templates and delays to a configuration of one partition.
func drawRicher(t *rapid.T, text string) string {
	access := chance(t, "access", 4)
	text = queueLine.ReplaceAllStringFunc(text, func(line string) string {
		indent := queueLine.FindStringSubmatch(line)[1] + "  "
		for _, key := range []string{"submitacl", "adminacl"} {
			if access && chance(t, key, 2) {
				line += fmt.Sprintf("%s%s: '%s'\n", indent, key, pick(t, "list", "*", "u,v", "v,u g", " g", "u,w h", ""))
			}
		}
		if template := pick(t, "template", wholeTemplates...); template != "" {
			line += indent + template + "\n"
		}
		return line
	})
	text = drawQuotaRounds(t, text)
	if chance(t, "no rules", 4) {
		return text
	}
	var rules []string
	for range 1 + roll(t, "rules", 3) {
		rules = append(rules, pick(t, "rule", wholeRules...))
	}
	return partitionLine.ReplaceAllStringFunc(text, func(line string) string {
		return fmt.Sprintf("%s  placementrules: [%s]\n", line, strings.Join(rules, ", "))
	})
}

var wholeTemplates = []string{
	"", "", "", "childtemplate: {resources: {max: {vcore: 3}}}", "childtemplate: {resources: {guaranteed: {vcore: 2}, max: {vcore: 4}}}",
	"childtemplate: {maxapplications: 1, properties: {application.sort.policy: stateaware}}",
	"childtemplate: {properties: {priority.policy: fence, preemption.delay: 1s, application.sort.policy: fifo}}",
}

// drawQuotaRounds enables preemption by quota, with a delay in every queue that has a preemption delay, such as root.
func drawQuotaRounds(t *rapid.T, text string) string {
	if chance(t, "no rounds", 8) {
		return text
	}
	if switchesLine.MatchString(text) {
		text = switchesLine.ReplaceAllString(text, "  preemption: {$1, quotapreemptionenabled: true}\n")
	} else {
		text = partitionLine.ReplaceAllString(text, "$0  preemption: {quotapreemptionenabled: true}\n")
	}
	return delayLine.ReplaceAllStringFunc(text, func(line string) string {
		return line + delayLine.FindStringSubmatch(line)[1] + "quota.preemption.delay: " + pick(t, "quota delay", "1s", "1s", "2s", "500ms", "2s", "5s", "0s") + "\n"
	})
}

func TestTheWholeQueueModelEqualsTheOracles(t *testing.T) {
	clusters, reached, sections := 0, map[string]int{}, map[string]int{}
	defer func() {
		t.Logf("%9d clusters", clusters)
		for _, section := range slices.Sorted(maps.Keys(sections)) {
			t.Logf("%9d clusters with %s", sections[section], section)
		}
		for _, kind := range slices.Sorted(maps.Keys(reached)) {
			t.Logf("%9d %s", reached[kind], kind)
		}
	}()
	rapid.Check(t, func(t *rapid.T) {
		clusters++
		met := map[string]bool{}
		defer func() {
			for section := range met {
				sections[section]++
			}
		}()
		judge := oracle.New()
		fast := newMachine()
		r := &lockstepRun{t: t, scenario: wholeScenarios().Draw(t, "scenario"), machines: []dumper{judge, fast}}
		r.check = func(call string, returns []outcome) {
			for _, d := range returns[0].decisions {
				if kind := kindOf(d); d.Type == core.AppMoved {
					reached[string(d.Type)]++
				} else {
					reached[kind]++
				}
				if section := sectionOf(&d); section != "" {
					met[section] = true
				}
			}
			r.equalsOracle(judge, call, returns)
			usage := r.machines[1].(*scheduler.Scheduler).LimitUsage()
			if d := listDifference("usage", mapped(judge.LimitUsage(), alikeUsage), mapped(usage, alikeUsage)); d != "" {
				r.fail("%s: %s", call, d)
			}
			if len(usage) > 0 {
				met["users or groups under limits"] = true
			}
		}
		cut := rapid.IntRange(0, len(r.scenario.steps)).Draw(t, "cut")
		r.runSteps(0, cut)
		second, err := restoreMachine(fast.Snapshot())
		if err != nil {
			r.fail("the snapshot cannot be restored: %v", err)
		}
		r.machines[1], r.idle = second, nil
		r.runSteps(cut, len(r.scenario.steps))
	})
}

// sectionOf returns the part of the queue model that a decision belongs to, or "".
func sectionOf(d *core.Decision) string {
	switch {
	case d.Quota != "":
		return "rounds by quota"
	case d.Type == core.AppMoved:
		return "moves"
	case d.Type == core.Replaced || d.Type == core.TimedOut:
		return "gangs by placeholders"
	case d.Type == core.QueueState && d.From == core.QueueStopped:
		return "dynamic queues"
	case d.Reason == core.ReasonAccessDenied:
		return "applications refused by lists"
	case d.Type == core.Preemption:
		return "preemption"
	case d.Partition != "":
		return "several partitions"
	}
	return ""
}

func TestSnapshot_QueueModelContinuesEqually(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { goOnFromSnapshot(t, wholeScenarios().Draw(t, "scenario")) })
}
