package registry_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quern-project/quern/host/policy/registry"
)

// tetris copies a module that ships into a folder, and returns its hash.
func tetris(t *testing.T, dir, name string) string {
	t.Helper()
	file, err := os.ReadFile("../../../plugins/binpack-tetris/binpack-tetris.wasm")
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, name+".wasm"), file)
	r, _ := open(t, registry.Options{Dir: dir})
	return r.Announced()[0].SHA256
}

func TestArchive_FindsAModuleByItsHash(t *testing.T) {
	dir, archive := t.TempDir(), filepath.Join(t.TempDir(), "modules")
	sum := tetris(t, dir, "m")
	r, _ := open(t, registry.Options{Dir: dir, Archive: archive, Keep: true})
	for range 2 { // a second time there is nothing to do
		if err := r.Preserve("m"); err != nil {
			t.Fatal(err)
		}
	}
	announced := r.Announced()[0]
	copied := t.TempDir()
	if err := registry.CopyArchived(archive, copied, []string{sum}); err != nil {
		t.Fatal(err)
	}
	for name, o := range map[string]registry.Options{"archive": {Archive: archive}, "a replay's folder": {Dir: copied}} {
		other, _ := open(t, o)
		if len(other.Announced()) > 0 {
			t.Errorf("%s: it is announced", name)
		}
		b := other.Bind(t.Context())
		if e := b.Evaluator(announced); e == nil {
			t.Errorf("%s: it is not found: %v", name, b.Missing())
		}
	}
	stored := filepath.Join(archive, sum+".wasm")
	write(t, stored, []byte("something else"))
	other, _ := open(t, registry.Options{Archive: archive})
	b := other.Bind(t.Context())
	if e := b.Evaluator(announced); e != nil || len(b.Missing()) != 1 {
		t.Error("a file that is not what its name says was taken")
	}
	if err := registry.CopyArchived(archive, copied, []string{sum}); err == nil {
		t.Error("a file that is not what its name says was copied")
	}
	if err := r.Preserve("m"); err != nil { // which puts it right
		t.Fatal(err)
	}
	write(t, filepath.Join(archive, "notes.txt"), nil)
	if err := registry.Prune(archive, func(sha256 string) bool { return sha256 == sum }); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(stored); err != nil {
		t.Error("what is needed was removed")
	}
	if err := registry.Prune(archive, func(string) bool { return false }); err != nil {
		t.Fatal(err)
	}
	left, err := os.ReadDir(archive)
	if err != nil || len(left) != 1 || left[0].Name() != "notes.txt" {
		t.Errorf("found %v, %v", left, err)
	}
	if err := registry.Prune(filepath.Join(archive, "none"), nil); err != nil {
		t.Errorf("an archive that is not there: %v", err)
	}
}

func TestModule_MemorySetBeforeItServesSeveral(t *testing.T) {
	dir := t.TempDir()
	tetris(t, dir, "a")
	tetris(t, dir, "b")
	r, refused, err := registry.Open(t.Context(), registry.Options{Dir: dir, Ahead: true, Memory: 40 << 20}) // each wants 32 MiB
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close(t.Context()) })
	if len(refused) != 1 || refused[0].Name != "b" || !strings.Contains(refused[0].Error(), "32 MiB taken and 32 MiB more needed") {
		t.Fatalf("found %v", refused)
	}
	if list := r.Refused(); len(list) != 1 || list[0].Name != "b" {
		t.Errorf("found %v", list)
	}
	settings := []byte("[limits]\nmemory = \"4MiB\"\n")
	if _, err := r.Put(t.Context(), "b", registry.Files{Settings: settings}); err != nil {
		t.Errorf("there is room for it now: %v", err)
	}
	if len(r.Refused()) > 0 || len(r.Announced()) != 2 {
		t.Errorf("found %v", r.Refused())
	}
}

func TestFilesThatCannotBeProvenChangeNothing(t *testing.T) {
	dir := t.TempDir()
	tetris(t, dir, "m")
	r, _ := open(t, registry.Options{Dir: dir, Keep: true})
	before, err := os.ReadFile(filepath.Join(dir, "m.wasm"))
	if err != nil {
		t.Fatal(err)
	}
	for what, f := range map[string]registry.Files{
		"junk": {Wasm: []byte("junk")}, "an empty file": {Wasm: []byte{}}, "wrong settings": {Settings: []byte("x = 1\n")},
		"a pin that does not fit": {Settings: []byte("sha256 = \"" + strings.Repeat("00", 32) + "\"\n")}, "a shadow of nothing": {Settings: []byte("shadow_of = \"none\"\n")},
	} {
		var refused registry.Refusal
		if _, err := r.Put(t.Context(), "m", f); !errors.As(err, &refused) || strings.Contains(err.Error(), "quern-upload") {
			t.Errorf("%s: found %v", what, err)
		}
		if now, err := os.ReadFile(filepath.Join(dir, "m.wasm")); err != nil || string(now) != string(before) {
			t.Errorf("%s: the file has changed", what)
		}
		if _, err := os.Stat(filepath.Join(dir, "m.toml")); err == nil {
			t.Errorf("%s: settings were written", what)
		}
		if len(r.Announced()) != 1 || len(r.Refused()) != 0 {
			t.Errorf("%s: found %v, %v", what, r.Announced(), r.Refused())
		}
	}
	if _, err := r.Put(t.Context(), "other", registry.Files{Settings: []byte("")}); !errors.Is(err, registry.ErrNoModule) {
		t.Errorf("settings alone: found %v", err)
	}
	if _, err := r.Delete(t.Context(), "../m"); !errors.Is(err, registry.ErrNoModule) {
		t.Errorf("a path: found %v", err)
	}
}
