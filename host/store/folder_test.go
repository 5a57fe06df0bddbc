package store_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/quern-project/quern/host/store"
)

func folder(t *testing.T, dir string) store.Disk {
	t.Helper()
	d, err := store.OpenFolder(dir, true)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestOneProcessAtATimeHasAFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	d := folder(t, dir)
	var locked *store.LockedError
	if _, err := store.OpenFolder(dir, true); !errors.As(err, &locked) || locked.PID != os.Getpid() {
		t.Errorf("found %v", err)
	}
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the folder has the mode %v (%v)", info.Mode(), err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := store.OpenFolder(dir, false)
	if err != nil {
		t.Fatal(err)
	}
	if err := again.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := store.OpenFolder(filepath.Join(dir, "nowhere"), false); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("found %v", err)
	}
}

// The record of a folder is what a simulated disk has: the same code writes both.
func TestARecordInAFolderIsReadBack(t *testing.T) {
	dir := t.TempDir()
	var want []string
	for range 3 {
		l, found := open(t, folder(t, dir))
		if found.At.Batch != uint64(len(want)) {
			t.Errorf("the snapshot is of batch %d", found.At.Batch)
		}
		for range 20 {
			want = append(want, payload(len(want)))
			appendBatch(t, l, want[len(want)-1])
		}
		if err := l.WriteSnapshot(l.End(), []byte("state")); err != nil {
			t.Fatal(err)
		}
		if got := batches(t, l, 1); !slices.Equal(got, want) {
			t.Fatalf("found %d batches, expected %d", len(got), len(want))
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	}
	l, _ := open(t, folder(t, dir))
	defer func() { _ = l.Close() }() // it was read
	if removed, err := l.Compact(1 << 60); err != nil || removed == 0 || len(batches(t, l, l.First())) != len(want)-int(l.First())+1 {
		t.Errorf("%d segments were removed (%v), and the record begins with batch %d", removed, err, l.First())
	}
	if stat, err := l.Verify(); err != nil || stat.End.Batch != 60 || len(stat.Snapshots) != 2 {
		t.Errorf("found %+v (%v)", stat, err)
	}
}

// BenchmarkAppend makes batches durable in a folder, of so many records of 200 bytes.
func BenchmarkAppend(b *testing.B) {
	for name, records := range map[string]int{"1": 1, "100": 100, "1000": 1000} {
		b.Run(name, func(b *testing.B) {
			d, err := store.OpenFolder(b.TempDir(), true)
			if err != nil {
				b.Fatal(err)
			}
			l, _, err := store.Open(d, store.Options{})
			if err != nil {
				b.Fatal(err)
			}
			batch := make([]byte, 200*records)
			for b.Loop() {
				if _, err := l.Append(1, 1, batch); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(records*b.N)/b.Elapsed().Seconds(), "records/s")
			if err := l.Close(); err != nil {
				b.Fatal(err)
			}
		})
	}
}
