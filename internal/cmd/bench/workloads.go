package main

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/workload"
)

// fill sends everything in and places it.
func fill(generate func() workload.Workload, all bool) (sample, error) {
	before := live()
	w := generate()
	setUp, asks := split(w.All())
	wanted := len(asks)
	runtime.GC()

	d := newDriver()
	settingUp := d.apply(setUp)
	asked := d.apply(asks)
	began := time.Now()
	made := d.decide()
	placed := time.Since(began)
	if made == 0 || all && made != wanted {
		return nil, fmt.Errorf("%d of %d asks are allocated", made, wanted)
	}

	w, setUp, asks = workload.Workload{}, nil, nil
	megabytes := grown(before)
	runtime.KeepAlive(d.Scheduler)
	whole := settingUp + asked + placed
	return sample{float64(made) / whole.Seconds(), each(asked, wanted, 1), each(placed, made, 1), megabytes}, nil
}

// stepTime is what passes between two steps of a churn.
const stepTime = time.Millisecond

// churn goes through as many steps untimed, so that all memory has grown to its size, and then times them.
func churn(nodes, queues, steps int) (sample, error) {
	before := live()
	c := workload.NewChurn(nodes, queues, seed)
	d := newDriver()
	d.apply(c.All())
	if made := d.decide(); made != len(c.Steps) {
		return nil, fmt.Errorf("%d of %d asks are allocated", made, len(c.Steps))
	}
	c.Workload = workload.Workload{}
	t := turner{driver: d, steps: c.Steps}
	for range steps {
		t.turn()
	}
	took := make([]time.Duration, steps)
	runtime.GC()
	var from, to runtime.MemStats
	runtime.ReadMemStats(&from)
	for i := range took {
		took[i] = t.turn()
	}
	runtime.ReadMemStats(&to)
	made := math.Round(100*float64(to.Mallocs-from.Mallocs)/float64(steps)) / 100
	if t.idle > 0 {
		return nil, fmt.Errorf("%d steps did not allocate", t.idle)
	}
	c.Steps, t.steps = nil, nil
	megabytes := grown(before)
	runtime.KeepAlive(d.Scheduler)
	return sample{percentile(took, 50), percentile(took, 99), made, megabytes}, nil
}

// turner goes round the steps of a churn.
type turner struct {
	driver
	steps []workload.Step
	next  int
	idle  int // steps that allocated nothing, or too much
}

func (t *turner) turn() time.Duration {
	step := &t.steps[t.next]
	t.next = (t.next + 1) % len(t.steps)
	at := t.Now() + stepTime
	step.Release.At, step.Ask.At = at, at
	began := time.Now()
	made := t.advance(at)
	t.Apply(&step.Release)
	t.Apply(&step.Ask)
	made += t.decide()
	took := time.Since(began)
	if made != 1 {
		t.idle++
	}
	return took
}

// stuck times releases while asks wait that fit nowhere.
func stuck(asks, shapes, events int) (sample, error) {
	before := live()
	w := workload.NewStuck(asks, shapes, seed)
	setUp, pending := split(w.All())
	w.Workload = workload.Workload{}
	runtime.GC()

	d := newDriver()
	d.apply(setUp)
	asked := d.apply(pending)
	if made := d.decide(); made != 0 {
		return nil, fmt.Errorf("%d asks are allocated in a full cluster", made)
	}
	setUp, pending = nil, nil
	took := make([]time.Duration, min(events, len(w.Releases)))
	runtime.GC()
	for i := range took {
		began := time.Now()
		d.Apply(&w.Releases[i])
		made := d.decide()
		took[i] = time.Since(began)
		if made != 1 {
			return nil, fmt.Errorf("a release made room for %d asks", made)
		}
	}
	w.Releases = nil
	megabytes := grown(before)
	runtime.KeepAlive(d.Scheduler)
	return sample{percentile(took, 50), percentile(took, 99), each(asked, asks, 1), megabytes}, nil
}

// reload times a change of configuration and the cycle that follows it.
func reload(queues, allocations int) (sample, error) {
	before := live()
	w := workload.NewReload(queues, allocations, seed)
	d := newDriver()
	d.apply(w.All())
	d.decide()
	next := workload.ConfigSet(w.Next)
	w = workload.Reload{}
	runtime.GC()

	began := time.Now()
	d.Apply(&next)
	decisions := d.Take()
	accepted := slices.ContainsFunc(decisions, func(x core.Decision) bool { return x.Type == core.ConfigAccepted })
	d.decide()
	took := time.Since(began)
	if !accepted {
		return nil, fmt.Errorf("the configuration is refused: %v", decisions)
	}
	megabytes := grown(before)
	runtime.KeepAlive(d.Scheduler)
	return sample{each(took, 1, time.Millisecond), megabytes}, nil
}
