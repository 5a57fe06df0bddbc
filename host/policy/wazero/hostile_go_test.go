package wazero_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/host/policy/wazero"
)

// TestStockGoMisbehaves: a module of stock Go has a runtime, which ends, sleeps and collects garbage in its own ways.
func TestStockGoMisbehaves(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped, because stock Go takes its time to build: run without -short")
	}
	path := filepath.Join(t.TempDir(), "deeds.wasm")
	build := exec.Command("go", "build", "-buildmode=c-shared", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", path, "./testdata/deeds")
	build.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	m, err := strict(t).Load(t.Context(), "deeds", file, wazero.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	const fuelOut, trap = "node_score: it used up its fuel", "node_score: it trapped: unreachable"
	for _, c := range []struct{ deed, reason string }{
		{"good", ""}, {"look", ""},
		{"flood", fuelOut}, {"sleep", fuelOut}, {"garbage", fuelOut}, {"recursion", fuelOut}, {"goroutines", fuelOut}, {"allocate", fuelOut},
		{"panic", trap}, {"deadlock", trap},
		{"exit", "node_score: it ended itself (proc_exit), expected it to return"},
	} {
		t.Run(c.deed, func(t *testing.T) { misbehave(t, m, c.deed, c.reason) })
	}
}

func misbehave(t *testing.T, m *wazero.Module, deed, reason string) {
	specs, err := resolved(m)
	if err != nil {
		t.Fatal(err)
	}
	best, text := time.Hour, ""
	left := leaves(t, mostLeft, func() {
		for range tries {
			got := fate{}
			c := hostile{answers: double}
			e, err := m.Evaluator(t.Context(), fmt.Appendf(nil, "%q", deed))
			if err != nil {
				t.Fatal(err)
			}
			c.schedule(t, &got, e, map[policy.Point]*policy.PointSpec{policy.NodeScore: specs[policy.NodeScore]}, 1000)
			e.Close()
			best = min(best, got.eval)
			if text != "" && text != got.fault {
				t.Errorf("expected the same reason each time, found %q and %q", text, got.fault)
			}
			text = got.fault
		}
	})
	t.Logf("%q; the scheduler waited %v; left %v", text, best, left)
	if !strings.HasPrefix(text, reason) || reason == "" && text != "" {
		t.Errorf("expected %q, found %q", reason, text)
	}
}
