package device

import (
	"slices"
	"testing"

	"github.com/quern-project/quern/core"
)

var gpus = []Type{{Name: "gpu", Lane: 0, Memory: 1}}

// node makes a node of devices with 100 bytes each, with some free shares.
func node(free ...int64) *Node {
	var list []core.Device
	for i := range free {
		list = append(list, core.Device{ID: string(rune('a' + i)), Memory: 100, Attributes: map[string]string{"half": string(rune('0' + i*2/len(free)))}})
	}
	n := (*Node)(nil).With(gpus[0], list)
	for i, f := range free {
		if f < core.WholeDevice {
			n = n.Take(gpus, []core.DeviceAsk{{Type: "gpu", Count: 1, Share: core.WholeDevice - f}}, []core.PlacedDevices{{Type: "gpu", IDs: []string{list[i].ID}}})
		}
	}
	return n
}

func TestChoose_ByPolicy(t *testing.T) {
	for _, c := range []struct {
		name   string
		policy Policy
		free   []int64
		ask    core.DeviceAsk
		want   string // empty: none
	}{
		{"least free share that fits", Tightest, []int64{1000, 400, 500}, core.DeviceAsk{Count: 1, Share: 450}, "c"},
		{"most", Loosest, []int64{600, 900, 500}, core.DeviceAsk{Count: 1, Share: 450}, "b"},
		{"first", First, []int64{400, 900, 500}, core.DeviceAsk{Count: 1, Share: 450}, "b"},
		{"each in turn", Tightest, []int64{900, 600, 500, 700}, core.DeviceAsk{Count: 3, Share: 500}, "cbd"},
		{"different devices", Tightest, []int64{1000}, core.DeviceAsk{Count: 2, Share: 100}, ""},
		{"whole ones in order", Loosest, []int64{900, 1000, 1000, 1000}, core.DeviceAsk{Count: 2, Share: 1000}, "bc"},
		{"too few whole ones", Tightest, []int64{900, 1000}, core.DeviceAsk{Count: 2, Share: 1000}, ""},
		{"too little memory", Tightest, []int64{900}, core.DeviceAsk{Count: 1, Share: 100, Memory: 101}, ""},
		{"the smaller group", Tightest, []int64{1000, 500, 1000, 0}, core.DeviceAsk{Count: 1, Share: 100, Equal: "half"}, "c"},
		{"the first of equal groups", Tightest, []int64{1000, 0, 500, 0}, core.DeviceAsk{Count: 1, Share: 100, Equal: "half"}, "a"},
		{"the group with enough", Tightest, []int64{1000, 500, 1000, 0}, core.DeviceAsk{Count: 2, Share: 100, Equal: "half"}, "ba"},
		{"allowed values", Tightest, []int64{100, 500, 1000, 0}, core.DeviceAsk{Count: 1, Share: 100, Where: map[string][]string{"half": {"1"}}}, "c"},
	} {
		of := []Type{{Name: "gpu", Memory: 1, Policy: c.policy}}
		c.ask.Type = "gpu"
		placed, ok := node(c.free...).Choose(of, []core.DeviceAsk{c.ask}, nil)
		found := ""
		if ok {
			for _, id := range placed[0].IDs {
				found += id
			}
		}
		if found != c.want || ok != (c.want != "") || ok != node(c.free...).Fits([]core.DeviceAsk{c.ask}) {
			t.Errorf("%s: %q", c.name, found)
		}
	}
}

func TestNode_WholeDevicesBarMemory(t *testing.T) {
	whole, memory := []core.DeviceAsk{{Type: "gpu", Count: 1, Share: core.WholeDevice}}, []core.DeviceAsk{{Type: "gpu", Count: 1, Memory: 10}}
	n := node(1000)
	on := []core.PlacedDevices{{Type: "gpu", IDs: []string{"a"}}}
	if taken := n.Take(gpus, whole, on); taken.Fits(memory) || !taken.Release(gpus, whole, on).Fits(memory) || !taken.FitsEmpty(memory) {
		t.Error("memory of a device that is taken whole")
	}
	if n.Take(gpus, memory, on).Fits(whole) || n.Occupy([]core.OccupiedDevice{{Type: "gpu", ID: "a", Share: 1}}).Fits(whole) {
		t.Error("a device that is used is whole")
	}
}

func TestNode_GoneDevicesStayUntilEmpty(t *testing.T) {
	asks, on := []core.DeviceAsk{{Type: "gpu", Count: 1, Share: 300}}, []core.PlacedDevices{{Type: "gpu", IDs: []string{"a"}}}
	n := node(1000, 1000).Take(gpus, asks, on).With(gpus[0], []core.Device{{ID: "z"}})
	ids := func(n *Node) (list []string) {
		for _, d := range n.Dump() {
			list = append(list, d.ID)
		}
		return list
	}
	if found := ids(n); !slices.Equal(found, []string{"z", "a"}) {
		t.Errorf("%v", found)
	}
	amounts := make([]int64, 2)
	if n.Capacity(amounts); amounts[0] != core.WholeDevice {
		t.Errorf("capacity %v", amounts)
	}
	if back := n.With(gpus[0], []core.Device{{ID: "a"}}); back.Dump()[0].FreeShare != 700 {
		t.Errorf("%+v", back.Dump())
	}
	if n = n.Release(gpus, asks, on); !slices.Equal(ids(n), []string{"z"}) {
		t.Errorf("%v", ids(n))
	}
	if n.With(gpus[0], nil).Has("gpu") {
		t.Error("an empty list stays")
	}
}
