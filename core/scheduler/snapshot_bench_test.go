package scheduler_test

import (
	"testing"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/scheduler"
)

// BenchmarkSnapshot writes and restores a state with 100,000 asks on 5,000 nodes.
func BenchmarkSnapshot(b *testing.B) {
	s := populated(b, 1000, 5000, 100_000)
	data := s.Snapshot()
	b.Run("write", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		for b.Loop() {
			s.Snapshot()
		}
	})
	b.Run("read", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		for b.Loop() {
			if _, err := scheduler.Restore(data, core.Options{}); err != nil {
				b.Fatal(err)
			}
		}
	})
}
