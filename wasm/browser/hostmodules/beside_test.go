package hostmodules_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/journal"
	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/wasm/module/gate"
	"github.com/quern-project/quern/wasm/module/guest"
)

// build makes the core once for all tests.
var build = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "quern-core-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	path := filepath.Join(dir, "core.wasm")
	if out, err := exec.Command("go", "run", "../../../internal/cmd/wasmbuild", "core", path).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("building the core: %w\n%s", err, out)
	}
	return os.ReadFile(path)
})

// beside is a core with a host that runs policy modules for it.
type beside struct {
	*host
	core api.Module
}

func start(t testing.TB) *beside {
	t.Helper()
	file, err := build()
	must(t, err)
	b := &beside{host: &host{engine: newEngine(t, false), modules: map[uint32]wazero.CompiledModule{}, running: map[uint32]*instance{}}}
	b.serve(t)
	b.core, err = b.engine.runtime.InstantiateWithConfig(b.engine.ctx, file, wazero.NewModuleConfig().WithName("core").WithStartFunctions("_initialize"))
	must(t, err)
	return b
}

// call makes a request of the core.
func (b *beside) call(t testing.TB, head map[string]any, body []byte) (answer map[string]any, out []byte) {
	t.Helper()
	line, err := json.Marshal(head)
	must(t, err)
	request := append(append(line, '\n'), body...)
	at, err := b.core.ExportedFunction("quern_reserve").Call(b.engine.ctx, uint64(len(request)))
	must(t, err)
	b.core.Memory().Write(uint32(at[0]), request)
	from, err := b.core.ExportedFunction("quern_call").Call(b.engine.ctx, at[0], uint64(len(request)))
	must(t, err)
	size, _ := b.core.Memory().ReadUint32Le(uint32(from[0]))
	frame, _ := b.core.Memory().Read(uint32(from[0])+4, size)
	first, rest, _ := bytes.Cut(bytes.Clone(frame), []byte("\n"))
	must(t, json.Unmarshal(first, &answer))
	return answer, rest
}

// announced loads a module and returns the line that announces it.
func (b *beside) announced(t testing.TB, name string, file []byte) (line []byte, points []string) {
	t.Helper()
	loaded, _ := b.call(t, map[string]any{"op": "policy.load", "name": name}, file)
	if loaded["error"] != nil {
		t.Fatal(loaded["error"])
	}
	for _, p := range loaded["points"].([]any) {
		points = append(points, p.(string))
	}
	answer, line := b.call(t, map[string]any{"op": "policy.line", "name": name}, nil)
	if answer["error"] != nil {
		t.Fatal(answer["error"])
	}
	return line, points
}

// shipped lists the modules that ship: those that were built, or else the one that is committed.
func shipped(t testing.TB) []string {
	t.Helper()
	list, err := filepath.Glob("../../../build/policies/*.wasm")
	must(t, err)
	if len(list) == 0 {
		list = []string{"../../../plugins/binpack-tetris/binpack-tetris.wasm"}
	}
	return list
}

func TestShippedModulesDecideBesideTheCoreAsWithinReach(t *testing.T) {
	b, within := start(t), newEngine(t, true)
	for _, path := range shipped(t) {
		name := strings.TrimSuffix(filepath.Base(path), ".wasm")
		t.Run(name, func(t *testing.T) {
			file, err := os.ReadFile(path)
			must(t, err)
			line, points := b.announced(t, name, file)
			text := workload(line, name, points, 24, 500)
			expected := native(t, within, file, text)
			answer, found := b.call(t, map[string]any{"op": "replay", "idle": true, "decisions": true}, text)
			if answer["error"] != nil {
				t.Fatal(answer["error"])
			}
			if strings.Count(expected, `"allocation"`) < 100 || strings.Contains(expected, "policy.fault") {
				t.Errorf("expected the module to be asked for many allocations:\n%.2000s", expected)
			}
			compare(t, string(found), expected)
		})
	}
}

// compare finds the first line in which two logs differ.
func compare(t *testing.T, found, expected string) {
	t.Helper()
	a, b := strings.Split(found, "\n"), strings.Split(expected, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			t.Fatalf("line %d: expected %s, found %s", i+1, b[i], a[i])
		}
	}
	if len(a) != len(b) {
		t.Fatalf("expected %d lines, found %d", len(b), len(a))
	}
}

// native plays a journal in this process, where the module's memory is within reach.
func native(t *testing.T, e *engine, file []byte, text []byte) string {
	t.Helper()
	bounded, err := gate.Bound(file, gate.Limits{Pages: guest.Limits{}.WithDefaults().Pages})
	must(t, err)
	code, err := e.runtime.CompileModule(e.ctx, bounded)
	must(t, err)
	var out bytes.Buffer
	w := journal.NewEncoder(&out, journal.Relative)
	options := core.Options{Evaluator: func(m core.Announcement) policy.Evaluator {
		set, err := policy.ParseManifest(m.Manifest)
		must(t, err)
		limits, err := guest.LimitsOf(set)
		must(t, err)
		return guest.NewEvaluator(nil, func() (*guest.Instance, error) {
			s, err := e.start(code, guest.Functions())
			must(t, err)
			in, err := guest.NewInstance(s, limits, gate.InitialFuel)
			if err != nil {
				return nil, err
			}
			return in, in.Configure(limits, set.Configuration)
		})
	}}
	_, err = journal.Replay(scheduler.New(options), journal.NewDecoder(bytes.NewReader(text), "journal", nil), journal.Options{Idle: true, Decisions: func(list []core.Decision) {
		for i := range list {
			must(t, w.Decision(&list[i]))
		}
	}})
	must(t, err)
	must(t, w.Flush())
	return out.String()
}
