package oracle_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/oracle"
	"github.com/quern-project/quern/core/scheduler"
)

// drawPartitions draws a scenario in which configurations have several partitions, often different from those before, and nodes and
// applications are added to any of them, or to one that does not exist.
func drawPartitions(t *rapid.T) scenario {
	return partitioned(t, rapid.OneOf(scenarios(), scenarios(), gangScenarios()).Draw(t, "inner"))
}

// partitioned draws several partitions for a scenario of one.
func partitioned(t *rapid.T, s scenario) scenario {
	return putInPartitions(t, s, []string{"gpu", "", "default", "GPU", "", "batch", "gpu", "nowhere"})
}

// putInPartitions adds several partitions to the configurations of a scenario, and assigns nodes and applications to them.
func putInPartitions(t *rapid.T, s scenario, named []string) scenario {
	var bodies []string
	for _, step := range s.steps {
		if body, valid := partitionText(step); valid && !slices.Contains(bodies, body) {
			bodies = append(bodies, body)
		}
	}
	for i, step := range s.steps {
		if step.input == nil {
			continue
		}
		in := step.input.Clone()
		switch e := in.Event.(type) {
		case *core.AddNode:
			e.Partition = pick(t, "partition", named...)
		case *core.AddApp:
			e.Partition = pick(t, "partition", named...)
		case *core.SetConfig:
			if body, valid := partitionText(step); valid {
				e.Config = drawPartitionList(t, body, bodies)
			}
		default:
		}
		s.steps[i].input = &in
	}
	return s
}

const onePartition = "partitions:\n- name: default\n"

// partitionText returns the text of the partition in a configuration with one partition.
func partitionText(s step) (body string, valid bool) {
	if s.input == nil || s.input.Type() != core.ConfigSet || slices.Contains(invalidConfigs, s.input.Event.(*core.SetConfig).Config) {
		return "", false
	}
	return strings.CutPrefix(s.input.Event.(*core.SetConfig).Config, onePartition)
}

func drawPartitionList(t *rapid.T, body string, bodies []string) string {
	names := pick(t, "partitions", []string{"default", "gpu"}, []string{"default", "GPU", "batch"}, []string{"default"}, []string{"Gpu", "Default"},
		[]string{"main"}, []string{"gpu", "batch"}, []string{"batch", "gpu", "DEFAULT"}, []string{"default", "gpu"})
	var text strings.Builder
	text.WriteString("partitions:\n")
	for i, name := range names {
		if i > 0 {
			body = pick(t, "partition text", bodies...)
		}
		fmt.Fprintf(&text, "- name: %s\n%s", name, body)
	}
	return text.String()
}

func TestDecisionsInSeveralPartitionsEqualTheOracles(t *testing.T) {
	scenarios, most, elsewhere := 0, 0, map[core.DecisionType]int{}
	defer func() {
		t.Logf("%d scenarios with up to %d partitions: outside the first %d nodes, %d applications, %d allocations, %d preemptions, %d changes of queues, %d configurations refused",
			scenarios, most, elsewhere[core.NodeAccepted], elsewhere[core.AppAccepted], elsewhere[core.Allocation], elsewhere[core.Preemption], elsewhere[core.QueueState],
			elsewhere[core.ConfigRejected])
	}()
	rapid.Check(t, func(t *rapid.T) {
		judge := oracle.New()
		r := &lockstepRun{t: t, scenario: rapid.Custom(drawPartitions).Draw(t, "scenario"), machines: []dumper{judge, newMachine()}}
		scenarios++
		r.check = func(call string, returns []outcome) {
			d := judge.Dump()
			most = max(most, 1+len(d.Others))
			countElsewhere(d, returns[0].decisions, elsewhere)
			r.equalsOracle(judge, call, returns)
		}
		r.run()
	})
}

// countElsewhere counts decisions about objects outside the first partition, and configurations that were refused because of objects in use.
func countElsewhere(d core.Dump, decisions []core.Decision, counts map[core.DecisionType]int) {
	for _, decided := range decisions {
		i := slices.IndexFunc(d.Nodes, func(n core.NodeDump) bool { return n.ID == decided.Node })
		inUse := len(decided.Errors) > 0 && strings.Contains(decided.Errors[0], "in use")
		if decided.Partition != "" || i >= 0 && d.Nodes[i].Partition != "" || inUse {
			counts[decided.Type]++
		}
	}
}

func TestSnapshot_PartitionsContinueEqually(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { goOnFromSnapshot(t, rapid.Custom(drawPartitions).Draw(t, "scenario")) })
}

// An interrupted search for victims delays the cycles of later partitions.
func TestSearchBudget_ChangesNoDecisionOfPartitions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		hasty := scheduler.New(core.Options{SearchSteps: 1})
		r := &lockstepRun{t: t, scenario: rapid.Custom(drawPartitions).Draw(t, "scenario"), machines: []dumper{newMachine(), hasty}}
		r.check = r.sameToTheLetter
		r.run()
	})
}
