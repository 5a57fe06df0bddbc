package oracle_test

import (
	"fmt"
	"strings"
	"time"

	"pgregory.net/rapid"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
)

// gangShot draws a single search on a few full nodes, on which most allocations belong to gangs of all kinds: units with and without surplus,
// broken ones, elastic ones, gangs that go one by one, and applications with placeholders that go as one.
type gangShot struct {
	scenario
	placed []string // IDs of the allocations, in order
	gangs  map[string][]core.Gang
	units  []core.AddApp
	runs   map[string]string // applications, by allocation
	left   map[string]bool   // allocations that ended; true if they have succeeded
}

func drawGangShot(t *rapid.T) *gangShot {
	s := &gangShot{gangs: map[string][]core.Gang{}, left: map[string]bool{}, runs: map[string]string{}}
	s.add(&core.SetConfig{Config: drawGangShotConfig(t)})
	if chance(t, "spare", 2) {
		s.add(&core.AddNode{ID: "spare", Capacity: set(16000, 16, 8), Unschedulable: true})
	}
	queues := []string{"root.a", "root.q.b", "root.q.c", "root.d"}
	apps := 2 + roll(t, "applications", 4)
	for i := range apps {
		s.drawApp(t, fmt.Sprint("a", i+1), pick(t, "queue", queues...))
	}
	nodes := 1 + roll(t, "nodes", 3)
	for i := range nodes {
		s.drawNode(t, fmt.Sprint("n", i+1), apps, pick(t, "allocations", allocations[nodes]...))
	}
	s.steps = append(s.steps, step{kind: stepWait, wait: time.Second})
	for range pick(t, "failures", 0, 0, 0, 1, 2) {
		s.drawRelease(t)
	}
	s.drawAsker(t, pick(t, "asking", "root.a", "root.a", "root.a", "root.a", "root.q.b", "root.q.c", "root.d"), nodes)
	s.steps = append(s.steps, step{kind: stepWait, wait: 3 * time.Second})
	return s
}

// allocations are the numbers of allocations of each node, by the number of nodes: ten at most in all, so that all sets can be tried.
var allocations = map[int][]int{1: {4, 6, 8, 9}, 2: {2, 3, 4, 5}, 3: {2, 3}}

func (s *gangShot) add(e core.Event) {
	s.steps = append(s.steps, step{kind: stepInput, input: &core.Input{Event: e}})
}

// drawRelease lets an allocation fail or succeed.
func (s *gangShot) drawRelease(t *rapid.T) {
	id, failed := pick(t, "ends", s.placed...), !chance(t, "succeeds", 3)
	if _, ok := s.left[id]; !ok {
		s.left[id] = !failed
		s.add(&core.ReleaseAllocation{ID: id, Failed: failed})
	}
}

func (s *gangShot) drawApp(t *rapid.T, id, queue string) {
	app := core.AddApp{ID: id, Queue: queue}
	if chance(t, "placeholders", 3) {
		app.Placeholders = &core.Placeholders{Ask: set(int64(1+roll(t, "sum", 3))*500, -1, -1), Unit: !chance(t, "one by one", 3)}
	}
	for _, gang := range []string{"g", "h"} {
		g := core.Gang{ID: gang, Min: 1 + roll(t, "min", 3), Disruption: pick(t, "disruption", core.DisruptUnit, core.DisruptUnit, core.DisruptWhole, core.DisruptMember)}
		if chance(t, "elastic", 3) {
			g.Max = g.Min + 3
		}
		s.gangs[id] = append(s.gangs[id], g)
	}
	s.units = append(s.units, app)
	s.add(&app)
}

// drawNode adds a node with allocations, which leave little room.
func (s *gangShot) drawNode(t *rapid.T, id string, apps, allocations int) {
	var runs []*core.RestoreAllocation
	sum := map[string]int64{"vcore": pick(t, "beyond", int64(0), 0, 500, -500), "memory": 1, "gpu": 0}
	for range allocations {
		in := s.drawRunning(t, id, apps)
		for _, q := range in.Resources {
			sum[q.Type] += q.Value
		}
		runs = append(runs, in)
	}
	s.add(&core.AddNode{ID: id, Capacity: set(max(0, sum["vcore"]), sum["memory"], sum["gpu"])})
	for _, in := range runs {
		s.add(in)
	}
}

func (s *gangShot) drawRunning(t *rapid.T, node string, apps int) *core.RestoreAllocation {
	id := fmt.Sprint("r", len(s.placed)+1)
	s.placed = append(s.placed, id)
	at := roll(t, "application", apps)
	app := s.units[at]
	s.runs[id] = app.ID
	k := core.Ask{Priority: pick(t, "priority", int32(1), 0, 1, 2, 3, -1)}
	if gangs := s.gangs[app.ID]; !chance(t, "single", 3) {
		k.Gang = &gangs[roll(t, "gang", len(gangs))]
	}
	if app.Placeholders != nil {
		k.Placeholder, k.TaskGroup = chance(t, "placeholder", 2), "t"
	}
	switch roll(t, "option", 16) {
	case 15:
		k.Node = node
	case 14, 13:
		k.Originator = true
	case 12, 11:
		k.NotPreemptable = true
	}
	return &core.RestoreAllocation{AddAsk: core.AddAsk{ID: id, App: app.ID, Ask: k, Resources: pick(t, "placed", placed...)}, PlacedOn: node}
}

// drawAsker adds a single ask, or a gang that waits together.
func (s *gangShot) drawAsker(t *rapid.T, queue string, nodes int) {
	s.add(&core.AddApp{ID: "k", Queue: queue})
	ask := core.Ask{Priority: pick(t, "urgency", int32(3), 3, 2, 1, 4)}
	members := pick(t, "members", 1, 1, 2, 3)
	if members > 1 {
		ask.Gang = &core.Gang{ID: "z", Min: members}
	} else if chance(t, "requires a node", 8) {
		ask.Node = drawID(t, "n", nodes)
	}
	amounts := s.drawNeed(t, members)
	for i := range members {
		if i > 0 && chance(t, "unlike", 2) {
			amounts = s.drawNeed(t, members)
		}
		s.add(&core.AddAsk{ID: fmt.Sprint("k", i+1), App: "k", Resources: amounts, Ask: ask})
	}
}

func (s *gangShot) drawNeed(t *rapid.T, members int) resource.Set {
	if members == 1 {
		return pick(t, "needs", set(1000, -1, -1), set(500, -1, -1), set(1500, -1, -1), set(1000, 2, -1), set(-1, 2, -1), set(2000, -1, -1), set(500, 1, -1), set(500, -1, 1))
	}
	return pick(t, "needs", set(1000, -1, -1), set(500, -1, -1), set(500, -1, -1), set(500, 1, -1), set(-1, 1, -1), set(1000, 1, -1))
}

// drawGangShotConfig draws guarantees of several types, fences, offsets and what queues say of gangs.
func drawGangShotConfig(t *rapid.T) string {
	type promises map[string]int64
	draw := func(label string, values ...int64) promises {
		p := promises{}
		for _, typ := range types {
			if v := pick(t, label+typ, values...); v > 0 {
				p[typ] = v
			}
		}
		return p
	}
	text := func(p promises) string {
		var list []string
		for _, typ := range types {
			if p[typ] > 0 {
				list = append(list, fmt.Sprintf("%s: %d", typ, p[typ]))
			}
		}
		return strings.Join(list, ", ")
	}
	own, b, c, d := draw("a", 8, 8, 4, 3, 0), draw("b", 0, 0, 0, 0, 1, 2), draw("c", 0, 0, 0, 0, 1, 3), draw("d", 0, 0, 0, 0, 0, 1)
	q := promises{}
	if chance(t, "promise of q", 4) {
		for _, typ := range types {
			if chance(t, "of type", 2) {
				q[typ] = b[typ] + c[typ] + int64(roll(t, "beyond", 3))
			}
		}
	}
	most := ""
	if chance(t, "max", 4) {
		most = fmt.Sprintf(", max: {vcore: %d}", max(8, q["vcore"], own["vcore"])+int64(roll(t, "room", 3)))
	}
	says := func(label string) string {
		return pick(t, label, "", "", "", "", "", "", "", "", "", "", "preemption.policy: fence", "preemption.policy: disabled", "preemption.gangs: member", "preemption.surplus: disabled",
			`priority.offset: "1"`, `priority.offset: "-1"`, "priority.policy: fence", "preemption.intra-queue: enabled")
	}
	return fmt.Sprintf(`partitions:
- name: default
  queues:
  - name: root
    properties: {preemption.delay: 1s, reservation.delay: 0s%s}
    queues:
    - {name: a, resources: {guaranteed: {%s}%s}, properties: {%s}}
    - name: q
      resources: {guaranteed: {%s}%s}
      properties: {%s}
      queues:
      - {name: b, resources: {guaranteed: {%s}}, properties: {%s}}
      - {name: c, resources: {guaranteed: {%s}}, properties: {%s}}
    - {name: d, resources: {guaranteed: {%s}}, properties: {%s}}
`, pick(t, "half-life", "", "", ", fairness.half-life: 10m"), text(own), most, says("a"), text(q), most, says("q"), text(b), says("b"), text(c), says("c"), text(d), says("d"))
}
