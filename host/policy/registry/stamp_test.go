package registry_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/quern-project/quern/host/policy/registry"
)

// The times of files go in ticks: what is written twice within one looks the same but for its content.
func TestModule_ChangedWithinATickIsReadAgain(t *testing.T) {
	dir := t.TempDir()
	r, _ := open(t, registry.Options{Dir: dir})
	path := filepath.Join(dir, "m.wasm")
	tick := time.Now()
	write := func(version string) {
		t.Helper()
		if err := os.WriteFile(path, build(t, version), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, tick, tick); err != nil {
			t.Fatal(err)
		}
	}
	write("1")
	first, _ := scans(t, r)
	write("2")
	second, refused := scans(t, r)
	if len(first) != 1 || len(second) != 1 || first[0].SHA256 == second[0].SHA256 || len(refused) > 0 {
		t.Errorf("expected a change each time, found %v and then %v (%v)", first, second, refused)
	}
	if third, _ := scans(t, r); len(third) > 0 {
		t.Errorf("expected no change of what stays, found %v", third)
	}
}
