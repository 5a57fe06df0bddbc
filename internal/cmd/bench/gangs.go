package main

import (
	"fmt"
	"runtime"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/workload"
)

const gangRate = "gangs"

// gangs are placed as a whole, each by one decision.
func gangs(s scale) group {
	g := group{
		name: "gangs",
		about: "Atomic gangs of identical members, one an application: all are sent in, then one cycle places them. The rate counts that cycle. A release makes room " +
			"while one more gang waits that does not fit. Sizes are nodes / gangs / members.",
		columns: []column{{gangRate, perSecond, true}, {asking, nanosecond, false}, {placing, nanosecond, false}, {median, micro, false}},
	}
	for _, size := range [][3]int{{5_000, 1_000, 64}, {5_000, 10_000, 8}, {5_000, 1, 100_000}} {
		nodes, count, members := s.of(size[0], 100), s.of(size[1], 1), s.of(size[2], 8)
		c := benchCase{name: "gangs", size: []int{nodes, count, members}}
		if size[1] == 1_000 {
			c.wanted = map[string]float64{gangRate: 10_000}
		}
		c.run = func() (sample, error) { return placeGangs(nodes, count, members) }
		g.cases = append(g.cases, c)
	}
	return g
}

// gangReleases is how many releases are timed beside a gang that waits.
const gangReleases = 100

func placeGangs(nodes, count, members int) (sample, error) {
	w := workload.StuckGangs(nodes, count, members, min(100, count), seed)
	setUp, asks := split(w.All())
	runtime.GC()
	d := newDriver()
	d.apply(setUp)
	asked := d.apply(asks)
	began := time.Now()
	made := d.decide()
	placed := time.Since(began)
	if made != count*members {
		return nil, fmt.Errorf("%d of %d members are allocated", made, count*members)
	}
	took := make([]time.Duration, min(gangReleases, made))
	for i := range took {
		in := core.Input{Event: &core.ReleaseAllocation{ID: fmt.Sprint("ask-", i)}}
		began := time.Now()
		d.Apply(&in)
		d.decide()
		took[i] = time.Since(began)
	}
	return sample{float64(count) / placed.Seconds(), each(asked, len(asks), 1), each(placed, made, 1), percentile(took, 50)}, nil
}
