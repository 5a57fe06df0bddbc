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
)

// windowScenarios are scenarios with walltimes in which inputs and configurations add and remove windows.
func windowScenarios() *rapid.Generator[scenario] {
	return rapid.Custom(func(t *rapid.T) scenario { return withWindows(t, walltimeScenarios().Draw(t, "of walltimes")) })
}

// withWindows adds inputs about windows between the steps of a scenario, and windows to its configurations.
func withWindows(t *rapid.T, s scenario) scenario {
	var steps []step
	every := pick(t, "every", 4, 8, 16)
	for i, st := range s.steps {
		if in := st.input; in != nil {
			if set, ok := in.Event.(*core.SetConfig); ok && chance(t, "configured", 2) {
				st.input = &core.Input{Event: &core.SetConfig{Config: withConfiguredWindows(t, set.Config)}}
			}
		}
		steps = append(steps, st)
		if i > 2 && chance(t, "window", every) {
			steps = append(steps, step{kind: stepInput, input: &core.Input{Event: drawWindow(t)}})
		}
	}
	s.steps = steps
	return s
}

// drawWindow draws an input about a window. Its times are relative to the present.
func drawWindow(t *rapid.T) core.Event {
	id := pick(t, "window", "w1", "w2", "w3", "c1")
	if chance(t, "remove", 4) {
		return &core.RemoveWindow{ID: id}
	}
	w := &core.AddWindow{ID: id, From: pick(t, "from", 0, time.Second, -time.Second, 2*time.Second, 10*time.Second, time.Minute),
		Every: pick(t, "again", 0, 0, 5*time.Second, 20*time.Second)}
	if !chance(t, "open", 4) {
		w.Until = new(w.From + pick(t, "length", 5*time.Second, time.Second, 20*time.Second, 2*time.Minute, 0))
	}
	if chance(t, "matching", 3) {
		w.Constraints = pick(t, "constraints", map[string][]string{}, map[string][]string{"zone": {"a"}}, map[string][]string{"zone": {"a", "b"}})
		w.Count = pick(t, "count", 1, 2, 5)
	} else {
		w.Nodes = pick(t, "nodes", []string{"n1"}, []string{"n2"}, []string{"n2", "n1"}, []string{"n1", "n3"}, []string{"n9"})
	}
	w.Queues = pick(t, "queues", nil, nil, []string{"root.a"}, []string{"root"}, []string{"ROOT.b", "root.c"})
	w.Users = pick(t, "users", nil, nil, []string{"u"}, []string{"v", "ann"})
	w.Groups = pick(t, "groups", nil, nil, []string{"g"})
	return w
}

// withConfiguredWindows adds windows to the first partition of a configuration.
func withConfiguredWindows(t *rapid.T, text string) string {
	var list []string
	for i := range 1 + roll(t, "windows", 2) {
		nodes := pick(t, "nodes", "nodes: [n1, n7]", "nodes: [n2]", "constraints: {}", "constraints: {zone: [a]}", "constraints: {}, count: 2")
		list = append(list, fmt.Sprintf("{id: %s, schedule: '%s', duration: %s, %s, %s}", pick(t, "id", "c", "d", "w")+fmt.Sprint(i+1),
			pick(t, "schedule", "* * * * *", "*/2 * * * *", "1-59/3 * * * *"), pick(t, "duration", "10s", "1m", "31s"), nodes,
			pick(t, "named", "users: [u]", "queues: [root.a]", "groups: [g]", "queues: []")))
	}
	unbounded := pick(t, "unbounded", "", "window: {unbounded: allow}, ", "window: {unbounded: refuse}, ")
	keys := unbounded + "windows: [" + strings.Join(list, ", ") + "]"
	at := strings.Index(text, "queues:")
	if at < 0 {
		return text
	}
	if open := strings.LastIndexByte(text[:at], '{'); open >= 0 && open > strings.LastIndexByte(text[:at], '\n') {
		return text[:open+1] + keys + ", " + text[open+1:]
	}
	line := text[strings.LastIndexByte(text[:at], '\n')+1 : at]
	indent := strings.Repeat(" ", len(line))
	var block strings.Builder
	if unbounded != "" {
		block.WriteString(strings.TrimSuffix(unbounded, ", ") + "\n" + indent)
	}
	return text[:at] + block.String() + "windows: [" + strings.Join(list, ", ") + "]\n" + indent + text[at:]
}

// atPresent moves the times of a window, which were drawn relative to the present.
func atPresent(in *core.Input) {
	w, ok := in.Event.(*core.AddWindow)
	if !ok {
		return
	}
	own := *w
	own.From += in.At
	if w.Until != nil {
		own.Until = new(*w.Until + in.At)
	}
	in.Event = &own
}

func TestWindows_EqualTheOracles(t *testing.T) {
	reached := map[string]int{}
	defer func() { t.Logf("%v", reached) }()
	rapid.Check(t, func(t *rapid.T) {
		judge := oracle.New()
		r := &lockstepRun{t: t, scenario: windowScenarios().Draw(t, "scenario"), machines: []dumper{judge, newMachine()}}
		r.check = func(call string, returns []outcome) {
			for _, d := range returns[0].decisions {
				switch {
				case strings.HasPrefix(string(d.Type), "window."), d.Reason == core.ReasonWindow:
					reached[string(d.Type)+" "+string(d.Reason)]++
				case slices.Contains([]core.DecisionType{core.ConfigAccepted, core.ConfigRejected, core.Allocation, core.Preemption}, d.Type):
					reached[string(d.Type)]++
				}
			}
			r.equalsOracle(judge, call, returns)
		}
		r.run()
	})
}

func TestWindows_GoOnFromASnapshot(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { goOnFromSnapshot(t, windowScenarios().Draw(t, "scenario")) })
}

func TestWindows_InvariantsHold(t *testing.T) {
	invariantsHold(t, rapid.Custom(func(t *rapid.T) scenario { return withWindows(t, drawScenario(t)) }))
}

func TestWindows_SlicedDecidesAsWhole(t *testing.T) {
	slicedDecidesAsWhole(t, windowScenarios())
}
