package registry_test

import (
	"context"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/quern-project/quern/host/files/safefile"
	"github.com/quern-project/quern/host/policy/registry"
)

// A scheduler goes on asking while the folder is watched: modules come and are swapped beside it.
func TestModulesAreSwappedUnderLoad(t *testing.T) {
	dir := t.TempDir()
	var mu sync.Mutex
	var logged []string
	r, _ := open(t, registry.Options{Dir: dir, Keep: true, Log: func(name, level, text string) {
		mu.Lock()
		defer mu.Unlock()
		logged = append(logged, name+": "+level+": "+text)
	}})
	versions := []string{"1", "2", "3"}
	files := map[string][]byte{}
	for _, v := range versions {
		files[v] = build(t, v)
	}
	ctx, end := context.WithCancel(t.Context())
	changes := r.Watch(ctx, time.Millisecond, nil)
	b := r.Bind(t.Context())
	path := filepath.Join(dir, "m.wasm")
	for i, version := range versions {
		if err := safefile.WriteFile(path, files[version], 0o644); err != nil {
			t.Fatal(err)
		}
		if err := safefile.WriteFile(filepath.Join(dir, "bad.wasm"), []byte("junk"+strings.Repeat("!", i)), 0o644); err != nil {
			t.Fatal(err)
		}
		change := <-changes
		if len(change) != 1 || change[0].Removed {
			t.Fatalf("found %v", change)
		}
		e := b.Evaluator(announcement(t, change[0].PolicyModule))
		for range 200 {
			if score := scoreOf(t, e); score != float64(11+i) {
				t.Fatalf("version %s: found %v", version, score)
			}
		}
	}
	end()
	for range changes { // until it is closed
	}
	mu.Lock()
	defer mu.Unlock()
	if text := strings.Join(logged, "\n"); !strings.Contains(text, `bad: warning: policy "bad" is refused`) {
		t.Errorf("found %s", text)
	}
}
