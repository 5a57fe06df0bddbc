package main

import (
	"io"
	"os"
	"testing"
)

// The pictures are the same on every machine: what they show is decided and counted, and nothing in them is timed.
func TestThePicturesOfThePoliciesAreOfToday(t *testing.T) {
	folder := os.Getenv(openbFolder)
	switch {
	case folder == "":
		t.Skipf("skipped, because %s does not name the folder of the openb lists", openbFolder)
	case testing.Short():
		t.Skip("skipped, because the runs take too long for -short")
	}
	l, err := readLists(folder)
	if err != nil {
		t.Fatal(err)
	}
	const root = "../../.."
	m, err := openModules(t.Context(), root, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = m.close(t.Context()) })
	g := gallery{lists: l, modules: m, root: root, out: io.Discard}
	for _, name := range shipped {
		t.Run(name, func(t *testing.T) {
			if why := m.missing(name); why != "" {
				t.Skip("skipped, because " + why)
			}
			want, err := g.draw(t.Context(), name)
			if err != nil {
				t.Fatal(err)
			}
			found, err := os.ReadFile(pictureOf(root, name))
			if err != nil {
				t.Fatal(err)
			}
			if string(found) != want {
				t.Errorf("%s is of another day: make pictures draws it anew", pictureOf("", name))
			}
		})
	}
}
