package oracle_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
)

func TestDevices_EqualTheOracles(t *testing.T) { lockstep(t, deviceScenarios()) }

func TestDevices_GoOnFromASnapshot(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { goOnFromSnapshot(t, deviceScenarios().Draw(t, "scenario")) })
}

func TestDevices_SlicedDecidesAsWhole(t *testing.T) { slicedDecidesAsWhole(t, deviceScenarios()) }

// remembering is a machine that remembers what asks want of devices.
type remembering struct {
	dumper
	wishes map[string][]core.DeviceAsk
}

func (r remembering) Apply(in *core.Input) core.Reason {
	own := in.Clone()
	why := r.dumper.Apply(in)
	if why != core.Accepted {
		return why
	}
	if e := own.Ask(); e != nil {
		r.wishes[e.ID] = e.Ask.Devices
		if gpus := valueIn(e.Resources, "gpu"); gpus > 0 {
			r.wishes[e.ID] = []core.DeviceAsk{{Type: "gpu", Count: int(gpus), Share: core.WholeDevice}}
		}
	}
	if e, ok := own.Event.(*core.UpdateAsk); ok {
		if gpus := valueIn(e.Resources, "gpu"); gpus > 0 {
			r.wishes[e.ID] = []core.DeviceAsk{{Type: "gpu", Count: int(gpus), Share: core.WholeDevice}}
		}
		if e.Devices != nil {
			r.wishes[e.ID] = e.Devices
		}
	}
	return why
}

// No share spans devices, no device is used beyond its capacity by what cycles allocate, and a whole device is alone.
func TestDevices_AllocationsFitTheirs(t *testing.T) {
	counts := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		m := remembering{newMachine(), map[string][]core.DeviceAsk{}}
		r := &lockstepRun{t: t, scenario: deviceScenarios().Draw(t, "scenario"), machines: []dumper{m}}
		r.check = func(call string, returns []outcome) {
			if broken := fitTheirDevices(m.Dump(), m.wishes, returns[0].decisions, counts); len(broken) > 0 {
				r.fail("%s: %s", call, broken[0])
			}
		}
		r.run()
	})
	for _, what := range []string{"allocations with shares", "allocations with whole devices"} {
		t.Logf("%9d %s", counts[what], what)
	}
}

// fitTheirDevices checks the devices of new allocations against the state after them, in which usage has only grown.
func fitTheirDevices(dump core.Dump, wishes map[string][]core.DeviceAsk, decisions []core.Decision, counts map[string]int) (broken []string) {
	for _, d := range decisions {
		if d.Type != core.Allocation || slices.ContainsFunc(d.Resources, isAmountOfGPU) {
			continue
		}
		var want, got []string
		for _, w := range wishes[d.ID] {
			want = append(want, w.Type)
		}
		for _, of := range d.Devices {
			got = append(got, of.Type)
		}
		if !slices.Equal(want, got) {
			broken = append(broken, fmt.Sprintf("%s wants devices of %v and gets some of %v", d.ID, want, got))
			continue
		}
		for i, of := range d.Devices {
			broken = append(broken, fitsDevices(dump, wishes, d, &wishes[d.ID][i], of.IDs)...)
			if wishes[d.ID][i].Share == core.WholeDevice {
				counts["allocations with whole devices"]++
			} else {
				counts["allocations with shares"]++
			}
		}
	}
	return broken
}

// isAmountOfGPU reports whether an amount is of gpu while that is no type of devices.
func isAmountOfGPU(q resource.Quantity) bool { return q.Type == "gpu" && !q.Milli }

func fitsDevices(dump core.Dump, wishes map[string][]core.DeviceAsk, d core.Decision, w *core.DeviceAsk, ids []string) (broken []string) {
	if len(ids) != w.Count || len(slices.Compact(slices.Sorted(slices.Values(ids)))) != w.Count {
		return []string{fmt.Sprintf("%s wants %d devices and gets %v", d.ID, w.Count, ids)}
	}
	agreed := map[string]bool{}
	for _, id := range ids {
		on := deviceOn(dump, d.Node, w.Type, id)
		if on == nil || on.Gone || on.Unhealthy {
			return []string{fmt.Sprintf("%s gets %s of %s, which takes nothing", d.ID, id, d.Node)}
		}
		share, memory, holders := usedOf(dump, wishes, d.Node, w.Type, id)
		if share > core.WholeDevice && w.Share > 0 || memory > on.Memory && w.Memory > 0 || w.Share == core.WholeDevice && holders > 1 {
			broken = append(broken, fmt.Sprintf("%s gets %s of %s, of which %d share and %d memory are used by %d", d.ID, id, d.Node, share, memory, holders))
		}
		for attribute, values := range w.Where {
			if value, has := on.Attributes[attribute]; !has || !slices.Contains(values, value) {
				broken = append(broken, fmt.Sprintf("%s gets %s of %s, which lacks %s", d.ID, id, d.Node, attribute))
			}
		}
		if w.Equal != "" {
			agreed[on.Attributes[w.Equal]] = true
		}
	}
	if len(agreed) > 1 {
		broken = append(broken, fmt.Sprintf("%s gets %v, which do not agree", d.ID, ids))
	}
	return broken
}

func deviceOn(dump core.Dump, node, typ, id string) *core.DeviceDump {
	for _, n := range dump.Nodes {
		for i := range n.Devices {
			if d := &n.Devices[i]; n.ID == node && d.Type == typ && d.ID == id {
				return d
			}
		}
	}
	return nil
}

// usedOf sums what allocations use of a device.
func usedOf(dump core.Dump, wishes map[string][]core.DeviceAsk, node, typ, id string) (share, memory int64, holders int) {
	for _, a := range dump.Applications {
		for _, k := range a.Asks {
			for _, of := range k.Devices {
				if k.Node != node || of.Type != typ || !slices.Contains(of.IDs, id) {
					continue
				}
				holders++
				for _, w := range wishes[k.ID] {
					if w.Type == typ {
						share, memory = share+w.Share, memory+w.Memory
					}
				}
			}
		}
	}
	return share, memory, holders
}
