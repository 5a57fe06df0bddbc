package main

import (
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"

	"github.com/quern-project/quern/features"
	"github.com/quern-project/quern/wasm/browser/reactor"
)

// start builds the module and makes an instance of it under wazero.
func start(t *testing.T) func(request []byte) []byte {
	t.Helper()
	file := filepath.Join(t.TempDir(), "features.wasm")
	if out, err := exec.Command("go", "run", "../../../internal/cmd/wasmbuild", "features", file).CombinedOutput(); err != nil {
		t.Fatalf("building the module: %v\n%s", err, out)
	}
	code, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	r := wazero.NewRuntime(ctx)
	t.Cleanup(func() { _ = r.Close(ctx) })
	wasi_snapshot_preview1.MustInstantiate(ctx, r)
	said := &noise{t}
	m, err := r.InstantiateWithConfig(ctx, code, wazero.NewModuleConfig().WithStartFunctions("_initialize").WithStdout(said).WithStderr(said))
	if err != nil {
		t.Fatal(err)
	}
	called := reactor.NewClient(m)
	return func(request []byte) []byte {
		answer, err := called.Call(ctx, request)
		if err != nil {
			t.Fatalf("the module trapped: %v", err)
		}
		return answer
	}
}

// noise is what the module writes: nothing.
type noise struct{ t *testing.T }

func (n *noise) Write(text []byte) (int, error) {
	n.t.Errorf("the module wrote %q", text)
	return len(text), nil
}

func TestTheModule(t *testing.T) {
	call := start(t)
	t.Run("plays the scenarios that ship as this program does", func(t *testing.T) { playsAsHere(t, call) })
	t.Run("refuses junk and goes on", func(t *testing.T) { refusesJunk(t, call) })
}

func playsAsHere(t *testing.T, call func([]byte) []byte) {
	files, err := fs.Glob(features.Shipped, "*.feature")
	if err != nil || len(files) == 0 {
		t.Fatalf("found %d features, %v", len(files), err)
	}
	if testing.Short() {
		files = files[:5]
	}
	played := 0
	for _, name := range files {
		text, err := fs.ReadFile(features.Shipped, name)
		if err != nil {
			t.Fatal(err)
		}
		request := append([]byte(`{"op":"run"}`+"\n"), text...)
		inside, here := readScenarios(t, call(request)), readScenarios(t, answer(request))
		if len(here) == 0 || !reflect.DeepEqual(inside, here) {
			t.Errorf("%s: expected %+v, found %+v", name, here, inside)
		}
		for _, p := range inside {
			if p.Status != features.StatusPassed {
				t.Errorf("%s:%d: %s: %s", name, p.Line, p.Status, p.Message)
			}
		}
		played += len(inside)
	}
	t.Logf("%d scenarios of %d features", played, len(files))
}

func readScenarios(t *testing.T, line []byte) []*features.Played {
	t.Helper()
	var read scenariosAnswer
	if err := json.Unmarshal(line, &read); err != nil {
		t.Fatalf("%v in %.300q", err, line)
	}
	return read.Scenarios
}

func refusesJunk(t *testing.T, call func([]byte) []byte) {
	for _, request := range []string{"", "\x00\xff", `{"op":"run"}` + "\n\xff\xfe|||", `{"op":"run"}` + "\n" + mixed, `{"op":"moon"}`} {
		if found, want := string(call([]byte(request))), string(answer([]byte(request))); found != want {
			t.Errorf("%q: expected %s, found %s", request, want, found)
		}
	}
}
