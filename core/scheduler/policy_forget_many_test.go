package scheduler_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/core/scheduler"
)

// wanting returns a cluster in which each of n asks has its own predicate, which refuses all nodes.
func wanting(t testing.TB, n int) *scheduler.Scheduler {
	t.Helper()
	s := scheduler.New(core.Options{Evaluator: func(core.Announcement) policy.Evaluator { return refusing{} }})
	s.Advance(0)
	list := []core.Input{{Event: &core.AddNode{ID: "n", Capacity: vcores(4)}}, {Event: &core.AddApp{ID: "a", Queue: "root.default"}}}
	for i := range n {
		list = append(list, core.Input{Event: &core.AddAsk{ID: fmt.Sprint("k", i), App: "a", Resources: vcores(1), Ask: core.Ask{Predicate: fmt.Sprint("p", i)}}})
	}
	for i := range list {
		if reason := s.Apply(&list[i]); reason != core.Accepted {
			t.Fatal(reason)
		}
	}
	s.Cycle(-1)
	return s
}

type refusing struct{}

func (refusing) Eval(b *policy.Batch) error {
	for _, row := range b.Rows {
		b.Out[row] = 1
	}
	return nil
}

// forgotten removes all predicates, so that they are evaluated again, and returns how long the inputs took.
func forgotten(t testing.TB, s *scheduler.Scheduler) time.Duration {
	names := s.Predicates()
	began := time.Now()
	for _, name := range names {
		if reason := s.Apply(&core.Input{At: s.Now(), Event: &core.RemovePolicy{Name: name}}); reason != core.Accepted {
			t.Fatal(reason)
		}
	}
	return time.Since(began)
}

func BenchmarkForgettingPredicates(b *testing.B) {
	for _, n := range []int{1000, 4000, 16000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s := wanting(b, n)
			var spent time.Duration
			for range b.N {
				spent += forgotten(b, s)
				s.Cycle(-1)
			}
			b.ReportMetric(float64(spent.Nanoseconds())/float64(b.N*n), "ns/predicate")
		})
	}
}
