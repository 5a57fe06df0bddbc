package oracle_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/quern-project/quern/core"
)

// On clusters small enough to try all sets of allocations, the victims of an ask for devices are the best ones. The long run is `make clusters`.
func TestDevices_BestVictims(t *testing.T) { bestAmongGangs(t, drawDeviceShot) }

// TestDevices_VictimsAsByTheOracle holds the oracle to the same clusters, with all that it decides.
func TestDevices_VictimsAsByTheOracle(t *testing.T) {
	compareShots(t, func(t *rapid.T) shot { return shot{scenario: drawDeviceShot(t).scenario} })
}

// drawDeviceShot draws a single search for victims on nodes with devices, of which most are used.
func drawDeviceShot(t *rapid.T) *gangShot {
	s := &gangShot{gangs: map[string][]core.Gang{}, left: map[string]bool{}, runs: map[string]string{}}
	s.add(&core.SetConfig{Config: deviceTypes(t) + drawGangShotConfig(t)})
	if chance(t, "spare", 2) {
		s.add(&core.AddNode{ID: "spare", Capacity: set(16000, 16, -1), Unschedulable: true, Devices: []core.Devices{{Type: "gpu", List: devicesNamed("0", "1", "2", "3")}}})
	}
	apps := 2 + roll(t, "applications", 3)
	for i := range apps {
		app := core.AddApp{ID: fmt.Sprint("a", i+1), Queue: pick(t, "queue", "root.a", "root.q.b", "root.q.c", "root.d")}
		s.units = append(s.units, app)
		s.gangs[app.ID] = []core.Gang{{ID: "g", Min: 1}}
		s.add(&app)
	}
	nodes := 1 + roll(t, "nodes", 2)
	for i := range nodes {
		s.drawDeviceNode(t, fmt.Sprint("n", i+1), apps, pick(t, "allocations", allocations[nodes]...))
	}
	s.steps = append(s.steps, step{kind: stepWait, wait: time.Second})
	s.add(&core.AddApp{ID: "k", Queue: pick(t, "asking", "root.a", "root.a", "root.a", "root.q.b", "root.q.c", "root.d")})
	ask := core.Ask{Priority: pick(t, "urgency", int32(3), 3, 2, 1, 4), Devices: drawShotWishes(t)}
	if chance(t, "requires a node", 8) {
		ask.Node = drawID(t, "n", nodes)
	}
	s.add(&core.AddAsk{ID: "k1", App: "k", Resources: set(pick(t, "vcore", int64(500), 1000, 1500), -1, -1), Ask: ask})
	s.steps = append(s.steps, step{kind: stepWait, wait: 3 * time.Second})
	return s
}

func devicesNamed(ids ...string) (list []core.Device) {
	for _, id := range ids {
		list = append(list, core.Device{ID: id, Memory: 8})
	}
	return list
}

func (s *gangShot) drawDeviceNode(t *rapid.T, id string, apps, count int) {
	list := devicesNamed("0", "1", "2")[:1+roll(t, "devices", 3)]
	for i := range list {
		list[i].Unhealthy = chance(t, "unhealthy", 10)
		list[i].Attributes = map[string]string{"numa": pick(t, "numa", "0", "1")}
	}
	s.add(&core.AddNode{ID: id, Capacity: set(int64(count)*1000, -1, -1), Devices: []core.Devices{{Type: "gpu", List: list}}})
	for range count {
		run := s.drawRunning(t, id, apps)
		run.Gang, run.Resources = nil, set(pick(t, "used", int64(500), 1000), -1, -1)
		if !chance(t, "without devices", 4) {
			run.Devices = drawShotWishes(t)
			run.Devices[0].Where, run.Devices[0].Equal = nil, ""
		}
		s.add(run)
	}
}

func drawShotWishes(t *rapid.T) []core.DeviceAsk {
	w := core.DeviceAsk{Type: "gpu", Count: pick(t, "count", 1, 1, 1, 2), Share: pick(t, "share", int64(500), 300, 1000, 700, 200)}
	switch roll(t, "more", 8) {
	case 7:
		w.Memory = pick(t, "memory", int64(3), 5, 8)
	case 6:
		w.Where = map[string][]string{"numa": {"0"}}
	case 5:
		w.Equal = "numa"
	}
	return []core.DeviceAsk{w}
}

// hasDevices reports whether the ask gets devices of a node without the victims: whether so many of them have room.
func (o *optimum) hasDevices(n *core.NodeDump, k *task) bool {
	return !slices.ContainsFunc(k.said.Devices, func(w core.DeviceAsk) bool {
		groups := map[string]int{}
		for _, d := range n.Devices {
			if d.Type == w.Type && o.hasRoom(n, &d, &w) {
				groups[d.Attributes[w.Equal]]++
			}
		}
		most := 0
		for _, size := range groups {
			most = max(most, size)
		}
		return most < w.Count
	})
}

func (o *optimum) hasRoom(n *core.NodeDump, d *core.DeviceDump, w *core.DeviceAsk) bool {
	if d.Unhealthy || w.Where != nil && !slices.Contains(w.Where["numa"], d.Attributes["numa"]) {
		return false
	}
	share, memory := int64(core.WholeDevice), d.Memory
	for _, v := range o.running {
		for _, of := range v.Devices {
			if o.isTaken(v) || v.Node != n.ID || !slices.Contains(of.IDs, d.ID) {
				continue
			}
			use := v.said.Devices[0]
			if share, memory = share-use.Share, memory-use.Memory; use.Share == core.WholeDevice || w.Share == core.WholeDevice {
				return false
			}
		}
	}
	return max(0, share) >= w.Share && max(0, memory) >= w.Memory
}
