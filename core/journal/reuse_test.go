package journal

import (
	"strings"
	"testing"

	"github.com/quern-project/quern/core"
)

const twoAsks = `{"at":"0s","type":"ask.add","id":"a","app":"x","resources":{"vcore":1},"priority":3,"gang":"g","gang_min":1,"gang_disruption":"whole","gang_repair":"0s"}
{"at":"0s","type":"ask.add","id":"b","app":"x","resources":{"vcore":2}}
{"at":"0s","type":"allocation.release","id":"a","failed":true}
{"at":"0s","type":"allocation.release","id":"b"}
`

func TestDecoder_EventsAreKeptUnlessReused(t *testing.T) {
	d := NewDecoder(strings.NewReader(twoAsks), "in", nil)
	var kept []core.Input
	for range 4 {
		e, err := d.Next()
		if err != nil {
			t.Fatal(err)
		}
		kept = append(kept, e.Input)
	}
	for i, want := range []string{"a", "b", "a", "b"} {
		if kept[i].ID() != want {
			t.Errorf("input %d: expected %s, found %s", i, want, kept[i].ID())
		}
	}
}

func TestDecoder_ReusedEventsAreKeptBySlots(t *testing.T) {
	d := NewDecoder(strings.NewReader(twoAsks), "in", nil)
	d.Reuse()
	var slots [4]Slot
	for i := range slots {
		e, err := d.Next()
		if err != nil {
			t.Fatal(err)
		}
		slots[i].Set(e)
	}
	if first := slots[0].Entry().Input.Ask(); first.ID != "a" || first.Priority != 3 || first.Gang.Disruption != core.DisruptWhole || !first.Gang.Repair.Bounded ||
		slots[1].Entry().Input.Ask().Gang != nil || slots[1].Entry().Input.Ask().Priority != 0 {
		t.Errorf("found %+v", first)
	}
	if e := slots[2].Entry().Input.Event.(*core.ReleaseAllocation); e.ID != "a" || !e.Failed {
		t.Errorf("found %+v", e)
	}
}

func TestDecoder_ReusedAsksCostNoMemory(t *testing.T) {
	text := strings.Repeat(`{"at":"0s","type":"ask.add","id":"a","app":"x","resources":{"vcore":1}}`+"\n", 2000)
	allocations := func(reuse bool) float64 {
		d := NewDecoder(strings.NewReader(text), "in", nil)
		if reuse {
			d.Reuse()
		}
		return testing.AllocsPerRun(1000, func() {
			if _, err := d.Next(); err != nil {
				t.Fatal(err)
			}
		})
	}
	if kept, reused := allocations(false), allocations(true); kept-reused != 1 {
		t.Errorf("expected one allocation less, found %v instead of %v", reused, kept)
	}
}

// Every kind of event is a type of line with the event's own name, and is unchanged by encoding and decoding.
func TestShapes_EveryKindOfEvent(t *testing.T) {
	for _, e := range core.Events() {
		found, ok := shapeOf([]byte(e.Type()))
		if !ok || found.event == nil || found.event(&values{}).Type() != e.Type() {
			t.Errorf("%s is no type of line, or is read as another", e.Type())
		}
	}
	if inputs := len(shapes) - 1; inputs != len(core.Events()) {
		t.Errorf("%d types of lines are inputs, and there are %d kinds of events", inputs, len(core.Events()))
	}
}
