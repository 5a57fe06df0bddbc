package store_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/quern-project/quern/host/store"
	"github.com/quern-project/quern/host/store/simdisk"
)

// refusal opens a store and returns the damage for which that is refused.
func refusal(t *testing.T, d store.Disk, o store.Options) *store.DamageError {
	t.Helper()
	o.SegmentSize = segmentSize
	l, found, err := store.Open(d, o)
	var damage *store.DamageError
	if !errors.As(err, &damage) {
		end := store.Position{}
		if l != nil {
			end = l.End()
		}
		t.Fatalf("expected damage, found the end %+v, a tear %v and %v", end, found.Torn, err)
	}
	return damage
}

// Records that an earlier release wrote, which did not chain batches: one ends before its newest snapshot, in the other a page became zero
// and something stands behind it. Opening refuses them each time, and changes nothing.
func TestLostTailOfAnEarlierRelease(t *testing.T) {
	for name, want := range map[string]store.DamageError{
		"record-behind-snapshot": {File: "00000000000000000745.log", Offset: 1264, Problem: "batch 748 is incomplete, and 00000000000000000754.snap shows that batch 754 was acknowledged"},
		"page-of-zeros":          {File: "00000000000000000745.log", Offset: 21352, Problem: "batch 790 is damaged"},
	} {
		dir := filepath.Join(t.TempDir(), "data")
		if err := os.CopyFS(dir, os.DirFS(filepath.Join("testdata", name))); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			for _, o := range []store.Options{{}, {ReadOnly: true}, {Live: true}} {
				if found := refusal(t, folder(t, dir), o); *found != want {
					t.Errorf("%s: found %v", name, found)
				}
			}
		}
		for _, file := range []string{"00000000000000000622.log", "00000000000000000745.log"} {
			before, _ := os.ReadFile(filepath.Join("testdata", name, file))
			if after, err := os.ReadFile(filepath.Join(dir, file)); err != nil || !slices.Equal(before, after) {
				t.Errorf("%s: %s was changed (%v)", name, file, err)
			}
		}
	}
}

// ended is a record of some batches in several segments, whose process was killed, and the names of the segments.
func ended(t *testing.T, batches int) (*simdisk.Disk, []string) {
	t.Helper()
	d := simdisk.New(1)
	l, _ := open(t, d)
	for n := range batches {
		appendBatch(t, l, payload(n))
	}
	names, err := d.List()
	if err != nil {
		t.Fatal(err)
	}
	return d, slices.DeleteFunc(names, func(name string) bool { return !strings.HasSuffix(name, ".log") })
}

// From whatever byte on a record is lost, in whatever way, opening refuses it, unless all batches are there.
func TestLostTailIsRefused(t *testing.T) {
	original, names := ended(t, 40)
	lost := 0
	for _, name := range names {
		size := int64(len(original.Content(name)))
		for offset := int64(0); offset < size; offset += 88 {
			for how, lose := range map[string]func(*simdisk.Disk){
				"cut":        func(d *simdisk.Disk) { d.Truncate(name, offset) },
				"zeros":      func(d *simdisk.Disk) { d.Zero(name, offset, size) },
				"zero page":  func(d *simdisk.Disk) { d.Zero(name, offset, 4096) },
				"zero block": func(d *simdisk.Disk) { d.Zero(name, offset, 512) },
			} {
				d := original.Copy(2)
				lose(d)
				l, found, err := store.Open(d, store.Options{SegmentSize: segmentSize})
				var damage *store.DamageError
				switch {
				case errors.As(err, &damage) && damage.File != "":
					lost++
				case err != nil || len(batches(t, l, 1)) != 40:
					t.Fatalf("%s of %s at %d: found %v, and %v", how, name, offset, found.Torn, err)
				}
			}
		}
	}
	if lost < 100 {
		t.Errorf("only %d of all losses were refused", lost)
	}
}

// A file that is missing, or that is another one's, is refused, unless all batches are there and what cannot be read is said.
func TestLostAndSwappedFiles(t *testing.T) {
	original, _, _ := snapshotted(t)
	other := simdisk.New(7) // the same files, of another record
	l, _ := open(t, other)
	for n := range 60 {
		appendBatch(t, l, strings.ReplaceAll(payload(n), "x", "y"))
		if n == 40 || n == 50 {
			if err := l.WriteSnapshot(l.End(), fmt.Appendf(nil, "another state of %d", n+1)); err != nil {
				t.Fatal(err)
			}
		}
	}
	names, err := original.List()
	if err != nil {
		t.Fatal(err)
	}
	changes := map[string]func(*simdisk.Disk){}
	for i, name := range names {
		changes["lost "+name] = func(d *simdisk.Disk) { d.Lose(name) }
		changes["other "+name] = func(d *simdisk.Disk) { d.Replace(name, other.Content(name)) }
		next := names[(i+1)%len(names)]
		changes["swapped "+name] = func(d *simdisk.Disk) {
			content := d.Content(name)
			d.Replace(name, d.Content(next))
			d.Replace(next, content)
		}
	}
	for how, change := range changes {
		d := original.Copy(2)
		change(d)
		l, found, err := store.Open(d, store.Options{SegmentSize: segmentSize})
		var damage *store.DamageError
		if errors.As(err, &damage) && damage.File != "" {
			continue
		}
		if err != nil {
			t.Errorf("%s: found %v", how, err)
			continue
		}
		older := l.CheckOlder()
		if len(found.Skipped) == 0 && found.Unmarked == nil && older == nil && !strings.HasSuffix(how, "next.tmp") && !strings.HasPrefix(how, "lost 0") {
			t.Errorf("%s: nothing was said", how)
		}
		if l.End().Batch != 60 || found.At.Batch > 0 && !strings.HasPrefix(string(found.Snapshot), "state of ") {
			t.Errorf("%s: the record ends with batch %d, and the snapshot is %.20q", how, l.End().Batch, found.Snapshot)
		}
	}
}

// What a process that died had not synced is a tear also without the file that says how far the record was acknowledged, if all before it is
// known to be there; else it cannot be told from what was lost.
func TestTearWithoutTheMark(t *testing.T) {
	d := simdisk.New(3)
	l, _ := open(t, d)
	for n := range 5 {
		appendBatch(t, l, payload(n))
	}
	d.Fault = func(operation, _ string) error {
		if operation == "sync" {
			return errInjected
		}
		return nil
	}
	if _, err := l.Append(9, 99, []byte(strings.Repeat("y", 5000))); err == nil {
		t.Fatal("a batch was acknowledged that was not synced")
	}
	d.Fault = nil
	d.Crash()
	marked := d.Copy(1)
	if _, found := open(t, marked); found.Torn == nil || found.Torn.Batch != 6 {
		t.Fatalf("expected a tear, found %v", found.Torn)
	}
	d.Lose("acknowledged")
	if damage := refusal(t, d, store.Options{}); !strings.Contains(damage.Problem, "whether it was acknowledged is not known") {
		t.Errorf("found %v", damage)
	}
}

// Of a record that a power failure ended, what was synced bounds how much can be lost in silence.
func TestMarkIsDurableOnceSynced(t *testing.T) {
	d := simdisk.New(3)
	l, _ := open(t, d)
	for n := range 5 {
		appendBatch(t, l, payload(n))
	}
	if !l.AcknowledgedUnsynced() {
		t.Error("the mark claims to be synced")
	}
	if err := l.SyncAcknowledged(); err != nil || l.AcknowledgedUnsynced() {
		t.Errorf("the mark was not synced (%v)", err)
	}
	d.Crash()
	names, _ := d.List()
	d.Zero(names[0], 64, segmentSize)
	if damage := refusal(t, d, store.Options{}); damage.File != names[0] || !strings.Contains(damage.Problem, "acknowledged shows that batch 5 was acknowledged") {
		t.Errorf("found %v", damage)
	}
}

// A half of the mark that is damaged is said once, and written again.
func TestDamagedMarkIsWrittenAgain(t *testing.T) {
	for _, offset := range []int64{0, 4096} {
		d, _ := ended(t, 5)
		d.Flip("acknowledged", 8*(offset+30))
		l, found := open(t, d)
		var damage *store.DamageError
		if !errors.As(found.Unmarked, &damage) || damage.File != "acknowledged" || damage.Offset != offset || l.End().Batch != 5 {
			t.Errorf("found %v", found.Unmarked)
		}
		if _, found = open(t, d); found.Unmarked != nil {
			t.Errorf("the next start found %v", found.Unmarked)
		}
	}
}

// The mark that a killed process left is known to the system's cache alone: the next process makes it durable, although it is right.
func TestMarkOfAKilledProcessIsMadeDurable(t *testing.T) {
	for seed := range uint64(20) {
		d := simdisk.New(seed)
		l, _ := open(t, d)
		for n := range 5 {
			appendBatch(t, l, payload(n))
		}
		open(t, d)
		d.Crash()
		names, _ := d.List()
		d.Zero(names[0], 64, segmentSize)
		if damage := refusal(t, d, store.Options{}); damage.File != names[0] {
			t.Errorf("found %v", damage)
		}
	}
}
