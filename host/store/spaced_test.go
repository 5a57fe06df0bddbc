package store_test

import (
	"fmt"
	"testing"

	"github.com/quern-project/quern/host/store"
)

// What is kept for longer than recovery needs it begins with a snapshot, and few are kept for that.
func TestRecord_RetainedPartBeginsWithASnapshot(t *testing.T) {
	l, _, err := store.Open(store.NewMemory(), store.Options{SegmentSize: 4 << 10})
	if err != nil {
		t.Fatal(err)
	}
	const retain = 200
	for at := int64(1); at <= 2000; at++ {
		if _, err := l.Append(0, at, make([]byte, 500)); err != nil {
			t.Fatal(err)
		}
		if at%10 > 0 {
			continue
		}
		if err := l.WriteSnapshot(l.End(), fmt.Append(nil, at)); err != nil {
			t.Fatal(err)
		}
		if _, err := l.Compact(at - retain); err != nil {
			t.Fatal(err)
		}
		stat, err := l.Stat()
		if err != nil {
			t.Fatal(err)
		}
		wanted := uint64(max(1, at-retain))
		state, p, err := l.SnapshotUpTo(wanted)
		if err != nil || p.Batch > wanted || string(state) != begun(p.Batch) {
			t.Fatalf("at %d, from %d: found the state %q of %d (%v)", at, wanted, state, p.Batch, err)
		}
		if n := len(stat.Snapshots); n > 8 {
			t.Fatalf("at %d there are %d snapshots", at, n)
		}
		if first := int64(stat.First.Batch); at-first > retain*3/2 {
			t.Fatalf("at %d the record begins at %d", at, first)
		}
	}
	if state, p, err := l.SnapshotUpTo(5); err != nil || p.Batch <= 5 || p.Batch+1 < l.First() || string(state) != begun(p.Batch) {
		t.Errorf("expected the first state that is kept, found %q of %d (%v)", state, p.Batch, err)
	}
}

// begun is the state of a batch in that test; none before the first one.
func begun(batch uint64) string {
	if batch == 0 {
		return ""
	}
	return fmt.Sprint(batch)
}
