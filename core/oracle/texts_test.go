package oracle_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/oracle"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/core/scheduler"
)

// TestTexts_AreBoundedAsByTheOracle applies inputs with texts at their bounds and beyond them.
func TestTexts_AreBoundedAsByTheOracle(t *testing.T) {
	long := func(n int) string { return strings.Repeat("x", n) }
	texts := func(n int) map[string]string { return map[string]string{"a": long(n / 2), "b": long(n - n/2 - 6)} }
	capacity := set(4000, -1, -1)
	gang := func(n int) core.Ask { return core.Ask{Gang: &core.Gang{ID: long(n), Min: 1}} }
	typed := func(n int) resource.Set { return resource.NewSet(resource.Quantity{Type: long(n), Value: 1}) }
	values := func(n int) map[string][]string { return map[string][]string{"zone": make([]string, n)} }
	const name, all = 1024, 65536
	for i, tc := range []struct {
		in   func(n int) core.Input
		most int
	}{
		{func(n int) core.Input { return core.Input{Event: &core.AddNode{ID: long(n), Capacity: capacity}} }, name},
		{func(n int) core.Input {
			return core.Input{Event: &core.AddNode{ID: "m", Capacity: capacity, Partition: long(n)}}
		}, name},
		{func(n int) core.Input {
			return core.Input{Event: &core.AddNode{ID: "m", Capacity: capacity, Partition: "GPU", Attributes: texts(n - len("vcore") - 1)}}
		}, all},
		{func(n int) core.Input { return core.Input{Event: &core.AddNode{ID: "m", Capacity: typed(n)}} }, name},
		{func(n int) core.Input {
			return core.Input{Event: &core.AddNode{ID: "m", Capacity: capacity, Occupied: typed(n)}}
		}, name},
		{func(n int) core.Input { return core.Input{Event: &core.UpdateNode{ID: "n1", Attributes: texts(n)}} }, all},
		{func(n int) core.Input { return core.Input{Event: &core.DrainNode{ID: long(n)}} }, name},
		{func(n int) core.Input { return core.Input{Event: &core.AddApp{ID: long(n), Queue: "root.a"}} }, name},
		{func(n int) core.Input {
			return core.Input{Event: &core.AddApp{ID: "b", Queue: "root.a", User: long(n)}}
		}, name},
		{func(n int) core.Input {
			return core.Input{Event: &core.AddApp{ID: "b", Queue: "root.a", Groups: []string{"g", long(n)}}}
		}, name},
		{func(n int) core.Input {
			return core.Input{Event: &core.AddApp{ID: "b", Queue: "root.a", Partition: "gpu", Tags: texts(n - len("root.a"))}}
		}, all},
		{func(n int) core.Input { return core.Input{Event: &core.AddApp{ID: "b", Queue: long(n)}} }, all},
		{func(n int) core.Input {
			return core.Input{Event: &core.AddApp{ID: "b", Queue: "root.a", Groups: make([]string, n-len("root.a"))}}
		}, all},
		{func(n int) core.Input { return core.Input{Event: &core.MoveApp{ID: "a", Queue: long(n)}} }, all},
		{func(n int) core.Input { return core.Input{Event: &core.RemoveApp{ID: long(n)}} }, name},
		{func(n int) core.Input {
			return core.Input{Event: &core.AddAsk{ID: long(n), App: "a", Resources: cores(1)}}
		}, name},
		{func(n int) core.Input {
			return core.Input{Event: &core.AddAsk{ID: "k", App: long(n), Resources: cores(1)}}
		}, name},
		{func(n int) core.Input { return core.Input{Event: &core.AddAsk{ID: "k", App: "a", Resources: typed(n)}} }, name},
		{func(n int) core.Input {
			return core.Input{Event: &core.AddAsk{ID: "k", App: "a", Resources: cores(1), Ask: core.Ask{Node: long(n)}}}
		}, name},
		{func(n int) core.Input {
			return core.Input{Event: &core.AddAsk{ID: "k", App: "a", Resources: cores(1), Ask: core.Ask{TaskGroup: long(n)}}}
		}, name},
		{func(n int) core.Input {
			return core.Input{Event: &core.AddAsk{ID: "k", App: "a", Resources: cores(1), Ask: gang(n)}}
		}, name},
		{func(n int) core.Input {
			return core.Input{Event: &core.AddAsk{ID: "k", App: "a", Resources: cores(1), Ask: core.Ask{Constraints: values(n - len("zone") - 1 - len("vcore") - 1)}}}
		}, all},
		{func(n int) core.Input {
			return core.Input{Event: &core.RestoreAllocation{AddAsk: core.AddAsk{ID: "k", App: "a", Resources: cores(1)}, PlacedOn: long(n)}}
		}, name},
		{func(n int) core.Input { return core.Input{Event: &core.ReleaseAllocation{ID: long(n)}} }, name},
	} {
		for _, n := range []int{tc.most, tc.most + 1, 1 << 20} {
			fast, slow := scheduler.New(core.Options{}), core.Machine(oracle.New())
			for _, m := range []core.Machine{fast, slow} {
				m.Advance(0)
				for _, in := range []core.Input{
					{Event: &core.SetConfig{Config: "partitions: [{queues: [{name: a}]}, {name: gpu, queues: [{name: a}]}]"}},
					{Event: &core.AddNode{ID: "n1", Capacity: capacity}},
					{Event: &core.AddApp{ID: "a", Queue: "root.a"}},
					tc.in(n),
				} {
					m.Apply(&in)
					m.Cycle(-1)
				}
			}
			want, found := slow.Take(), fast.Take()
			longest := 0
			for i := range found {
				longest = max(longest, len(found[i].Message)+len(found[i].ID)+len(found[i].App))
				found[i].Message = ""
				found[i].Submission, found[i].Placement = 0, 0
			}
			for i := range want {
				want[i].Message = ""
				want[i].Submission, want[i].Placement = 0, 0
			}
			if fmt.Sprint(found) != fmt.Sprint(want) {
				t.Errorf("case %d, %d bytes: expected\n%.900v\nfound\n%.900v", i, n, want, found)
			}
			if last := found[len(found)-1]; (last.Reason == core.ReasonNameTooLong) != (n > tc.most) || n > tc.most && longest > 600 {
				t.Errorf("case %d, %d bytes: found %.200q and %d bytes of text", i, n, last.Reason, longest)
			}
		}
	}
}

// drawLongTexts occasionally makes one text of an event about as long as permitted, if events of its kind have that text.
func drawLongTexts(t *rapid.T, e core.Event) {
	if !chance(t, "long text", 60) {
		return
	}
	name := strings.Repeat("é", pick(t, "length of a name", 512, 513))
	all := strings.Repeat("y", pick(t, "length of all", 65000, 65536))
	field := pick(t, "long", "id", "app", "partition", "tags", "attributes", "group")
	switch e := e.(type) {
	case *core.AddNode:
		switch field {
		case "id":
			e.ID = name
		case "partition":
			e.Partition = name
		case "attributes":
			e.Attributes = map[string]string{"zone": all}
		}
	case *core.AddApp:
		switch field {
		case "id":
			e.ID = name
		case "partition":
			e.Partition = name
		case "tags":
			if e.Tags = maps.Clone(e.Tags); e.Tags == nil {
				e.Tags = map[string]string{}
			}
			e.Tags["text"] = all
		case "group":
			e.Groups = append([]string{name}, e.Groups...)
		}
	default:
		switch ask := (core.Input{Event: e}).Ask(); field {
		case "id":
			ask.ID = name
		case "app":
			ask.App = name
		}
	}
}
