package oracle_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/oracle"
	"github.com/quern-project/quern/core/scheduler"
)

// drawDelay draws a short delay, or one that may end beyond the clock.
func drawDelay(t *rapid.T, name string) time.Duration {
	if chance(t, name+" is short", 3) {
		return time.Duration(1+roll(t, name+" in seconds", 40)) * time.Second
	}
	return time.Duration(rapid.Int64Range(math.MaxInt64/4, math.MaxInt64).Draw(t, name))
}

// drawDelays configures a cluster that uses every kind of delay, and returns the inputs for it.
func drawDelays(t *rapid.T) []core.Input {
	config := fmt.Sprintf(`partitions:
- preemption: {quotapreemptionenabled: true}
  queues:
  - name: root
    properties: {reservation.delay: %dns, preemption.delay: %dns, preemption.patience: %dns, quota.preemption.delay: %dns}
    queues:
    - {name: a, resources: {guaranteed: {vcore: 4}}}
    - {name: b, resources: {max: {vcore: 6}}}
`, drawDelay(t, "reservation"), drawDelay(t, "preemption"), drawDelay(t, "patience"), drawDelay(t, "quota"))
	gang := &core.Gang{ID: "g", Min: 2, Timeout: drawDelay(t, "gang")}
	return []core.Input{
		{Event: &core.SetConfig{Config: config}},
		{Event: &core.AddNode{ID: "n", Capacity: cores(4)}}, {Event: &core.AddNode{ID: "m", Capacity: cores(4)}},
		{Event: &core.AddApp{ID: "x", Queue: "root.a"}}, {Event: &core.AddApp{ID: "y", Queue: "root.b"}},
		{Event: &core.AddApp{ID: "z", Queue: "root.b", Placeholders: &core.Placeholders{Ask: cores(2), Timeout: drawDelay(t, "placeholders")}}},
		{Event: &core.RestoreAllocation{AddAsk: core.AddAsk{ID: "f1", App: "y", Resources: cores(3)}, PlacedOn: "n"}},
		{Event: &core.RestoreAllocation{AddAsk: core.AddAsk{ID: "f2", App: "y", Resources: cores(4)}, PlacedOn: "m"}},
		{Event: &core.AddAsk{ID: "p", App: "z", Resources: cores(1), Ask: core.Ask{Placeholder: true, TaskGroup: "w"}}},
		{Event: &core.AddAsk{ID: "big", App: "x", Resources: cores(3)}},
		{Event: &core.AddAsk{ID: "g1", App: "x", Resources: cores(2), Ask: core.Ask{Gang: gang}}},
	}
}

func TestDelays_BeyondTheClock(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		judge, machine := oracle.New(), scheduler.New(core.Options{})
		both := []core.Machine{judge, machine}
		year := int64(365 * 24 * time.Hour)
		at := time.Duration(rapid.Int64Range(-290*year, 290*year).Draw(t, "start"))
		agree := func(what string) {
			if d := difference(judge.Take(), machine.Take()); d != "" {
				t.Fatalf("after %s: %s", what, d)
			}
		}
		for _, m := range both {
			m.Advance(at)
		}
		inputs := drawDelays(t)
		for i := range inputs {
			for _, m := range both {
				in := inputs[i]
				in.At = at
				m.Apply(&in)
			}
			agree(string(inputs[i].Type()))
		}
		for stops := 0; ; stops++ {
			for _, m := range both {
				m.Cycle(-1)
			}
			agree(fmt.Sprint("the cycle at ", at))
			next, ok := machine.Deadline()
			if due, wanted := judge.Due(); wanted && (!ok || next > due) {
				t.Fatalf("at %d: the machine wakes at %d, %v; something is due at %d", at, next, ok, due)
			}
			if !ok {
				return
			}
			if next <= at || next == math.MaxInt64 || stops > 100 {
				t.Fatalf("at %d, after %d stops: the next deadline is at %d", at, stops, next)
			}
			at = next
			for _, m := range both {
				m.Advance(at)
			}
			agree(fmt.Sprint("advancing to ", at))
		}
	})
}
