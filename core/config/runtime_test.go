package config

import (
	"testing"
	"time"

	"github.com/quern-project/quern/core/instant"
)

const (
	aDuration = "expected a duration such as 10m, or 0s for none, found "
	aPeriod   = "expected a duration above zero, such as 12h, found "
	aBudget   = "expected a number of victims from 1 and a duration above zero, such as 5/1h, found "
)

func TestMinRuntime_Refusals(t *testing.T) {
	checkRefusals(t, "partitions: [{queues: [{name: a, properties: {", "}}]}]", []refusal{
		{`preemption.min-runtime: 10m, preemption.min-runtime.max: 1h, preemption.min-runtime.required: "true"`, ""},
		{`preemption.min-runtime: 0s`, ""},
		{`preemption.min-runtime: 10`, "root.a: preemption.min-runtime: " + aDuration + `"10"`},
		{`preemption.min-runtime: -1s`, "root.a: preemption.min-runtime: " + aDuration + `"-1s"`},
		{`preemption.min-runtime.max: 0s`, "root.a: preemption.min-runtime.max: " + aPeriod + `"0s"`},
		{`preemption.min-runtime.max: long`, "root.a: preemption.min-runtime.max: " + aPeriod + `"long"`},
		{`preemption.min-runtime.required: yes`, `root.a: preemption.min-runtime.required: expected false or true, found "yes"`},
	})
}

func TestBudget_Refusals(t *testing.T) {
	checkRefusals(t, "partitions: [{queues: [{name: a, properties: {preemption.budget: ", "}}]}]", []refusal{
		{"5/1h", ""},
		{"1/1ns", ""},
		{"5", "root.a: preemption.budget: " + aBudget + `"5"`},
		{"0/1h", "root.a: preemption.budget: " + aBudget + `"0/1h"`},
		{"-1/1h", "root.a: preemption.budget: " + aBudget + `"-1/1h"`},
		{"+1/1h", "root.a: preemption.budget: " + aBudget + `"+1/1h"`},
		{"5/0s", "root.a: preemption.budget: " + aBudget + `"5/0s"`},
		{"5 / 1h", "root.a: preemption.budget: " + aBudget + `"5 / 1h"`},
		{"5/1h/2h", "root.a: preemption.budget: " + aBudget + `"5/1h/2h"`},
		{"1.5/1h", "root.a: preemption.budget: " + aBudget + `"1.5/1h"`},
		{"3000000000/1h", "root.a: preemption.budget: " + aBudget + `"3000000000/1h"`},
	})
}

func TestMinRuntime_OfAsks(t *testing.T) {
	for _, c := range []struct {
		least, most, stated, want time.Duration
	}{
		{0, 0, 0, 0},
		{0, 0, time.Hour, 0},
		{time.Minute, 0, 0, time.Minute},
		{time.Minute, 0, time.Hour, time.Minute},
		{time.Minute, 0, time.Second, time.Second},
		{0, time.Hour, 0, 0},
		{0, time.Hour, time.Minute, time.Minute},
		{time.Minute, time.Hour, 2 * time.Hour, time.Hour},
	} {
		m := MinRuntime{Default: instant.Delay(c.least), Max: instant.Delay(c.most)}
		if got := m.Of(c.stated); got != instant.Delay(c.want) {
			t.Errorf("%s, at most %s, stated %s: expected %s, found %s", c.least, c.most, c.stated, c.want, got)
		}
	}
}

func TestMinRuntime_Inherited(t *testing.T) {
	c, err := Decode([]byte(`partitions: [{queues: [{name: p, properties: {preemption.min-runtime: 10m, preemption.budget: 5/1h}, queues: [{name: a}]}]}]`), Options{})
	if err != nil {
		t.Fatal(err)
	}
	p := c.Partitions[0].Root.Children[0]
	a := p.Children[0]
	if a.MinRuntime.Default != instant.Delay(10*time.Minute) || p.Budget != (Budget{5, instant.Delay(time.Hour)}) || a.Budget != (Budget{}) || a.Inherited[propBudget] != "" {
		t.Errorf("expected the least run time to be inherited, and the budget not, found %+v", a)
	}
}
