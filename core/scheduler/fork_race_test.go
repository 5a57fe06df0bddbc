package scheduler_test

import (
	"bytes"
	"fmt"
	"sync"
	"testing"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/scheduler"
)

// churn releases allocations and submits asks in their place, so that pages of every table change.
func churn(s *scheduler.Scheduler, from, to int) {
	for n := from; n < to; n++ {
		for _, e := range []core.Event{
			&core.ReleaseAllocation{ID: fmt.Sprintf("k%06d", n)},
			&core.AddAsk{ID: fmt.Sprintf("l%06d", n), App: fmt.Sprintf("a%06d", n%50), Resources: vcores(1)},
			&core.AddNode{ID: fmt.Sprintf("new%06d", n), Capacity: vcores(1), Attributes: map[string]string{"zone": fmt.Sprint(n % 7)}},
		} {
			s.Apply(&core.Input{At: s.Now(), Event: e})
		}
		s.Cycle(-1)
	}
	s.Take()
}

// The race detector finds memory that both sides write, or one writes while another reads.
func TestFork_RunsBesideItsOriginal(t *testing.T) {
	s := populated(t, 10, 100, 2000)
	s.Take()
	var all sync.WaitGroup
	for range 3 {
		frozen, err := s.Freeze()
		if err != nil {
			t.Fatal(err)
		}
		expected := s.Snapshot()
		for range 2 {
			all.Go(func() {
				fork := frozen.Fork(core.Options{})
				if found := fork.Snapshot(); !bytes.Equal(found, expected) {
					t.Error("a fork is not the state at the time of the freeze")
				}
				churn(fork, 500, 600)
			})
		}
		churn(s, 0, 100)
	}
	all.Wait()
}
