package gate

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
)

// An engine runs modules with the imports that a host serves.
type engine struct {
	wazero.Runtime
	ctx context.Context
}

func newEngine(tb testing.TB) *engine {
	tb.Helper()
	ctx := context.Background()
	e := &engine{wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigCompiler().WithMemoryLimitPages(256)), ctx}
	tb.Cleanup(func() { must(tb, e.Close(ctx)) })
	wasi_snapshot_preview1.MustInstantiate(ctx, e.Runtime)
	_, err := e.NewHostModuleBuilder("quern").NewFunctionBuilder().
		WithFunc(func(context.Context, uint32, uint32, uint32) {}).Export("log").Instantiate(ctx)
	must(tb, err)
	return e
}

// run instantiates a module and, where it has one, calls its initialization.
func (e *engine) run(tb testing.TB, module []byte) api.Module {
	tb.Helper()
	m, err := e.start(module)
	must(tb, err)
	return m
}

func (e *engine) start(module []byte) (api.Module, error) {
	return e.InstantiateWithConfig(e.ctx, module, wazero.NewModuleConfig().WithName("").WithStartFunctions("_initialize"))
}

// setFuel sets the counter of a rewritten module.
func setFuel(m api.Module, units int64) {
	m.ExportedGlobal(FuelGlobal).(api.MutableGlobal).Set(uint64(units))
}

func fuelLeft(m api.Module) int64 { return int64(m.ExportedGlobal(FuelGlobal).Get()) }

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

func corpus(tb testing.TB, name string) []byte {
	tb.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	must(tb, err)
	return b
}

// reactor builds the Go module of the corpus; it is too large to be kept.
func reactor(tb testing.TB) []byte {
	tb.Helper()
	if _, err := exec.LookPath("go"); err != nil {
		tb.Skip("skipped, because there is no go command to build a module for wasip1")
	}
	if testing.Short() {
		tb.Skip("skipped, because building a Go module for wasip1 takes long")
	}
	out := filepath.Join(tb.TempDir(), "reactor.wasm")
	build := exec.Command("go", "build", "-buildmode=c-shared", "-o", out, "./testdata/reactor/main.go")
	build.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm")
	if text, err := build.CombinedOutput(); err != nil {
		tb.Fatalf("%v: %s", err, text)
	}
	b, err := os.ReadFile(out)
	must(tb, err)
	return b
}

func rewritten(tb testing.TB, module []byte) []byte {
	tb.Helper()
	out, err := meterAny(module, Limits{})
	must(tb, err)
	return out
}

// meterAny is Bound for a module that need not be a policy: any function may be imported and exported.
func meterAny(file []byte, l Limits) ([]byte, error) {
	m, err := decode(file, l, true)
	if err != nil {
		return nil, err
	}
	return m.rewrite(), nil
}
