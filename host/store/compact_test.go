package store_test

import (
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/quern-project/quern/host/store"
	"github.com/quern-project/quern/host/store/simdisk"
)

// What was not removed when a process ended, since it was to be kept then or the process died, the next one removes.
func TestStart_RemovesLeftoversOfAnEarlierProcess(t *testing.T) {
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

// Batches are appended and read while others remove segments; with the race detector this shows what is not guarded.
func TestSegmentsAreRemovedWhileBatchesAreAppended(t *testing.T) {
	l, _ := open(t, simdisk.New(1))
	ended, removed := make(chan error, 1), atomic.Int32{}
	stop := make(chan struct{})
	go func() {
		for {
			select {
			case <-stop:
				ended <- nil
				return
			default:
			}
			err := l.WriteSnapshot(l.End(), []byte("state"))
			if err == nil {
				var n int
				n, err = l.Compact(1 << 60)
				removed.Add(int32(n))
			}
			if err != nil {
				ended <- err
				return
			}
		}
	}()
	for n := 0; n < 500 || removed.Load() == 0; n++ {
		appendBatch(t, l, payload(n))
		if last := batches(t, l, l.End().Batch); len(last) != 1 || last[0] != payload(n) {
			t.Fatalf("batch %d is read back as %q", n, last)
		}
	}
	close(stop)
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// A segment that cannot be removed stays, and so do all that follow it: a record has no holes.
func TestSegment_UnremovableKeepsLaterOnes(t *testing.T) {
	for _, failing := range []string{"remove", "sync"} {
		d := simdisk.New(1)
		l, _ := open(t, d)
		var want []string
		for n := range 60 {
			want = append(want, payload(n))
			appendBatch(t, l, want[n])
			if n >= 58 {
				if err := l.WriteSnapshot(l.End(), []byte("state")); err != nil {
					t.Fatal(err)
				}
			}
		}
		d.Fault = func(operation, name string) error {
			if operation == failing && (name == "" || strings.HasSuffix(name, ".log")) {
				d.Fault = nil
				return errInjected
			}
			return nil
		}
		if _, err := l.Compact(1 << 60); !errors.Is(err, errInjected) {
			t.Fatalf("%s: found %v", failing, err)
		}
		if removed, err := l.Compact(1 << 60); err != nil {
			t.Fatalf("%s: the next time %d were removed: %v", failing, removed, err)
		}
		for range 2 {
			first := l.First()
			if got := batches(t, l, first); !slices.Equal(got, want[first-1:]) {
				t.Errorf("%s: from batch %d on, %d batches are there", failing, first, len(got))
			}
			d.Crash()
			l, _ = open(t, d)
		}
	}
}
