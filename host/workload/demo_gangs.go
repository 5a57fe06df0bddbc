package workload

import (
	"fmt"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/resource"
)

// How long gangs of the demonstration wait.
const (
	trainingTimeout   = 3 * time.Hour
	simulationTimeout = 12 * time.Minute
)

// training is a job whose workers start together or not at all. They wait for free GPUs, and take none from others.
func (d *day) training(at time.Duration, app string, workers int, what demand, run time.Duration) {
	what.gang = &core.Gang{ID: "workers", Min: workers, Timeout: trainingTimeout}
	what.patient = true
	d.ask(at, app, "worker", workers, what, run)
}

// simulation is a job of a driver and workers that talk to each other. Placeholders hold the room of all of them, and the tasks
// take their places as they come.
type simulation struct {
	workers int
	idle    int  // workers that never come: their placeholders end
	hard    bool // without its gang the job fails
}

// each worker has a GPU.
var (
	simulationDriver = demand{vcore: 2, gib: 8}
	simulationWorker = demand{vcore: 6, gib: 32, gpus: 1, models: []string{"A10", "A100"}}
)

func (s simulation) room() resource.Set {
	n, w := int64(s.workers), simulationWorker
	return demand{vcore: simulationDriver.vcore + float64(n)*w.vcore, gib: simulationDriver.gib + n*w.gib, gpus: n * w.gpus}.set()
}

// simulate submits a simulation: the placeholders at once, the tasks some minutes later.
func (d *day) simulate(at time.Duration, id string, s simulation) {
	app := d.app(at, id, researchers(), ".simulation")
	app.Placeholders = &core.Placeholders{Ask: s.room(), Hard: s.hard, Timeout: simulationTimeout}
	for _, part := range []struct {
		group        string
		count, tasks int
		what         demand
	}{{"driver", 1, 1, simulationDriver}, {"worker", s.workers, s.workers - s.idle, simulationWorker}} {
		part.what.taskGroup = part.group
		d.ask(instant.Add(instant.Add(at, 2*time.Minute), d.within(3*time.Minute)), id, part.group, part.tasks, part.what, d.lasting(45*time.Minute))
		part.what.placeholder = true
		d.ask(at, id, "hold-"+part.group, part.count, part.what, 0)
	}
}

// simulations are spread over the day. After lunch three come at once, and there is room for one: the second goes on without its
// gang once its time is over, and the third, which is of no use without, fails.
func (d *day) simulations() {
	d.often(clock(1, 0), clock(20, 0), 7, func(i int, at time.Duration) {
		d.simulate(at, fmt.Sprintf("simulation-%d", i+1), simulation{workers: d.between(4, 10), idle: 2 * (i % 2)})
	})
	for i, s := range []simulation{{workers: 20}, {workers: 16, idle: 4}, {workers: 18, hard: true}} {
		d.simulate(clock(13, 5+4*i), fmt.Sprintf("simulation-%d", i+8), s)
	}
}

// nvme is the disk of the two nodes that the thesis and the forecast need.
const nvme = "nvme"

// thesis is a student's job of a driver and four workers that has run since midnight. At 12:20, finance asks for two forecasts on the same two nodes, of
// which one worker stands in the way, or two. All four leave, since they are a gang. The driver asks for four again, which wait together and start
// together once the forecasts are over. All of it happens at fixed times, whatever the seed.
func (d *day) thesis() {
	worker := demand{vcore: 4, gib: 240, disk: nvme, patient: true, gang: &core.Gang{ID: "workers", Min: 4}}
	d.add(clock(0, 1), core.Input{Event: &core.AddApp{ID: "thesis", Queue: students().queue, User: students().users[0], Groups: students().groups(0)}})
	d.ask(clock(0, 1), "thesis", "driver", 1, demand{vcore: 1, gib: 4}, clock(23, 0))
	d.ask(clock(0, 1), "thesis", "worker", 4, worker, clock(23, 0))
	d.add(clock(12, 20), core.Input{Event: &core.AddApp{ID: "forecast", Queue: finance().queue, User: finance().users[0], Groups: finance().groups(0)}})
	d.ask(clock(12, 20), "forecast", "work", 2, demand{vcore: 8, gib: 400, disk: nvme, priority: 10}, clock(0, 40))
	d.ask(clock(12, 25), "thesis", "again", 4, worker, clock(10, 0))
}
