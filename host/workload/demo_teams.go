package workload

import (
	"fmt"
	"time"

	"github.com/quern-project/quern/core/instant"
)

// services run all day; some are scaled up for office hours, and one is rolled out again in the evening.
func (d *day) services() {
	for i := range 24 {
		id, queue := fmt.Sprintf("web-%02d", i+1), ".web"
		if i%3 == 2 {
			id, queue = fmt.Sprintf("internal-%02d", i+1), ".internal"
		}
		start := d.within(20 * time.Minute)
		what := demand{vcore: float64(d.between(1, 4)), gib: int64(d.between(2, 12)), priority: int32(10 * (i % 3))}
		d.app(start, id, platform(), queue)
		d.ask(start, id, "base", d.between(3, 8), what, 0)
		d.ask(instant.Add(clock(8, 0), d.within(time.Hour)), id, "peak", d.between(2, 10), what, d.lasting(9*time.Hour))
		if i%6 == 0 {
			d.ask(instant.Add(clock(20, 0), d.within(time.Hour)), id, "next", d.between(2, 5), what, 0)
		}
	}
}

// data is ETL in waves, reports that start one after the other, and queries of people at work.
func (d *day) data() {
	for hour := range 24 {
		jobs := 2
		if hour < 6 || hour == 22 {
			jobs = 5
		}
		d.often(clock(hour, 0), clock(hour, 10), jobs, func(i int, at time.Duration) {
			id := fmt.Sprintf("etl-%02d-%d", hour, i+1)
			d.app(at, id, etl(), "")
			d.ask(at, id, "driver", 1, demand{vcore: 1, gib: 4, priority: 1}, 80*time.Minute)
			d.ask(at, id, "extract", d.between(6, 20), demand{vcore: 2, gib: 8}, d.lasting(12*time.Minute))
			d.ask(instant.Add(at, d.lasting(20*time.Minute)), id, "load", d.between(4, 14), demand{vcore: 8, gib: 48}, d.lasting(40*time.Minute))
		})
	}
	d.often(clock(5, 30), clock(9, 0), 30, func(i int, at time.Duration) {
		id := fmt.Sprintf("report-%02d", i+1)
		d.app(at, id, finance(), "")
		d.ask(at, id, "driver", 1, demand{vcore: 1, gib: 4, priority: 10}, d.lasting(15*time.Minute))
		d.ask(instant.Add(at, time.Minute), id, "work", d.between(3, 12), demand{vcore: 2, gib: 16}, d.lasting(10*time.Minute))
	})
	d.often(clock(8, 0), clock(19, 0), 195, func(i int, at time.Duration) {
		id := fmt.Sprintf("adhoc-%03d", i+1)
		d.app(at, id, analysts(), "")
		d.ask(at, id, "query", d.between(2, 18), demand{vcore: 6, gib: 20, priority: int32(d.between(0, 2))}, d.lasting(25*time.Minute))
	})
}

// research trains on GPUs, simulates, searches parameters in the evening, and keeps notebooks open. What is guaranteed to one of its
// queues is taken back from whoever borrowed it: the other ones, or the sandbox. One job names a GPU that no node has, and
// waits forever.
func (d *day) research() {
	newer := []string{"A100", "H100"}
	d.often(clock(0, 30), clock(21, 0), 40, func(i int, at time.Duration) {
		if i%2 == 1 {
			id := fmt.Sprintf("language-%02d", i+1)
			what := demand{vcore: 12, gib: 80, gpus: int64(1 << d.between(1, 3)), models: newer, priority: int32(5 * (i % 3))}
			d.app(at, id, researchers(), ".language")
			d.training(at, id, d.between(2, 4), what, d.lasting(150*time.Minute))
			return
		}
		id := fmt.Sprintf("vision-%02d", i+1)
		d.app(at, id, researchers(), ".vision")
		d.ask(at, id, "worker", d.between(1, 4), demand{vcore: 8, gib: 48, gpus: int64(1 << d.between(0, 2))}, d.lasting(150*time.Minute))
	})
	d.app(clock(10, 10), "vision-new", researchers(), ".vision")
	d.ask(clock(10, 10), "vision-new", "worker", 2, demand{vcore: 8, gib: 48, gpus: 1, models: []string{"B200"}}, time.Hour)
	d.often(clock(18, 30), clock(20, 30), 6, func(i int, at time.Duration) {
		id := fmt.Sprintf("search-%d", i+1)
		d.app(at, id, researchers(), ".vision")
		for trial := range d.between(20, 40) {
			d.ask(at, id, fmt.Sprintf("trial-%02d", trial+1), 1, demand{vcore: 4, gib: 24, gpus: 1, priority: -5}, d.lasting(35*time.Minute))
		}
	})
	d.often(clock(8, 30), clock(17, 0), 60, func(i int, at time.Duration) {
		id := fmt.Sprintf("notebook-%02d", i+1)
		d.app(at, id, researchers(), ".notebooks")
		d.ask(at, id, "kernel", 1, demand{vcore: 2, gib: 16, gpus: 1, models: []string{"A10", "A100"}}, d.lasting(2*time.Hour))
	})
}

// sandbox shouts, and gets what is left: its queue is fenced. The trials end with the configuration of noon, and one
// that comes too late is turned away.
func (d *day) sandbox() {
	d.often(clock(7, 0), clock(23, 0), 80, func(i int, at time.Duration) {
		id := fmt.Sprintf("student-%02d", i+1)
		d.app(at, id, students(), "")
		d.ask(at, id, "task", d.between(2, 20), demand{vcore: 3, gib: 8, priority: 1000}, d.lasting(45*time.Minute))
	})
	d.often(clock(9, 0), clock(12, 30), 14, func(i int, at time.Duration) {
		id := fmt.Sprintf("trial-%02d", i+1)
		d.app(at, id, guests(), "")
		d.ask(at, id, "task", d.between(4, 16), demand{vcore: 2, gib: 8, gpus: int64(i % 2)}, d.lasting(45*time.Minute))
	})
}

// partners rent a part of the cluster, of which they have half from noon on: what they use beyond is taken back. They need all of
// it before noon.
func (d *day) partners() {
	work := func(i int, at time.Duration) {
		id, queue := fmt.Sprintf("render-%02d", i+1), ".render"
		if i%3 == 2 {
			id, queue = fmt.Sprintf("import-%02d", i+1), ".import"
		}
		d.app(at, id, partners(), queue)
		d.ask(at, id, "part", d.between(4, 14), demand{vcore: 6, gib: 16}, d.lasting(75*time.Minute))
	}
	d.often(clock(7, 0), clock(10, 0), 6, work)
	d.often(clock(10, 0), clock(11, 45), 12, func(i int, at time.Duration) { work(6+i, at) })
	d.often(clock(13, 0), clock(17, 0), 6, func(i int, at time.Duration) { work(18+i, at) })
}
