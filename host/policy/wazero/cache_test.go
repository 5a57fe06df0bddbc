//go:build unix

package wazero_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/quern-project/quern/host/policy/wazero"
)

// smallest is a module that can be loaded; others differ in what they score.
func smallest(t testing.TB, score int) []byte {
	t.Helper()
	return compile(t, fmt.Sprintf(scoreByFree+"POINT(node_score) { EACH(i) out[i] = %d; return 0; }", score))
}

// loads loads a module with a cache, and closes it again.
func loads(t testing.TB, cache string, file []byte) {
	t.Helper()
	r, err := wazero.New(t.Context(), wazero.Options{Cache: cache})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Load(t.Context(), "m", file, wazero.Limits{}); err != nil {
		t.Errorf("a good module: %v", err)
	}
	if err := r.Close(context.Background()); err != nil {
		t.Error(err)
	}
}

// entries are the files of compiled code in a cache.
func entries(t testing.TB, cache string) []string {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(cache, "wazero-*", "*", "*"))
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// entry is the only one.
func entry(t testing.TB, cache string) string {
	t.Helper()
	list := entries(t, cache)
	if len(list) != 1 {
		t.Fatalf("expected one entry, found %v", list)
	}
	return list[0]
}

func content(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestCompiledCodeIsTakenFromTheCache(t *testing.T) {
	cache, file := t.TempDir(), smallest(t, 1)
	loads(t, cache, file)
	path := entry(t, cache)
	before, err := os.Stat(path)
	must(t, err)
	loads(t, cache, file)
	if after, err := os.Stat(entry(t, cache)); err != nil || !os.SameFile(before, after) {
		t.Errorf("expected the entry to serve again, found another (%v)", err)
	}
	if left, _ := filepath.Glob(filepath.Join(cache, "run-*")); len(left) > 0 {
		t.Errorf("left over: %v", left)
	}
}

func TestABadEntryIsCompiledAnewAndReplaced(t *testing.T) {
	file, foreign := smallest(t, 1), t.TempDir()
	loads(t, foreign, file)
	for name, spoil := range map[string]func(path string){
		"empty":     func(path string) { must(t, os.Truncate(path, 0)) },
		"truncated": func(path string) { must(t, os.Truncate(path, int64(len(content(t, path))/2))) },
		"flipped": func(path string) {
			data := content(t, path)
			data[len(data)/2] ^= 1
			must(t, os.WriteFile(path, data, 0o600))
		},
		"longer": func(path string) { must(t, os.WriteFile(path, append(content(t, path), 0), 0o600)) },
		"of another cache": func(path string) {
			other := entry(t, foreign)
			must(t, os.Remove(path))
			must(t, os.Rename(other, filepath.Join(filepath.Dir(path), filepath.Base(other))))
		},
		"of another module": func(path string) {
			loads(t, filepath.Dir(filepath.Dir(filepath.Dir(path))), smallest(t, 2))
			for _, other := range entries(t, filepath.Dir(filepath.Dir(filepath.Dir(path)))) {
				if other != path { // its code and its sum, under the name of this one
					_, sum, _ := strings.Cut(filepath.Base(other), "-")
					name, _, _ := strings.Cut(filepath.Base(path), "-")
					must(t, os.Rename(other, filepath.Join(filepath.Dir(path), name+"-"+sum)))
				}
			}
			must(t, os.Remove(path))
		},
		"a pipe":           func(path string) { must(t, os.Remove(path)); must(t, syscall.Mkfifo(path, 0o600)) },
		"a folder":         func(path string) { must(t, os.Remove(path)); must(t, os.MkdirAll(filepath.Join(path, "x"), 0o700)) },
		"another's to set": func(path string) { must(t, os.Chmod(path, 0o666)) },
		"without a key":    func(path string) { must(t, os.Remove(filepath.Join(path, "..", "..", "..", "key"))) },
		"with a torn key":  func(path string) { must(t, os.Truncate(filepath.Join(path, "..", "..", "..", "key"), 7)) },
	} {
		t.Run(name, func(t *testing.T) {
			cache := t.TempDir()
			loads(t, cache, file)
			spoil(entry(t, cache))
			loads(t, cache, file)
			good, err := os.Stat(entry(t, cache))
			must(t, err)
			loads(t, cache, file)
			if again, err := os.Stat(entry(t, cache)); err != nil || !os.SameFile(good, again) || !good.Mode().IsRegular() {
				t.Errorf("expected an entry that serves from then on, found %v (%v)", again, err)
			}
		})
	}
}

func TestACacheThatOthersCanChangeIsRefused(t *testing.T) {
	for name, c := range map[string]struct {
		spoil    func(t *testing.T, cache string)
		expected []string
	}{
		"everybody may write": {func(t *testing.T, cache string) { must(t, os.Chmod(cache, 0o777)) }, []string{"found the mode drwxrwxrwx", "chmod go-w"}},
		"a group may write":   {func(t *testing.T, cache string) { must(t, os.Chmod(cache, 0o770)) }, []string{"found the mode drwxrwx---", "choose another folder"}},
		"the key":             {func(t *testing.T, cache string) { must(t, os.Chmod(filepath.Join(cache, "key"), 0o666)) }, []string{"/key: expected it to be writable by its owner only", "remove the file"}},
		"another's": {func(t *testing.T, cache string) {
			if os.Geteuid() != 0 {
				t.Skip("only the superuser can give files away")
			}
			must(t, os.Chown(cache, 4711, -1))
		}, []string{"found the user with the ID 4711", "chown"}},
	} {
		t.Run(name, func(t *testing.T) {
			cache := filepath.Join(t.TempDir(), "cache")
			loads(t, cache, smallest(t, 1))
			c.spoil(t, cache)
			r, err := wazero.New(t.Context(), wazero.Options{Cache: cache})
			if err == nil {
				_ = r.Close(t.Context())
				t.Fatal("expected an error, found none")
			}
			for _, words := range append(c.expected, "cache of compiled policies: "+cache) {
				if !strings.Contains(err.Error(), words) {
					t.Errorf("expected %q in %v", words, err)
				}
			}
			if !errors.Is(err, fs.ErrPermission) {
				t.Error("expected an error of permissions")
			}
		})
	}
}

func TestRuntimeFolders_OfKilledOnesAreRemoved(t *testing.T) {
	cache, old := t.TempDir(), time.Now().Add(-2*time.Minute)
	r, err := wazero.New(t.Context(), wazero.Options{Cache: cache})
	must(t, err)
	alive, err := filepath.Glob(filepath.Join(cache, "run-*"))
	if err != nil || len(alive) != 1 {
		t.Fatalf("expected the folder of one runtime, found %v (%v)", alive, err)
	}
	killed, began := filepath.Join(cache, "run-1"), filepath.Join(cache, "run-2")
	for _, path := range []string{filepath.Join(killed, "engine"), began} {
		must(t, os.MkdirAll(path, 0o700))
	}
	must(t, os.Chtimes(killed, old, old))
	must(t, os.Chtimes(alive[0], old, old))
	loads(t, cache, smallest(t, 1))
	if left, _ := filepath.Glob(filepath.Join(cache, "run-*")); !slices.Equal(left, slices.Sorted(slices.Values([]string{alive[0], began}))) {
		t.Errorf("left over: %v", left)
	}
	must(t, r.Close(context.Background()))
	if _, err := os.Stat(alive[0]); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the folder of a runtime that has ended is there (%v)", err)
	}
}

func TestACacheThatCannotBeWrittenAnyMoreIsNoFault(t *testing.T) {
	cache := filepath.Join(t.TempDir(), "cache")
	r, err := wazero.New(t.Context(), wazero.Options{Cache: cache})
	must(t, err)
	t.Cleanup(func() { _ = r.Close(context.Background()) })
	must(t, os.RemoveAll(cache)) // what is not there takes as little as a full disk
	if _, err := r.Load(t.Context(), "m", smallest(t, 1), wazero.Limits{}); err != nil {
		t.Error(err)
	}
}

// Two processes share a cache; each compiles the same modules at the same time, from nothing and from bad entries.
func TestTwoProcessesShareACache(t *testing.T) {
	if cache := os.Getenv("QUERN_TEST_CACHE"); cache != "" {
		for range 10 {
			for score := range 2 {
				loads(t, cache, content(t, filepath.Join(cache, "..", fmt.Sprint(score))))
				for i, path := range entries(t, cache) {
					if i == 0 {
						_ = os.Truncate(path, 9) // the other may be removing it
					}
				}
			}
		}
		return
	}
	dir := t.TempDir()
	cache := filepath.Join(dir, "cache")
	for score := range 2 {
		must(t, os.WriteFile(filepath.Join(dir, fmt.Sprint(score)), smallest(t, score), 0o600))
	}
	self, err := os.Executable()
	must(t, err)
	done := make(chan error)
	for range 2 {
		go func() {
			cmd := exec.Command(self, "-test.run", "^"+t.Name()+"$")
			cmd.Env = append(os.Environ(), "QUERN_TEST_CACHE="+cache)
			out, err := cmd.CombinedOutput()
			if err != nil {
				err = fmt.Errorf("%w: %s", err, out)
			}
			done <- err
		}()
	}
	for range 2 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}
