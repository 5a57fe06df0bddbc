package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestIgnored_FilesThatAreNotBuiltHere(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		"built.go": "package p\n", "other_plan9.go": "package p\n", "tagged.go": "//go:build poison\n\npackage p\n", "text.md": "",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	found, err := ignored(folder)
	if err != nil {
		t.Fatal(err)
	}
	expected := []string{filepath.Join(folder, "other_plan9.go"), filepath.Join(folder, "tagged.go")}
	if !slices.Equal(found, expected) {
		t.Errorf("expected %v, found %v", expected, found)
	}
}
