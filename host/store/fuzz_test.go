package store_test

import (
	"errors"
	"io"
	"testing"

	"github.com/quern-project/quern/host/store"
)

// put puts a file on a disk.
func put(t *testing.T, d store.Disk, name string, content []byte) {
	f, err := d.Create(name)
	if err == nil {
		_, err = f.WriteAt(content, 0)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// written are the files of a small record.
func written(f *testing.F) (segment, snapshot []byte) {
	d := store.NewMemory()
	l, _, err := store.Open(d, store.Options{SegmentSize: 1 << 10})
	if err != nil {
		f.Fatal(err)
	}
	for n := range 3 {
		if _, err := l.Append(uint64(n), int64(n), []byte(payload(n))); err != nil {
			f.Fatal(err)
		}
	}
	if err := l.WriteSnapshot(l.End(), []byte("state")); err != nil {
		f.Fatal(err)
	}
	names, err := d.List()
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range names {
		file, err := d.Open(name)
		if err != nil {
			f.Fatal(err)
		}
		size, err := file.Size()
		content := make([]byte, size)
		if _, readErr := file.ReadAt(content, 0); err != nil || readErr != nil && readErr != io.EOF {
			f.Fatal(err, readErr)
		}
		if name[len(name)-4:] == ".log" {
			segment = content
		} else {
			snapshot = content
		}
	}
	return segment, snapshot
}

// Whatever stands in the files of a record, it is opened or refused, and what is opened can be read and goes on.
func FuzzOpen(f *testing.F) {
	segment, snapshot := written(f)
	f.Add(segment, snapshot)
	f.Add(segment[:len(segment)-100], snapshot[:20])
	f.Fuzz(func(t *testing.T, segment, snapshot []byte) {
		d := store.NewMemory()
		put(t, d, "00000000000000000001.log", segment)
		put(t, d, "00000000000000000002.snap", snapshot)
		l, _, err := store.Open(d, store.Options{SegmentSize: 1 << 10})
		if err != nil {
			return
		}
		before := batches(t, l, 1)
		if _, err := l.Append(1, 1, []byte("next")); err != nil {
			t.Fatal(err)
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		again, _, err := store.Open(d, store.Options{SegmentSize: 1 << 10})
		var damage *store.DamageError
		if errors.As(err, &damage) {
			t.Fatalf("what was appended is damage: %v", err)
		}
		if got := batches(t, again, 1); len(got) != len(before)+1 || got[len(before)] != "next" {
			t.Fatalf("%d batches were there, and after one more there are %d", len(before), len(got))
		}
	})
}
