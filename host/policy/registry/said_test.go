package registry

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

func TestFolder_TheSameErrorIsLoggedOnce(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "modules")
	broken := filepath.Join(dir, "bad.wasm")
	write := func(text string, age time.Duration) {
		t.Helper()
		if err := os.WriteFile(broken, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(broken, time.Time{}, time.Now().Add(-age)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	var logged []string
	r, _, err := Open(t.Context(), Options{Dir: dir, Log: func(name, level, _ string) { logged = append(logged, level+" "+name) }})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close(context.Background()) }()
	said := r.refusals()
	scans := func(want ...string) {
		t.Helper()
		logged = nil
		for range 4 { // a file is read once it has looked the same twice
			r.scanAndLog(t.Context(), said)
		}
		if !slices.Equal(logged, want) {
			t.Errorf("expected %q, found %q", want, logged)
		}
	}
	scans()
	write("junk", time.Hour)
	scans("warning bad")
	write("junk", 2*time.Hour) // touched, and read again
	scans()
	write("\x00asm\x01\x00\x00\x00", 3*time.Hour) // wrong in another way
	scans("warning bad")
	if err := os.Rename(dir, dir+".away"); err != nil {
		t.Fatal(err)
	}
	scans("error ")
	if err := os.Rename(dir+".away", dir); err != nil {
		t.Fatal(err)
	}
	scans("info ")
	if err := os.Remove(broken); err != nil {
		t.Fatal(err)
	}
	scans("info bad")
}
