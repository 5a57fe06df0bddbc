package oracle_test

import (
	"slices"
	"strings"

	"pgregory.net/rapid"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
)

// deviceScenarios are scenarios of all kinds in which gpu is a type of devices.
func deviceScenarios() *rapid.Generator[scenario] {
	return rapid.Custom(func(t *rapid.T) scenario {
		f := pick(t, "focus", tightNodes, tightNodes, preemption, preemption, anything, fairShares, places)
		f.gangs = pick(t, "placeholders", 0, 0, 5)
		w := drawWorldOf(t, f)
		s := w.drawScenario(t)
		if !chance(t, "without a configuration", 12) {
			first := step{kind: stepInput, input: &core.Input{Event: &core.SetConfig{Config: deviceTypes(t) + w.configs[0]}}}
			s.steps = append([]step{first}, s.steps...)
		}
		if s = withDevices(t, s); f.gangs > 0 {
			return withoutTaskDevices(s)
		}
		return s
	})
}

// withDevices turns amounts of gpu into devices, adds some, and leaves out atomic gangs.
func withDevices(t *rapid.T, s scenario) scenario {
	for i := range s.steps {
		if in := s.steps[i].input; in != nil {
			own := in.Clone()
			addDevices(t, own.Event)
			s.steps[i].input = &own
		}
	}
	return s
}

// withoutTaskDevices leaves out the devices of tasks that may replace placeholders: nothing is kept on devices for a task that waits for its placeholder.
func withoutTaskDevices(s scenario) scenario {
	for _, step := range s.steps {
		if step.input == nil {
			continue
		}
		if e := step.input.Ask(); e != nil && !e.Placeholder {
			e.Resources, e.Devices = withoutGPU(e.Resources), nil
		}
		if e, ok := step.input.Event.(*core.UpdateAsk); ok {
			e.Resources, e.Devices = withoutGPU(e.Resources), nil
		}
	}
	return s
}

// deviceTypes draws the part of a configuration about devices.
func deviceTypes(t *rapid.T) string {
	return "devices: {gpu: {policy: " + pick(t, "policy", "tightest", "loosest", "first") + "}}\n"
}

func addDevices(t *rapid.T, e core.Event) {
	switch e := e.(type) {
	case *core.SetConfig:
		if strings.HasPrefix(e.Config, "partitions:\n") && !chance(t, "no devices", 12) {
			e.Config = deviceTypes(t) + e.Config
		}
	case *core.AddNode:
		if chance(t, "as an amount", 40) {
			return
		}
		e.Capacity, e.Occupied = withoutGPU(e.Capacity), withoutGPU(e.Occupied)
		if !chance(t, "none", 6) {
			e.Devices = drawDevices(t)
		}
		if chance(t, "occupied", 4) {
			e.OccupiedDevices = drawOccupied(t)
		}
	case *core.UpdateNode:
		e.Capacity, e.Occupied = withoutGPU(e.Capacity), withoutGPU(e.Occupied)
		if chance(t, "devices", 2) {
			e.Devices = drawDevices(t)
		}
		if chance(t, "occupied", 3) {
			e.OccupiedDevices = drawOccupied(t)
		}
	case *core.AddApp:
		if e.Placeholders != nil && e.Placeholders.Ask != nil {
			own := *e.Placeholders
			own.Ask = withoutGPU(own.Ask)
			e.Placeholders = &own
		}
	case *core.AddAsk:
		addWishes(t, e)
	case *core.RestoreAllocation:
		if addWishes(t, &e.AddAsk); chance(t, "placed", 2) {
			e.PlacedDevices = []core.PlacedDevices{{Type: "gpu", IDs: drawIDs(t, 1+roll(t, "number", 2))}}
		}
	case *core.UpdateAsk:
		if chance(t, "devices", 3) {
			e.Resources, e.Devices = withoutGPU(e.Resources), pick(t, "wishes", drawWishes(t), drawWishes(t), []core.DeviceAsk{})
		}
	default:
	}
}

func addWishes(t *rapid.T, e *core.AddAsk) {
	e.Gang = nil
	if chance(t, "short", 6) {
		return
	}
	if e.Resources = withoutGPU(e.Resources); !chance(t, "none", 3) {
		e.Devices = drawWishes(t)
	}
}

func withoutGPU(s resource.Set) resource.Set {
	return slices.DeleteFunc(slices.Clone(s), func(q resource.Quantity) bool { return q.Type == "gpu" })
}

func drawIDs(t *rapid.T, n int) []string {
	return rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"0", "1", "2", "x"}), n, n, rapid.ID[string]).Draw(t, "ids")
}

// drawDevices draws the list of the devices of a node.
func drawDevices(t *rapid.T) []core.Devices {
	list := []core.Device{}
	for _, id := range drawIDs(t, pick(t, "devices", 2, 2, 3, 1, 4, 0)) {
		d := core.Device{ID: id, Memory: pick(t, "memory", int64(8), 0, 8, 4), Unhealthy: chance(t, "unhealthy", 8)}
		if chance(t, "attributes", 2) {
			d.Attributes = pick(t, "attributes of the device", map[string]string{"numa": "0"}, map[string]string{"numa": "1"}, map[string]string{"numa": "1", "model": "a"})
		}
		list = append(list, d)
	}
	typ := "gpu"
	if chance(t, "other type", 30) {
		typ = "fpga"
	}
	return []core.Devices{{Type: typ, List: list}}
}

func drawOccupied(t *rapid.T) []core.OccupiedDevice {
	list := []core.OccupiedDevice{}
	for _, id := range drawIDs(t, roll(t, "occupied", 3)) {
		list = append(list, core.OccupiedDevice{Type: "gpu", ID: id, Share: pick(t, "used", int64(500), 250, 1000, 0), Memory: pick(t, "used memory", int64(0), 0, 3)})
	}
	slices.SortFunc(list, func(a, b core.OccupiedDevice) int { return strings.Compare(a.ID, b.ID) })
	if len(list) > 0 && chance(t, "untyped", 3) {
		list[0].Type = ""
	}
	return list
}

// drawWishes draws what an ask wants of devices.
func drawWishes(t *rapid.T) []core.DeviceAsk {
	w := core.DeviceAsk{Type: "gpu", Count: pick(t, "count", 1, 1, 1, 2, 3), Share: pick(t, "share", int64(500), 1000, 300, 700, 1000, 250)}
	if chance(t, "memory", 4) {
		w.Memory = pick(t, "memory of each", int64(3), 8, 1, 9)
		if chance(t, "memory alone", 3) {
			w.Share = 0
		}
	}
	if chance(t, "where", 8) {
		w.Where = pick(t, "where in", map[string][]string{"numa": {"0"}}, map[string][]string{"numa": {"1", "2"}}, map[string][]string{"model": {"a"}})
	}
	if chance(t, "equal", 6) {
		w.Equal = pick(t, "attribute", "numa", "model")
	}
	if chance(t, "other type", 40) {
		w.Type = "fpga"
	}
	return []core.DeviceAsk{w}
}
