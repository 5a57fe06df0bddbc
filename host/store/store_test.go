package store_test

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/quern-project/quern/host/store"
	"github.com/quern-project/quern/host/store/simdisk"
)

// segmentSize is small, so that tests have many segments.
const segmentSize = 8 << 10

func open(t *testing.T, d store.Disk) (*store.Log, store.Opened) {
	t.Helper()
	l, found, err := store.Open(d, store.Options{SegmentSize: segmentSize})
	if err != nil {
		t.Fatal(err)
	}
	return l, found
}

func appendBatch(t *testing.T, l *store.Log, payload string) store.Position {
	t.Helper()
	p, err := l.Append(l.End().Decision+1, l.End().At+10, []byte(payload))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// payload is the text of a batch: from a few bytes to some sectors.
func payload(n int) string { return fmt.Sprintf("batch %d %s", n, strings.Repeat("x", n*n%2000)) }

// batches reads the payloads of all batches from one on.
func batches(t *testing.T, l *store.Log, from uint64) []string {
	t.Helper()
	r, err := l.ReadFrom(from)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }() // it was read
	var out []string
	for {
		p, b, err := r.Next()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		if p.Batch != from+uint64(len(out)) {
			t.Fatalf("expected batch %d, found %d", from+uint64(len(out)), p.Batch)
		}
		out = append(out, string(b))
	}
}

func TestWhatWasAppendedIsReadBackAfterACrash(t *testing.T) {
	d := simdisk.New(1)
	l, _ := open(t, d)
	var want []string
	for n := range 100 {
		want = append(want, payload(n))
		appendBatch(t, l, want[n])
		if n%7 == 0 {
			d.Crash()
			l, _ = open(t, d)
		}
	}
	for from := uint64(1); from <= 100; from += 9 {
		if got := batches(t, l, from); !slices.Equal(got, want[from-1:]) {
			t.Fatalf("from batch %d: found %d batches that differ from the %d that were appended", from, len(got), len(want[from-1:]))
		}
	}
	if end := l.End(); end.Batch != 100 || end.Decision != 100 || end.At != 1000 {
		t.Errorf("the end is %+v", end)
	}
}

func TestReader_ContinuesOnceMoreIsDurable(t *testing.T) {
	l, _ := open(t, simdisk.New(1))
	r, err := l.ReadFrom(1)
	if err != nil {
		t.Fatal(err)
	}
	for n := range 50 {
		if _, _, err := r.Next(); !errors.Is(err, io.EOF) {
			t.Fatalf("expected the end, found %v", err)
		}
		appendBatch(t, l, payload(n))
		if _, b, err := r.Next(); err != nil || string(b) != payload(n) {
			t.Fatalf("batch %d: found %d bytes, %v", n+1, len(b), err)
		}
	}
}

func TestABatchThatWasNotWrittenWholeIsCutOff(t *testing.T) {
	cuts := 0
	for seed := range uint64(200) {
		d := simdisk.New(seed)
		l, _ := open(t, d)
		for n := range 3 {
			appendBatch(t, l, payload(n))
		}
		d.Fault = func(operation, name string) error {
			if operation == "sync" {
				return errors.New("the power fails")
			}
			return nil
		}
		if _, err := l.Append(9, 99, []byte(strings.Repeat("y", 3000))); err == nil {
			t.Fatal("a batch was acknowledged that was not synced")
		}
		d.Fault = nil
		d.Crash()
		l, found := open(t, d)
		whole := l.End().Batch == 4 // all sectors happened to be written
		if found.Torn != nil {
			cuts++
			if found.Torn.Batch != 4 || whole {
				t.Fatalf("seed %d: %s; the end is %+v", seed, found.Torn, l.End())
			}
		}
		appendBatch(t, l, "next")
		got := batches(t, l, 1)
		if want := 4; !whole && len(got) != want || got[len(got)-1] != "next" {
			t.Fatalf("seed %d: found %d batches", seed, len(got))
		}
		if again, _ := open(t, d); !slices.Equal(batches(t, again, 1), got) {
			t.Fatalf("seed %d: opened once more the record is another", seed)
		}
	}
	if cuts < 50 {
		t.Errorf("only %d of 200 crashes tore a batch", cuts)
	}
}

// A batch whose sync failed is there for the next process, which goes on from it. Then it must outlive a crash, although the system believes that
// it was written.
func TestABatchThatOnlyTheCacheHasIsMadeDurable(t *testing.T) {
	for seed := range uint64(20) {
		d := simdisk.New(seed)
		l, _ := open(t, d)
		appendBatch(t, l, "the first")
		d.Fault = func(operation, _ string) error {
			if operation == "sync" {
				return errors.New("injected")
			}
			return nil
		}
		if _, err := l.Append(2, 20, []byte(strings.Repeat("x", 3000))); err == nil {
			t.Fatal("a sync that failed is no error")
		}
		d.Fault = nil
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		l, _ = open(t, d)
		if l.End().Batch != 2 {
			t.Fatalf("the cache has %d batches", l.End().Batch)
		}
		appendBatch(t, l, "the third")
		d.Crash()
		if l, _ = open(t, d); l.End().Batch != 3 {
			t.Fatalf("with seed %d, %d batches are left of 3", seed, l.End().Batch)
		}
	}
}

func TestAChangedBitStopsOpening(t *testing.T) {
	var names []string
	build := func() *simdisk.Disk {
		d := simdisk.New(1)
		l, _ := open(t, d)
		for n := range 40 {
			appendBatch(t, l, payload(n))
		}
		names, _ = d.List()
		return d
	}
	build()
	missed := 0
	for _, name := range names {
		for bit := int64(0); bit < segmentSize*8; bit += 97 {
			d := build()
			d.Flip(name, bit)
			l, found, err := store.Open(d, store.Options{SegmentSize: segmentSize})
			var damage *store.DamageError
			var version *store.VersionError
			switch {
			case errors.As(err, &damage) && damage.File == name, errors.As(err, &version):
			case err != nil:
				t.Fatalf("bit %d of %s: %v", bit, name, err)
			case found.Torn != nil && found.Torn.Batch <= 40:
				t.Fatalf("bit %d of %s: what was acknowledged is cut off: %s", bit, name, found.Torn)
			case len(batches(t, l, 1)) != 40:
				t.Fatalf("bit %d of %s: %d batches are left", bit, name, len(batches(t, l, 1)))
			default:
				missed++ // padding, or space that nothing is written to yet
			}
		}
	}
	t.Logf("%d bits changed nothing that counts", missed)
}

// A file that a copy or a file system has cut short is damage, also where it is the last one: what it had was acknowledged.
func TestAFileThatWasCutShort(t *testing.T) {
	build := func() (*simdisk.Disk, []string) {
		d := simdisk.New(1)
		l, _ := open(t, d)
		for n := range 40 {
			appendBatch(t, l, payload(n))
		}
		names, err := d.List()
		if err != nil {
			t.Fatal(err)
		}
		return d, names
	}
	_, names := build()
	for _, name := range names {
		for _, size := range []int64{5000, 3000, 1000, 20} {
			d, _ := build()
			d.Truncate(name, size)
			l, _, err := store.Open(d, store.Options{SegmentSize: segmentSize})
			var damage *store.DamageError
			switch {
			case errors.As(err, &damage) && damage.File == name:
			case err != nil || len(batches(t, l, 1)) != 40:
				t.Errorf("%s of %d bytes: found %v", name, size, err)
			case name < "9" && size <= 1000:
				t.Errorf("%s of %d bytes is no damage", name, size)
			}
		}
	}
}
