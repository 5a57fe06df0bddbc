package journal

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
)

func TestDecisionsHaveTheirKeysInOrder(t *testing.T) {
	start := 1500 * time.Millisecond
	all := core.Decision{Seq: 7, At: 1500 * time.Millisecond, ID: "i\"d", App: "x", Queue: "root.q", Node: "n", For: "f", Partition: "gpu", Priority: -1,
		Resources: set(resource.Quantity{Type: "vcore", Value: 1500}, resource.Quantity{Type: "gpu"}, resource.Quantity{Type: "memory", Value: 1 << 40}),
		From:      "A", To: "B", Input: core.AskRemove, Policy: "p", Fallback: "fair", Reason: "r", Message: "<m>\n", Approximate: true, Right: core.RightQueue,
		Gang: "g", GangEnded: true, Allocated: 2, Min: 3,
		Warnings: []string{"w", "v"}, Start: &start, Nodes: []string{"n", "m"}}
	for typ, expected := range map[core.DecisionType]string{
		core.AppAccepted:    `"id":"i\"d","queue":"root.q","partition":"gpu"`,
		core.AppRejected:    `"id":"i\"d","reason":"r","message":"<m>\n","partition":"gpu"`,
		core.AppMoved:       `"id":"i\"d","from":"A","to":"B"`,
		core.AppState:       `"id":"i\"d","from":"A","to":"B","reason":"r"`,
		core.NodeAccepted:   `"id":"i\"d","partition":"gpu"`,
		core.NodeRejected:   `"id":"i\"d","reason":"r","message":"<m>\n","partition":"gpu"`,
		core.AskRejected:    `"id":"i\"d","app":"x","reason":"r","message":"<m>\n"`,
		core.Allocation:     `"id":"i\"d","app":"x","queue":"root.q","node":"n","priority":-1,"resources":{"memory":1099511627776,"vcore":"1500m"}`,
		core.Release:        `"id":"i\"d","reason":"r"`,
		core.Preemption:     `"id":"i\"d","for":"f","node":"n","queue":"root.q","right":"queue","gang":"g","gang_ended":true,"approximate":true`,
		core.GangFallback:   `"app":"x","gang":"g","reason":"r"`,
		core.GangBroken:     `"app":"x","gang":"g","allocated":2,"min":3,"reason":"r"`,
		core.Replaced:       `"id":"i\"d","for":"f","node":"n"`,
		core.TimedOut:       `"id":"i\"d","app":"x","node":"n","reason":"r"`,
		core.Exceeded:       `"id":"i\"d","app":"x","node":"n","reason":"r"`,
		core.Reservation:    `"id":"i\"d","node":"n","gang":"g"`,
		core.Lapsed:         `"for":"f","node":"n","reason":"r"`,
		core.Unreservation:  `"id":"i\"d","node":"n","gang":"g","reason":"r"`,
		core.Plan:           `"id":"i\"d","app":"x","gang":"g","start":"START","node":"n","nodes":["n","m"],"reason":"r"`,
		core.ConfigAccepted: `"warnings":["w","v"]`,
		core.ConfigRejected: `"errors":[]`,
		core.PolicyFault:    `"policy":"p","reason":"r","message":"<m>\n","fallback":"fair"`,
		core.QueueState:     `"queue":"root.q","from":"A","to":"B","reason":"r","partition":"gpu"`,
		core.Ignored:        `"id":"i\"d","input":"ask.remove","reason":"r","message":"<m>\n"`,
	} {
		for form, at := range map[Form]string{Relative: "1.5s", Absolute: "1970-01-01T00:00:01.5Z"} {
			d := all
			d.Type = typ
			var out bytes.Buffer
			e := NewEncoder(&out, form)
			if err := errors.Join(e.Decision(&d), e.Flush()); err != nil {
				t.Error(err)
			}
			if whole := `{"seq":7,"at":"` + at + `","type":"` + string(typ) + `",` + strings.ReplaceAll(expected, "START", at) + "}\n"; out.String() != whole {
				t.Errorf("expected %sfound    %s", whole, out.String())
			}
		}
	}
}

func TestPreemptionByQuotaNamesTheQueueAndNoAsk(t *testing.T) {
	var out bytes.Buffer
	e := NewEncoder(&out, Relative)
	d := core.Decision{Seq: 1, Type: core.Preemption, ID: "a", Quota: "root.q", Node: "n", Queue: "root.q.leaf"}
	if err := errors.Join(e.Decision(&d), e.Flush()); err != nil {
		t.Error(err)
	}
	const expected = `{"seq":1,"at":"0s","type":"preemption","id":"a","quota":"root.q","node":"n","queue":"root.q.leaf"}` + "\n"
	if out.String() != expected {
		t.Errorf("expected %sfound    %s", expected, out.String())
	}
}

func TestRepairedAndEndedGangsHaveNoReason(t *testing.T) {
	for _, typ := range []core.DecisionType{core.GangRepaired, core.GangEnded} {
		var out bytes.Buffer
		e := NewEncoder(&out, Relative)
		d := core.Decision{Seq: 1, Type: typ, App: "x", Gang: "g", Min: 2}
		if err := errors.Join(e.Decision(&d), e.Flush()); err != nil {
			t.Error(err)
		}
		expected := `{"seq":1,"at":"0s","type":"` + string(typ) + `","app":"x","gang":"g","allocated":0,"min":2}` + "\n"
		if out.String() != expected {
			t.Errorf("expected %sfound    %s", expected, out.String())
		}
	}
}

func TestAPendingPlaceholderThatTimesOutHasNoNode(t *testing.T) {
	var out bytes.Buffer
	e := NewEncoder(&out, Relative)
	d := core.Decision{Seq: 1, Type: core.TimedOut, ID: "a", App: "x", Reason: core.ReasonTimeout}
	if err := errors.Join(e.Decision(&d), e.Flush()); err != nil {
		t.Error(err)
	}
	const expected = `{"seq":1,"at":"0s","type":"placeholder.timeout","id":"a","app":"x","reason":"timeout"}` + "\n"
	if out.String() != expected {
		t.Errorf("expected %sfound    %s", expected, out.String())
	}
}

func TestWhatTheFormatLacksIsNotWritten(t *testing.T) {
	var out bytes.Buffer
	e := NewEncoder(&out, Relative)
	if err := e.Decision(&core.Decision{Type: "none"}); err == nil {
		t.Error("a decision of no type was written")
	}
	e = NewEncoder(&out, Relative)
	if err := e.Entry(&Entry{Input: core.Input{}}); err == nil {
		t.Error("an input of no type was written")
	}
	e = NewEncoder(&out, Relative)
	nan := &core.Answers{Keys: []float64{math.NaN()}}
	if err := e.Entry(&Entry{Input: core.Input{Event: &core.RecordAnswers{Answers: *nan}}}); err == nil {
		t.Error("NaN was written")
	}
	if err := e.Flush(); err == nil || out.Len() > 0 {
		t.Errorf("%v, %q", err, out.String())
	}
}

// sink accepts all writes and counts them.
type sink struct{ n int }

func (s *sink) Write(p []byte) (int, error) {
	s.n += len(p)
	return len(p), nil
}

func allocation() core.Decision {
	return core.Decision{Seq: 1, Type: core.Allocation, ID: "ask-123456", App: "app-1234", Queue: "root.p1.q1", Node: "node-000123",
		Priority: 10, Resources: set(resource.Quantity{Type: "vcore", Value: 1000}, resource.Quantity{Type: "memory", Value: 10})}
}

func TestWritingADecisionAllocatesNothing(t *testing.T) {
	for _, form := range []Form{Relative, Absolute} {
		e, d := NewEncoder(&sink{}, form), allocation()
		if n := testing.AllocsPerRun(10000, func() {
			d.Seq++
			d.At += 123456789
			if err := e.Decision(&d); err != nil {
				t.Fatal(err)
			}
		}); n != 0 {
			t.Errorf("%v: %v allocations a decision", form, n)
		}
	}
}
