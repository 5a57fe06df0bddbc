package store_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/quern-project/quern/host/store"
)

// A record of an earlier release goes on in the present format, chained to what was there.
func TestRecord_OfAnEarlierReleaseOpens(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	if err := os.CopyFS(dir, os.DirFS("../server/testdata/store-1")); err != nil {
		t.Fatal(err)
	}
	l, found := open(t, folder(t, dir))
	if found.At.Batch != 4 || l.End().Batch != 7 || found.Unmarked != nil {
		t.Fatalf("found a snapshot of batch %d, the end %d, and %v", found.At.Batch, l.End().Batch, found.Unmarked)
	}
	before := batches(t, l, 1)
	appendBatch(t, l, "of this release")
	if err := l.WriteSnapshot(l.End(), []byte("state")); err != nil {
		t.Fatal(err)
	}
	appendBatch(t, l, "behind the snapshot")
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	l, found = open(t, folder(t, dir))
	if got := batches(t, l, 1); !slices.Equal(got, append(before, "of this release", "behind the snapshot")) || found.At.Batch != 8 {
		t.Errorf("found %d batches, and a snapshot of batch %d", len(got), found.At.Batch)
	}
	if _, err := l.Verify(); err != nil {
		t.Error(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	// What the earlier release had written is no longer the end: from now on its loss shows.
	old := filepath.Join(dir, "00000000000000000001.log")
	text, err := os.ReadFile(old)
	if err == nil {
		clear(text[len(text)/8:])
		err = os.WriteFile(old, text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	l, _ = open(t, folder(t, dir))
	if err := l.CheckOlder(); err == nil {
		t.Error("a loss behind the snapshot was not found")
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"00000000000000000008.snap", "00000000000000000004.snap"} {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if damage := refusal(t, folder(t, dir), store.Options{}); damage.File != "00000000000000000001.log" {
		t.Errorf("found %v", damage)
	}
}
