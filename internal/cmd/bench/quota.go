package main

import (
	"fmt"
	"runtime"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/workload"
)

// quotaRounds are queues that give back what they use beyond a lowered max.
func quotaRounds(s scale) group {
	g := group{
		name: "quota",
		about: "The max of a queue is lowered while allocations run in its leaves, each of which is guaranteed half of what it uses. Timed is the cycle in which " +
			"the queue gives the excess back: the choice of the victims, and the decisions. Sizes are leaf queues / allocations / victims.",
		columns: []column{{duration, milli, false}, {heap, megabyte, false}},
	}
	for _, size := range [][3]int{{100, 100_000, 1_000}, {100, 100_000, 10_000}, {100, 100_000, 40_000}, {10_000, 100_000, 10_000}} {
		leaves, allocations, victims := s.of(size[0], 10), s.of(size[1], 1000), s.of(size[2], 100)
		c := benchCase{name: "quota round", size: []int{leaves, allocations, victims}}
		if victims <= 10_000 {
			c.wanted = map[string]float64{duration: 20}
		}
		c.run = func() (sample, error) { return quotaRound(leaves, allocations, victims) }
		g.cases = append(g.cases, c)
	}
	return g
}

// quotaRound lowers the max of a queue and times the cycle in which its round is due.
func quotaRound(leaves, allocations, victims int) (sample, error) {
	before := live()
	w := workload.NewQuota(leaves, allocations, victims, seed)
	d := newDriver()
	d.apply(w.All())
	d.decide()
	d.apply([]core.Input{workload.ConfigSet(w.Next)})
	w = workload.Quota{}
	d.advance(workload.QuotaDelay * time.Second)
	runtime.GC()

	took, decisions := d.search()
	if len(decisions) != victims {
		return nil, fmt.Errorf("%d of %d victims are taken", len(decisions), victims)
	}
	decisions = nil
	megabytes := grown(before)
	runtime.KeepAlive(d.Scheduler)
	return sample{each(took, 1, time.Millisecond), megabytes}, nil
}
