package workload

import (
	"fmt"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
)

// machine is a kind of node of the demonstration.
type machine struct {
	name   string
	nodes  int
	vcore  int64
	gib    int64
	gpus   int64
	models []string // of GPUs, in turn
}

const gib = 1 << 30

// attributes that nodes have and asks name.
const (
	zone     = "zone"
	gpuModel = "gpu.model"
	disk     = "disk"
)

var zones = [...]string{"north", "south", "east"}

func machines() []machine {
	return []machine{
		{name: "cpu", nodes: 36, vcore: 32, gib: 128},
		{name: "mem", nodes: 8, vcore: 48, gib: 768},
		{name: "gpu", nodes: 16, vcore: 64, gib: 512, gpus: 8, models: []string{"A10", "A100", "A100", "H100"}},
	}
}

// cluster adds the nodes: one in five has room that others use.
func (d *day) cluster() {
	d.add(0, ConfigSet(DemoConfig))
	for _, m := range machines() {
		for i := range m.nodes {
			d.add(0, m.node(i, fmt.Sprintf("%s-%02d", m.name, i+1)))
		}
	}
}

func (m machine) node(i int, id string) core.Input {
	capacity := demand{vcore: float64(m.vcore), gib: m.gib, gpus: m.gpus}
	in := &core.AddNode{ID: id, Capacity: capacity.set(), Attributes: map[string]string{zone: zones[i%len(zones)]}}
	if len(m.models) > 0 {
		in.Attributes[gpuModel] = m.models[i%len(m.models)]
	}
	if m.name == "mem" && i >= m.nodes-2 {
		in.Attributes[disk] = nvme
	}
	if i%5 == 0 {
		in.Occupied = size(1000, 2*gib)
	}
	return core.Input{Event: in}
}

// operations are what happens to the cluster itself in the course of the day.
func (d *day) operations() {
	d.add(clock(9, 30), core.Input{Event: &core.DrainNode{ID: "gpu-04"}})
	d.add(clock(11, 15), core.Input{Event: &core.ResumeNode{ID: "gpu-04"}})
	d.add(clock(12, 0), ConfigSet(DemoConfigNoon))
	d.add(clock(14, 20), core.Input{Event: &core.RemoveNode{ID: "gpu-07"}})
	d.add(clock(16, 5), machines()[2].node(6, "gpu-17"))
	d.add(clock(17, 0), core.Input{Event: &core.UpdateNode{ID: "mem-03", Occupied: size(4000, 256*gib)}})
	d.add(clock(20, 30), core.Input{Event: &core.UpdateNode{ID: "mem-03", Occupied: size(1000, 2*gib)}})
}

// demand is what one ask of the demonstration wants.
type demand struct {
	vcore    float64
	gib      int64
	gpus     int64
	models   []string // of GPUs that will do; none: any
	disk     string   // none: any
	priority int32

	gang        *core.Gang // whose members the asks are; nil: of none
	taskGroup   string
	placeholder bool // they hold the room of that many tasks of the group
	patient     bool // they preempt nothing
}

func (m demand) set() resource.Set {
	set := size(int64(m.vcore*1000), m.gib*gib)
	if m.gpus > 0 {
		set = resource.NewSet(append(resource.Set{{Type: gpu, Value: m.gpus}}, set...)...)
	}
	return set
}

// app submits an application of one of a team's users to its queue, or to one below; its asks follow through ask. What is returned
// is there to be completed.
func (d *day) app(at time.Duration, id string, t team, below string) *core.AddApp {
	user := d.rng.IntN(len(t.users))
	app := &core.AddApp{ID: id, Queue: t.queue + below, User: t.users[user], Groups: t.groups(user)}
	d.add(at, core.Input{Event: app})
	return app
}

// ask submits asks of one kind, each with the same run time; one of zero lasts.
func (d *day) ask(at time.Duration, app, name string, count int, what demand, run time.Duration) {
	in := &core.AddAsk{ID: app + "." + name, App: app, Resources: what.set()}
	in.Ask = core.Ask{Priority: what.priority, Gang: what.gang, TaskGroup: what.taskGroup, Placeholder: what.placeholder, NoPreemptOthers: what.patient}
	if len(what.models) > 0 {
		in.Ask.Constraints = map[string][]string{gpuModel: what.models}
	}
	if what.disk != "" {
		in.Ask.Constraints = map[string][]string{disk: {what.disk}}
	}
	d.add(at, core.Input{Event: in})
	last := &d.entries[len(d.entries)-1]
	if count > 1 {
		last.Count, last.Numbered = count, true
	}
	last.Run, last.HasRun = run, run > 0
}
