package store_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/quern-project/quern/host/store"
	"github.com/quern-project/quern/host/store/simdisk"
)

// snapshotted is a record of 60 batches with two snapshots, whose names it returns.
func snapshotted(t *testing.T) (d *simdisk.Disk, older, newer string) {
	t.Helper()
	d = simdisk.New(1)
	l, _ := open(t, d)
	for n := range 60 {
		appendBatch(t, l, payload(n))
		if n == 40 || n == 50 {
			if err := l.WriteSnapshot(l.End(), fmt.Appendf(nil, "state of %d %s", n+1, strings.Repeat("x", 300))); err != nil {
				t.Fatal(err)
			}
		}
	}
	return d, fmt.Sprintf("%020d.snap", 41), fmt.Sprintf("%020d.snap", 51)
}

// A snapshot with a flipped bit, or one that is cut short, is passed over for the one before, and that is told.
func TestADamagedSnapshotIsPassedOver(t *testing.T) {
	check := func(name string, d *simdisk.Disk, newer string) {
		t.Helper()
		l, found, err := store.Open(d, store.Options{SegmentSize: segmentSize})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var damage *store.DamageError
		if found.At.Batch != 41 || !strings.HasPrefix(string(found.Snapshot), "state of 41 ") || len(found.Skipped) != 1 || !errors.As(found.Skipped[0], &damage) || damage.File != newer {
			t.Errorf("%s: found a snapshot of batch %d, and passed over %v", name, found.At.Batch, found.Skipped)
		}
		if l.End().Batch != 60 {
			t.Errorf("%s: the record ends with batch %d", name, l.End().Batch)
		}
		if _, err := l.Verify(); !errors.As(err, &damage) || damage.File != newer {
			t.Errorf("%s: verifying found %v", name, err)
		}
	}
	_, _, newer := snapshotted(t)
	size := snapshotSize(t, newer)
	for bit := int64(0); bit < 8*size; bit += 13 {
		d, _, newer := snapshotted(t)
		d.Flip(newer, bit)
		check(fmt.Sprint("bit ", bit), d, newer)
	}
	for cut := int64(0); cut < size; cut += 11 {
		d, _, newer := snapshotted(t)
		d.Truncate(newer, cut)
		check(fmt.Sprint("cut at ", cut), d, newer)
	}
}

func snapshotSize(t *testing.T, name string) int64 {
	t.Helper()
	d, _, _ := snapshotted(t)
	f, err := d.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	size, err := f.Size()
	if err != nil {
		t.Fatal(err)
	}
	return size
}

// Without any snapshot that can be read, a record that was cut off at its beginning is not opened; a whole one is.
func TestWithoutASnapshotTheRecordHasToBeWhole(t *testing.T) {
	d, older, newer := snapshotted(t)
	for _, name := range []string{older, newer} {
		d.Flip(name, 8*60)
	}
	if l, found, err := store.Open(d, store.Options{SegmentSize: segmentSize}); err != nil || found.At.Batch != 0 || len(found.Skipped) != 2 || l.End().Batch != 60 {
		t.Errorf("a whole record: found %+v (%v)", found, err)
	}

	d, older, newer = snapshotted(t)
	l, _ := open(t, d)
	if removed, err := l.Compact(1 << 60); err != nil || removed == 0 {
		t.Fatalf("%d segments were removed (%v)", removed, err)
	}
	for _, name := range []string{older, newer} {
		d.Flip(name, 8*60)
	}
	var damage *store.DamageError
	if _, _, err := store.Open(d, store.Options{SegmentSize: segmentSize}); !errors.As(err, &damage) || !strings.Contains(damage.Problem, "no snapshot") {
		t.Errorf("found %v", err)
	}
}
