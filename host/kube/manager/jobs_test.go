package manager

import (
	"fmt"
	"slices"
	"sync"
	"testing"
)

func TestJobsOfOneKeyRunOneAfterTheOther(t *testing.T) {
	const most = 4
	j := newJobs(most)
	var mu sync.Mutex
	running, peak, active, order := 0, 0, map[string]bool{}, map[string][]int{}
	step := func(key string, begin bool) {
		mu.Lock()
		defer mu.Unlock()
		if active[key] == begin {
			t.Errorf("two jobs of %s run at a time", key)
		}
		if active[key] = begin; begin {
			running++
		} else {
			running--
		}
		peak = max(peak, running)
	}
	for i := range 50 {
		for k := range 10 {
			key := fmt.Sprint(k)
			j.do(key, func() {
				step(key, true)
				mu.Lock()
				order[key] = append(order[key], i)
				mu.Unlock()
				step(key, false)
			})
		}
	}
	j.wait()
	if peak > most {
		t.Errorf("%d jobs ran at a time", peak)
	}
	for key, list := range order {
		if len(list) != 50 || !slices.IsSorted(list) {
			t.Errorf("jobs of %s: %v", key, list)
		}
	}
}
