package scheduler_test

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/oracle"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/core/scheduler"
)

// TestMoreClassesThanBitsDecideLikeTheOracle has many more shapes of pending asks than a set of classes has bits. So classes share
// bits, are added and removed, and fail and are retried together.
func TestMoreClassesThanBitsDecideLikeTheOracle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		machines := []core.Machine{scheduler.New(core.Options{}), oracle.New()}
		all := func(do func(core.Machine)) {
			for _, m := range machines {
				do(m)
			}
		}
		say := func(in core.Input) {
			in.At = machines[0].Now()
			all(func(m core.Machine) { own := in; m.Apply(&own) })
		}
		compare := func(what string) {
			all(func(m core.Machine) { m.Cycle(-1) })
			if found, expected := lines(t, withoutTexts(machines[0].Take())), lines(t, withoutTexts(machines[1].Take())); found != expected {
				t.Fatalf("%s: expected\n%s\nfound\n%s", what, expected, found)
			}
		}
		all(func(m core.Machine) { m.Advance(0) })
		say(core.Input{Event: &core.SetConfig{Config: partition(", queues: [{name: a, resources: {max: {vcore: 60}}}, {name: b, properties: {application.sort.policy: fair}}]", "")}})
		for i := range 6 {
			say(core.Input{Event: &core.AddNode{ID: fmt.Sprint("n", i), Capacity: vcores(int64(4 + 3*i)), Attributes: map[string]string{"zone": fmt.Sprint(i % 3)}}})
		}
		for i := range 5 {
			say(core.Input{Event: &core.AddApp{ID: fmt.Sprint("app", i), Queue: []string{"root.a", "root.b"}[i%2]}})
		}
		asks := rapid.IntRange(65, 90).Draw(t, "asks")
		for i := range asks {
			in := core.Input{Event: &core.AddAsk{ID: fmt.Sprint("x", i), App: fmt.Sprint("app", i*7%5),
				Resources: resource.NewSet(resource.Quantity{Type: resource.VCore, Value: 1000 + int64(i*i*37%9000)})}}
			in.Ask().Priority = int32(i % 3)
			if i%4 == 0 {
				in.Ask().Constraints = map[string][]string{"zone": {fmt.Sprint(i % 3)}}
			}
			say(in)
		}
		compare("the first cycle")
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			ask := fmt.Sprint("x", rapid.IntRange(0, asks-1).Draw(t, "ask"))
			switch rapid.IntRange(0, 6).Draw(t, "step") {
			case 0, 1:
				say(core.Input{Event: &core.ReleaseAllocation{ID: ask}})
			case 2:
				say(core.Input{Event: &core.RemoveAsk{ID: ask}})
			case 3:
				say(core.Input{Event: &core.UpdateAsk{ID: ask, Resources: resource.NewSet(resource.Quantity{Type: resource.VCore, Value: rapid.Int64Range(900, 6000).Draw(t, "size")})}})
			case 4:
				say(core.Input{Event: &core.UpdateNode{ID: fmt.Sprint("n", rapid.IntRange(0, 5).Draw(t, "node")), Capacity: vcores(rapid.Int64Range(2, 24).Draw(t, "capacity"))}})
			case 5:
				to := machines[0].Now() + time.Duration(rapid.IntRange(1, 40).Draw(t, "seconds"))*time.Second
				for at, ok := machines[0].Deadline(); ok && at < to; at, ok = machines[0].Deadline() {
					all(func(m core.Machine) { m.Advance(at) })
					compare(at.String())
				}
				all(func(m core.Machine) { m.Advance(to) })
			default:
				asks++
				say(core.Input{Event: &core.AddAsk{ID: fmt.Sprint("x", asks-1), App: fmt.Sprint("app", asks%5), Resources: vcores(rapid.Int64Range(1, 9).Draw(t, "size"))}})
			}
			compare(machines[0].Now().String())
		}
	})
}

// withoutTexts removes messages, which the oracle does not write.
func withoutTexts(decisions []core.Decision) []core.Decision {
	for i := range decisions {
		decisions[i].Message = ""
	}
	return decisions
}
