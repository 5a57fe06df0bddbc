package main

import (
	"fmt"
	"runtime"
	"time"

	"github.com/quern-project/quern/host/workload"
)

// The columns of gangs by placeholders.
const (
	formed   = "gangs formed"
	replaced = "gangs replaced"
)

func placeholders(s scale) group {
	g := group{
		name: "placeholders",
		about: "Gangs by placeholders, in 100 leaf queues. They are formed: their placeholders come, and one cycle places them. They are replaced: as many tasks " +
			"come, one cycle tells the placeholders to leave, all leave, and one cycle places the tasks. Sizes are gangs / members / nodes.",
		columns: []column{{formed, perSecond, true}, {replaced, perSecond, true}, {heap, megabyte, false}},
	}
	gangs, members, nodes := s.of(1000, 25), 64, s.of(5000, 125)
	c := benchCase{name: "placeholders", size: []int{gangs, members, nodes}}
	c.run = func() (sample, error) { return swap(gangs, members, nodes, min(100, gangs)) }
	g.cases = []benchCase{c}
	return g
}

// swap forms gangs by placeholders, and has tasks take the places of all of these.
func swap(gangs, members, nodes, queues int) (sample, error) {
	before := live()
	w := workload.NewPlaceholders(gangs, members, nodes, queues)
	d := newDriver()
	d.apply(w.All())
	w.Workload = workload.Workload{}
	runtime.GC()

	wanted := gangs * members
	forming := d.apply(w.Holding)
	began := time.Now()
	made := d.decide()
	forming += time.Since(began)
	if made != wanted {
		return nil, fmt.Errorf("%d of %d placeholders are allocated", made, wanted)
	}
	replacing := d.apply(w.Tasks)
	began = time.Now()
	early := d.decide()
	replacing += time.Since(began) + d.apply(w.Releases)
	began = time.Now()
	made = d.decide()
	replacing += time.Since(began)
	if early != 0 || made != wanted {
		return nil, fmt.Errorf("%d of %d tasks are allocated, %d of them before the placeholders left", made, wanted, early)
	}
	w = workload.Placeholders{}
	megabytes := grown(before)
	runtime.KeepAlive(d.Scheduler)
	return sample{float64(gangs) / forming.Seconds(), float64(gangs) / replacing.Seconds(), megabytes}, nil
}
