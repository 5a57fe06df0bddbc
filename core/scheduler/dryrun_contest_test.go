package scheduler_test

import (
	"fmt"
	"strings"
	"time"

	"pgregory.net/rapid"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/core/scheduler"
)

// contestLeaves are the leaves of a contest.
var contestLeaves = []string{"root.a", "root.p.b", "root.p.c", "root.d"}

// contest generates a small cluster with full nodes, and asks that may or may not preempt there some time later. said holds, by ask,
// the properties that are not in a Dump.
func contest(t *rapid.T) (s *scheduler.Scheduler, said map[string]core.Ask, enabled bool) {
	roll := func(what string, n int) int { return rapid.IntRange(0, n-1).Draw(t, what) }
	l := &life{t: t}
	enabled = roll("enabled", 6) != 4
	s = scheduler.New(core.Options{})
	s.Advance(0)
	s.Apply(&core.Input{Event: &core.SetConfig{Config: contestConfig(l, enabled)}})
	if d := s.Take(); d[0].Type != core.ConfigAccepted {
		t.Fatalf("the configuration is refused: %v", d)
	}
	said = map[string]core.Ask{}
	nodes := 1 + roll("nodes", 3)
	for i := range nodes {
		s.Apply(&core.Input{Event: &core.AddNode{ID: fmt.Sprint("n", i), Capacity: resource.NewSet(append(vcores(int64(4+roll("cores", 3))), resource.Quantity{Type: "gpu", Value: int64(1 + roll("gpus", 2))})...), Occupied: vcores(int64(roll("occupied", 5) / 4)),
			Attributes: map[string]string{"zone": l.pick("zone", "x", "y")}}})
	}
	for i := range 4 + roll("allocations", 8) {
		ask := *contestAsk(l, fmt.Sprint("v", i), "old", nodes).Ask()
		in := &core.RestoreAllocation{AddAsk: ask, PlacedOn: fmt.Sprint("n", roll("on", nodes))}
		if in.Ask.Node != "" {
			in.Ask.Node = in.PlacedOn
		}
		in.Resources = contestAmount(roll, 1)
		in.Constraints = nil
		contestSend(s, core.Input{Event: in}, said)
	}
	for i := range 1 + roll("asks", 4) {
		contestSend(s, contestAsk(l, fmt.Sprint("x", i), l.pick("own", "new", "old"), nodes), said)
	}
	s.Cycle(-1)
	for i := range nodes {
		if roll("drained", 6) == 4 {
			s.Apply(&core.Input{At: s.Now(), Event: &core.DrainNode{ID: fmt.Sprint("n", i)}})
		}
	}
	for range roll("deadlines", 4) {
		if at, ok := s.Deadline(); ok && at < time.Hour {
			s.Advance(at)
			s.Cycle(-1)
		}
	}
	if roll("late", 2) == 0 {
		contestSend(s, contestAsk(l, "late", "new", nodes), said)
	}
	s.Take()
	return s, said, enabled
}

func contestConfig(l *life, enabled bool) string {
	queue := func(name, more string) string {
		var resources []string
		if l.roll("guarantees", 3) > 0 {
			resources = append(resources, fmt.Sprintf("guaranteed: {vcore: %d}", l.roll("guaranteed", 4)))
		}
		if l.roll("limits", 3) == 0 {
			resources = append(resources, fmt.Sprintf("max: {vcore: %d}", 3+l.roll("max", 9)))
		}
		return fmt.Sprintf(`{name: %s, resources: {%s}, properties: {preemption.policy: %s, preemption.intra-queue: %s, priority.policy: %s, priority.offset: "%d", preemption.delay: 1s}%s}`,
			name, strings.Join(resources, ", "), l.pick("policy", "default", "default", "default", "default", "fence", "disabled"), l.pick("intra", "disabled", "disabled", "enabled"),
			l.pick("priorities", "default", "default", "fence"), l.roll("offset", 3)-1, more)
	}
	child := func(name string) string {
		return fmt.Sprintf(`{name: %s, resources: {guaranteed: {vcore: %d, gpu: %d}}, properties: {preemption.policy: %s}}`, name, l.roll("child", 2), l.roll("gpu of a child", 2), l.pick("policy of a child", "default", "default", "fence"))
	}
	parent := fmt.Sprintf(`{name: p, properties: {preemption.policy: %s, preemption.delay: 1s, priority.offset: "%d"}, queues: [%s, %s]}`,
		l.pick("policy of p", "default", "default", "fence", "disabled"), l.roll("offset of p", 3)-1, child("b"), child("c"))
	root := fmt.Sprintf(", properties: {reservation.delay: %s}, queues: [%s, %s, %s]", l.pick("delay", "1s", "0s"), queue("a", ""), parent, queue("d", ""))
	return partition(root, fmt.Sprintf(", preemption: {enabled: %v}", enabled))
}

// contestAmount returns vcores above a minimum and sometimes a gpu.
func contestAmount(roll func(string, int) int, floor int) resource.Set {
	set := vcores(int64(floor + roll("vcore", 3)))
	if roll("gpu", 4) == 3 {
		set = resource.NewSet(append(set, resource.Quantity{Type: "gpu", Value: 1})...)
	}
	return set
}

func contestAsk(l *life, id, app string, nodes int) core.Input {
	leaf := contestLeaves[l.roll("leaf", len(contestLeaves))]
	in := &core.AddAsk{ID: id, App: app + "@" + leaf, Resources: contestAmount(l.roll, 1)}
	in.Ask = core.Ask{Priority: int32(l.roll("priority", 3)), NoPreemptOthers: l.roll("polite", 12) == 7, NotPreemptable: l.roll("spared", 6) == 3}
	switch l.roll("wish", 8) {
	case 4:
		in.Ask.Node = fmt.Sprint("n", l.roll("node", nodes+1))
	case 5:
		in.Ask.Constraints = map[string][]string{"zone": {l.pick("zone", "x", "y", "z")}}
	case 6:
		in.Resources = vcores(int64(4 + l.roll("large", 9)))
	}
	return core.Input{Event: in}
}

// contestSend applies an input, and before it the input of its application.
func contestSend(s *scheduler.Scheduler, in core.Input, said map[string]core.Ask) {
	_, leaf, _ := strings.Cut(in.Ask().App, "@")
	s.Apply(&core.Input{At: s.Now(), Event: &core.AddApp{ID: in.Ask().App, Queue: leaf}})
	in.At = s.Now()
	s.Apply(&in)
	said[in.ID()] = in.Ask().Ask
}
