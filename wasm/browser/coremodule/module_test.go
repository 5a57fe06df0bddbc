package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"

	"github.com/quern-project/quern/wasm/browser/reactor"
)

// built is the module that the tests of this package are about, and where the engine keeps what it compiled of it.
var built struct {
	dir  string
	file string
}

func TestMain(m *testing.M) {
	os.Exit(run(m))
}

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "quern-core")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() { _ = os.RemoveAll(dir) }() // the system empties its folder for such files anyway
	built.dir, built.file = dir, filepath.Join(dir, "core.wasm")
	if out, err := exec.Command("go", "run", "../../../internal/cmd/wasmbuild", "core", built.file).CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "building the module: %v\n%s", err, out)
		return 1
	}
	return m.Run()
}

// caller is what a test needs of the scheduler as a module, wherever it runs.
type caller func(request []byte) ([]byte, error)

// instance is the module under wazero.
type instance struct {
	module api.Module
	client *reactor.Client
	ctx    context.Context
}

// Call is a call.
func (i *instance) Call(request []byte) ([]byte, error) { return i.client.Call(i.ctx, request) }

var engine struct {
	sync.Once
	runtime wazero.Runtime
	code    wazero.CompiledModule
	err     error
}

// compiled is the module, compiled once for all tests of the package.
func compiled() (wazero.Runtime, wazero.CompiledModule, error) {
	engine.Do(func() {
		ctx := context.Background()
		cache, err := wazero.NewCompilationCacheWithDir(filepath.Join(built.dir, "cache"))
		if err != nil {
			engine.err = err
			return
		}
		r := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfig().WithCompilationCache(cache))
		file, err := os.ReadFile(built.file)
		if err == nil {
			_, err = wasi_snapshot_preview1.Instantiate(ctx, r)
		}
		if err == nil {
			err = nobody(ctx, r)
		}
		if err == nil {
			engine.code, err = r.CompileModule(ctx, file)
		}
		engine.runtime, engine.err = r, err
	})
	return engine.runtime, engine.code, engine.err
}

// nobody is a host that runs no policy modules: every import answers so.
func nobody(ctx context.Context, r wazero.Runtime) error {
	const nobody = -12
	b := r.NewHostModuleBuilder("quern_host")
	export := func(name string, params int, result api.ValueType, answer int64) {
		types := make([]api.ValueType, params)
		for i := range types {
			types[i] = api.ValueTypeI32
		}
		var results []api.ValueType
		if result != 0 {
			results = []api.ValueType{result}
		}
		b.NewFunctionBuilder().WithGoModuleFunction(api.GoModuleFunc(func(_ context.Context, _ api.Module, stack []uint64) {
			if result != 0 {
				stack[0] = uint64(answer)
			}
		}), types, results).Export(name)
	}
	export("load", 4, api.ValueTypeI32, int64(api.EncodeI32(nobody)))
	export("start", 3, api.ValueTypeI32, int64(api.EncodeI32(nobody)))
	export("call", 2, api.ValueTypeI32, -nobody)
	export("drop", 1, 0, 0)
	export("stop", 1, 0, 0)
	export("exports", 1, api.ValueTypeI32, 0)
	export("left", 1, api.ValueTypeI64, 0)
	export("size", 1, api.ValueTypeI32, 0)
	export("read", 4, api.ValueTypeI32, 0)
	export("reason", 2, api.ValueTypeI32, 0)
	_, err := b.Instantiate(ctx)
	return err
}

// start makes an instance of its own for a test.
func start(t testing.TB) *instance {
	t.Helper()
	ctx := context.Background()
	r, code, err := compiled()
	if err != nil {
		t.Fatal(err)
	}
	config := wazero.NewModuleConfig().WithName("").WithStartFunctions("_initialize").WithStderr(os.Stderr)
	m, err := r.InstantiateModule(ctx, code, config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = m.Close(ctx) })
	return &instance{m, reactor.NewClient(m), ctx}
}

func TestTheModuleAnswersAndNeverTraps(t *testing.T) {
	i := start(t)
	for _, c := range []struct{ request, want string }{
		{`{"op":"version"}`, `{"version":1,"abi":`},
		{``, `{"error":{"code":"bad-request"`},
		{"{\"op\":\"machine.new\"}\nbody", `{"id":1}`},
		{`{"op":"machine.apply","id":1}`, `{"error":{"code":"bad-time"`},
		{`{"op":"policy.load"}`, `{"error":{"code":"bad-module"`},
	} {
		answer, err := i.Call([]byte(c.request))
		if err != nil || len(answer) < len(c.want) || string(answer[:len(c.want)]) != c.want {
			t.Errorf("%s: expected %s…, found %s, %v", c.request, c.want, answer, err)
		}
	}
	junk, err := i.module.ExportedFunction("quern_call").Call(i.ctx, 12345678, 4000)
	if err != nil || junk[0] == 0 {
		t.Errorf("an address that was not reserved: %v, %v", junk, err)
	}
	tooLarge, err := i.module.ExportedFunction("quern_reserve").Call(i.ctx, 1<<31)
	if err != nil || tooLarge[0] != 0 {
		t.Errorf("room for 2 GiB: %v, %v", tooLarge, err)
	}
}

func TestTheModuleIsNoLargerThanPagesCanLoad(t *testing.T) {
	const most = 3_250_000 // some two and a half seconds at 10 Mbit/s, once: the browser keeps it
	zipped, err := exec.Command("gzip", "-9", "-c", built.file).Output()
	if err != nil {
		t.Skipf("skipped, because gzip was not found: %v", err)
	}
	if len(zipped) > most {
		t.Errorf("expected at most %d bytes after gzip -9, found %d", most, len(zipped))
	}
	t.Logf("%d bytes after gzip -9", len(zipped))
}
