package store_test

import (
	"testing"

	"github.com/quern-project/quern/host/store"
	"github.com/quern-project/quern/host/store/simdisk"
)

// What was not removed when a process ended, since it was to be kept then or the process died, the next one removes.
func TestWhatAnEarlierProcessKeptIsRemoved(t *testing.T) {
	d := simdisk.New(1)
	l, _ := open(t, d)
	for n := range 60 {
		appendBatch(t, l, payload(n))
		if n == 40 || n == 50 {
			if err := l.WriteSnapshot(l.End(), []byte("state")); err != nil {
				t.Fatal(err)
			}
		}
	}
	before, err := l.Usage()
	if err != nil {
		t.Fatal(err)
	}
	l, _ = open(t, d)
	removed, err := l.Compact(1 << 60)
	if err != nil || removed == 0 || removed >= before.Segments {
		t.Errorf("of %d segments %d were removed (%v)", before.Segments, removed, err)
	}
	if first := l.First(); first > 42 || first < 30 {
		t.Errorf("the record begins with batch %d, and the older snapshot ends with batch 41", first)
	}
	if _, found, err := store.Open(d, store.Options{SegmentSize: segmentSize}); err != nil || found.At.Batch != 51 {
		t.Errorf("found %+v (%v)", found.At, err)
	}
}
