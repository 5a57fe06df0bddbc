package scheduler_test

import (
	"testing"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/scheduler"
)

// BenchmarkSnapshot writes, restores and checkpoints a state with 100,000 asks on 5,000 nodes.
func BenchmarkSnapshot(b *testing.B) {
	s := populated(b, 1000, 5000, 100_000)
	data, kept := s.Snapshot(), s.Checkpoint()
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
	b.Run("remember", func(b *testing.B) {
		for b.Loop() {
			s.Checkpoint()
		}
	})
	b.Run("recall", func(b *testing.B) {
		for b.Loop() {
			scheduler.FromCheckpoint(kept, core.Options{})
		}
	})
}
