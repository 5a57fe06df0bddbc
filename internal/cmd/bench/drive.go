package main

import (
	"runtime"
	"slices"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/drive"
	"github.com/quern-project/quern/core/scheduler"
)

// batch is how many inputs, or allocations, go by between two looks at the decisions.
const batch = 1024

// driver is the host's loop around a scheduler, as plain as it can be.
type driver struct{ *scheduler.Scheduler }

func newDriver() driver {
	d := driver{scheduler.New(core.Options{})}
	d.Advance(0)
	return d
}

// apply sends inputs of one instant in and returns how long the scheduler took.
func (d driver) apply(inputs []core.Input) time.Duration {
	began := time.Now()
	for i := range inputs {
		d.Apply(&inputs[i])
		if i%batch == batch-1 {
			d.Take()
		}
	}
	d.Take()
	return time.Since(began)
}

// decide decides all that came in the present instant, and returns the number of allocations.
func (d driver) decide() (made int) {
	instant := drive.Now(d)
	for !instant.Decided() {
		made += instant.Cycle(batch)
		d.Take()
	}
	return made
}

// advance advances to a time, stopping at every deadline on the way, and returns the allocations made on the way.
func (d driver) advance(to time.Duration) (made int) {
	for at := range drive.Deadlines(d, to) {
		d.Advance(at)
		made += d.decide()
	}
	d.Advance(to)
	return made
}

// split cuts inputs before the first ask.
func split(inputs []core.Input) (before, from []core.Input) {
	i := slices.IndexFunc(inputs, func(in core.Input) bool { return in.Type() == core.AskAdd })
	if i < 0 {
		return inputs, nil
	}
	return inputs[:i], inputs[i:]
}

// live is the memory that is in use, after a collection.
func live() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// grown is how far the memory in use is above what it was, in megabytes.
func grown(before uint64) float64 {
	now := live()
	return float64(now-min(now, before)) / 1e6
}

// each returns a duration divided by a count, in a unit.
func each(d time.Duration, n int, unit time.Duration) float64 {
	return float64(d) / float64(unit) / float64(max(n, 1))
}
