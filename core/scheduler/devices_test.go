package scheduler_test

import (
	"bytes"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/core/scheduler"
)

// played applies an input at its time and lets victims leave at once. It returns the decisions.
func played(s *scheduler.Scheduler, in core.Input) (all []core.Decision) {
	s.Advance(in.At)
	s.Apply(&in)
	for again := true; again; {
		again = false
		s.Cycle(-1)
		for _, d := range s.Take() {
			all = append(all, d)
			if d.Type == core.Preemption {
				s.Apply(&core.Input{At: in.At, Event: &core.ReleaseAllocation{ID: d.ID}})
				again = true
			}
		}
	}
	return all
}

// A scheduler that was restored from a snapshot, forked, or made from its state as inputs, has the same devices.
func TestDevices_SnapshotsAndForks(t *testing.T) {
	text, err := os.ReadFile("testdata/devices.txt")
	if err != nil {
		t.Fatal(err)
	}
	one, other := scheduler.New(core.Options{}), scheduler.New(core.Options{})
	for i, e := range script(t, written(string(text))) {
		expected, found := lines(t, played(one, e.Input)), lines(t, played(other, e.Input))
		if expected != found {
			t.Fatalf("%s: expected\n%s\nfound\n%s", e.Input.ID(), expected, found)
		}
		snapshot := one.Snapshot()
		frozen, err := other.Freeze()
		if err != nil {
			t.Fatal(err)
		}
		fork := frozen.Fork(core.Options{})
		restored, err := scheduler.Restore(snapshot, core.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, again := range [][]byte{other.Snapshot(), fork.Snapshot(), restored.Snapshot()} {
			if !bytes.Equal(snapshot, again) {
				t.Fatalf("%s: expected\n%s\nfound\n%s", e.Input.ID(), snapshot, again)
			}
		}
		if told, refused := toldOf(one, 1); refused != core.Accepted || !bytes.Equal(numbered(told.Snapshot()), numbered(snapshot)) {
			t.Fatalf("%s: the state as inputs: %q", e.Input.ID(), refused)
		}
		if other = fork; i%2 == 0 {
			other = restored
		}
	}
}

// Searches on many nodes find the devices that a node by node search finds.
func TestDevices_ManyNodes(t *testing.T) {
	s := scheduler.New(core.Options{})
	at := time.Duration(0)
	apply := func(e core.Event) { played(s, core.Input{At: at, Event: e}) }
	apply(&core.SetConfig{Config: "devices: {gpu: {}}\npartitions: [{queues: [{name: a}]}]"})
	for i := range 40 {
		var list []core.Device
		for d := range i % 5 {
			list = append(list, core.Device{ID: fmt.Sprint(d), Memory: int64(10 * (d + 1))})
		}
		apply(&core.AddNode{ID: fmt.Sprintf("n%02d", i), Capacity: vcores(100), Devices: []core.Devices{{Type: "gpu", List: list}}})
	}
	apply(&core.AddApp{ID: "x", Queue: "root.a"})
	want := map[string]int{} // allocations by shape: 8 nodes each have 0, 1, 2, 3 and 4 devices
	for _, c := range []struct {
		ask core.DeviceAsk
		of  int
	}{
		{core.DeviceAsk{Count: 4, Share: 1000}, 8},                // all of those with 4
		{core.DeviceAsk{Count: 2, Share: 600, Memory: 15}, 8},     // on those with 3: devices 1 and 2
		{core.DeviceAsk{Count: 1, Share: 400, Memory: 5}, 16 + 8}, // beside those, on device 1 and 2 of 3
	} {
		c.ask.Type = "gpu"
		shape := fmt.Sprint(c.ask)
		want[shape] = c.of
		for i := range c.of {
			apply(&core.AddAsk{ID: fmt.Sprint(shape, i), App: "x", Resources: resource.Set{}, Ask: core.Ask{Devices: []core.DeviceAsk{c.ask}}})
		}
	}
	for _, a := range s.Dump().Applications {
		for _, ask := range a.Asks {
			if ask.Node == "" {
				t.Errorf("%s waits", ask.ID)
			}
		}
	}
}
