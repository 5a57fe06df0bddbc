package app_test

import (
	"fmt"
	"testing"

	"github.com/quern-project/quern/core/policy"
)

func TestAllocatingAsksInTheSteadyStateTakesNoMemory(t *testing.T) {
	type load struct{ applications, asks, classes, priorities int }
	for _, asks := range []func() *policy.Module{policy.FifoAsks, largestFirst} {
		for _, o := range orders {
			for _, l := range []load{{1, 100, 1, 1}, {1, 100, 1, 20}, {1, 100, 40, 3}, {50, 1, 1, 1}, {50, 4, 2, 2}} {
				t.Run(fmt.Sprintf("%s/%s/%+v", asks().Name, o.name, l), func(t *testing.T) {
					q := newQueueUnderLoad(o.module(), o.stateAware, asks())
					for i := range l.applications {
						a := q.application(i)
						for k := range l.asks {
							q.ask(a, k%l.classes, k%l.priorities)
						}
					}
					many := func() {
						for range 1000 {
							q.allocate(t)
						}
					}
					many() // heaps and indexes reach their sizes
					many()
					if made := testing.AllocsPerRun(3, many); made > 0 {
						t.Errorf("1000 allocations of asks, each followed by a new ask, allocate memory %v times", made)
					}
				})
			}
		}
	}
}
