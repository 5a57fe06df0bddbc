package tool

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// state is what a folder holds, by the names of the files below it.
func state(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			name, _ := filepath.Rel(dir, path)
			files[name] = read(t, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func same(a, b map[string]string) bool {
	if len(a) != len(b) {
		return false
	}
	for name, text := range a {
		if found, there := b[name]; !there || found != text {
			return false
		}
	}
	return true
}

func TestARollbackSwapsTheVersionsAndASecondSwapsThemBack(t *testing.T) {
	for _, c := range []struct {
		name          string
		before, after map[string]string
	}{
		{"both files", map[string]string{"a.wasm": "new", "a.toml": "n", ".previous/a.wasm": "old", ".previous/a.toml": "o", "b.wasm": "b"},
			map[string]string{"a.wasm": "old", "a.toml": "o", ".previous/a.wasm": "new", ".previous/a.toml": "n", "b.wasm": "b"}},
		{"settings that are new", map[string]string{"a.wasm": "new", "a.toml": "n", ".previous/a.wasm": "old"},
			map[string]string{"a.wasm": "old", ".previous/a.wasm": "new", ".previous/a.toml": "n"}},
		{"a policy that is gone", map[string]string{".previous/a.wasm": "old", ".previous/a.toml": "o"},
			map[string]string{"a.wasm": "old", "a.toml": "o"}},
		{"a process", map[string]string{"a.toml": "n", ".previous/a.toml": "o"},
			map[string]string{"a.toml": "o", ".previous/a.toml": "n"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := folder(t, c.before)
			if _, err := Rollback(dir, "a"); err != nil {
				t.Fatal(err)
			}
			if found := state(t, dir); !same(found, c.after) {
				t.Errorf("expected %v, found %v", c.after, found)
			}
			if len(c.before) != len(c.after) || c.name == "a policy that is gone" {
				return // there is no version before, to go back to
			}
			if _, err := Rollback(dir, "a"); err != nil {
				t.Fatal(err)
			}
			if found := state(t, dir); !same(found, c.before) {
				t.Errorf("rolled back again: expected %v, found %v", c.before, found)
			}
		})
	}
}

func TestRollback_RestoresTheServingVersion(t *testing.T) {
	for name, c := range map[string]struct{ before, after map[string]string }{
		"both files": {map[string]string{"a.wasm": "bad", "a.toml": "b", ".serving/a.wasm": "new", ".serving/a.toml": "n", ".previous/a.wasm": "old", ".refused/a.wasm": "worse"},
			map[string]string{"a.wasm": "new", "a.toml": "n", ".refused/a.wasm": "bad", ".refused/a.toml": "b", ".previous/a.wasm": "old"}},
		"settings that are new": {map[string]string{"a.wasm": "new", "a.toml": "bad", ".serving/a.wasm": "new"},
			map[string]string{"a.wasm": "new", ".refused/a.wasm": "new", ".refused/a.toml": "bad"}},
		"a process": {map[string]string{"a.toml": "bad", ".serving/a.toml": "n"}, map[string]string{"a.toml": "n", ".refused/a.toml": "bad"}},
	} {
		dir := folder(t, c.before)
		r, err := Rollback(dir, "a")
		if err != nil {
			t.Fatal(err)
		}
		if found := state(t, dir); !same(found, c.after) {
			t.Errorf("%s: expected %v, found %v", name, c.after, found)
		}
		if !strings.Contains(r.String(), "the version that serves; the refused one, ") {
			t.Errorf("%s: found %s", name, r)
		}
	}
}

func TestARollbackSaysWhichHashIsInForce(t *testing.T) {
	dir := folder(t, map[string]string{"a.wasm": "new", ".previous/a.wasm": empty})
	r, err := Rollback(dir, "a")
	if err != nil {
		t.Fatal(err)
	}
	if want := "a: restored a.wasm with sha256 " + hash + "; 11507a0e2f5e69d5dfa40a62a1bd7b6ee57e6bcd85c67c9b8431b36fff21c437 is now the previous version"; r.String() != want {
		t.Errorf("expected %q, found %q", want, r)
	}
}

func TestWhatCannotBeRolledBackStaysAsItIs(t *testing.T) {
	files := map[string]string{"a.wasm": "new", "file": ""}
	dir := folder(t, files)
	for _, c := range []struct{ dir, name, expected string }{
		{dir, "a", ".previous: expected a.wasm or a.toml"}, {dir, "../a", "name: expected"}, {dir, "", "name: expected"},
		{filepath.Join(dir, "none"), "a", "no such file"}, {filepath.Join(dir, "file"), "a", "found a file"},
	} {
		_, err := Rollback(c.dir, c.name)
		var input *InputError
		if !errors.As(err, &input) || !strings.Contains(err.Error(), c.expected) {
			t.Errorf("%s %s: expected an InputError with %q, found %v", c.dir, c.name, c.expected, err)
		}
	}
	if found := state(t, dir); !same(found, files) {
		t.Errorf("found %v", found)
	}
}
