package simdisk

import (
	"errors"
	"testing"
)

// A process that goes on running after a crash changes nothing on the disk any more.
func TestAMountEndsWithACrash(t *testing.T) {
	d := New(1)
	m := d.Mount()
	for _, name := range []string{"a", "b"} {
		if _, err := m.Create(name); err != nil {
			t.Fatal(err)
		}
	}
	if err := m.Sync(); err != nil {
		t.Fatal(err)
	}
	d.Crash()
	_, created := m.Create("c")
	_, opened := m.Open("a")
	_, listed := m.List()
	for _, err := range []error{created, opened, listed, m.Rename("a", "d"), m.Remove("b"), m.Sync()} {
		if !errors.Is(err, errCrashed) {
			t.Errorf("found %v, expected %v", err, errCrashed)
		}
	}
	names, err := d.Mount().List()
	if err != nil || len(names) != 2 || names[0] != "a" || names[1] != "b" {
		t.Errorf("found %v, %v", names, err)
	}
}
