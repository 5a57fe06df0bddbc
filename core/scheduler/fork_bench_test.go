package scheduler_test

import (
	"fmt"
	"testing"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/scheduler"
)

// sizes of clusters; each application has 20 asks, of which nine tenths are allocated.
var forkSizes = []struct{ queues, nodes, asks int }{{100, 5_000, 100_000}, {100, 10_000, 111_000}, {1_000, 10_000, 1_000_000}}

// BenchmarkFreeze freezes a scheduler.
func BenchmarkFreeze(b *testing.B) {
	for _, size := range forkSizes {
		b.Run(fmt.Sprintf("%d queues/%d nodes/%d asks", size.queues, size.nodes, size.asks), func(b *testing.B) {
			s := populated(b, size.queues, size.nodes, size.asks)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := s.Freeze(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkFork makes a scheduler from a version.
func BenchmarkFork(b *testing.B) {
	for _, size := range forkSizes {
		b.Run(fmt.Sprintf("%d queues/%d nodes/%d asks", size.queues, size.nodes, size.asks), func(b *testing.B) {
			frozen, err := populated(b, size.queues, size.nodes, size.asks).Freeze()
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				frozen.Fork(core.Options{})
			}
		})
	}
}

// BenchmarkWhatIf freezes a scheduler, forks it, and decides an ask in the fork.
func BenchmarkWhatIf(b *testing.B) {
	s := populated(b, 100, 10_000, 111_000)
	for b.Loop() {
		frozen, err := s.Freeze()
		if err != nil {
			b.Fatal(err)
		}
		decideOne(frozen.Fork(core.Options{}))
	}
}

func decideOne(s *scheduler.Scheduler) {
	s.Apply(&core.Input{At: s.Now(), Event: &core.ReleaseAllocation{ID: "k000007"}})
	s.Cycle(-1)
	s.Take()
}
