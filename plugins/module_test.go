package plugins_test

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

	"github.com/quern-project/quern/sdk/abi"
)

var languages = []string{"c", "rust", "assemblyscript", "go"}

const built = "../build"

var build = sync.OnceValue(func() error {
	out, err := exec.Command("./build.sh", "build/policies", "golden", "fair", "binpacking").CombinedOutput()
	if err != nil {
		return fmt.Errorf("build.sh: %w\n%s", err, out)
	}
	fmt.Printf("%s", out)
	return nil
})

var (
	runtime  wazero.Runtime
	compiled = map[string]wazero.CompiledModule{}
)

func TestMain(m *testing.M) {
	ctx := context.Background()
	cache, err := wazero.NewCompilationCacheWithDir(filepath.Join(built, "wazero")) // a Go module takes seconds to compile
	if err != nil {
		panic(err)
	}
	runtime = wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfig().WithCompilationCache(cache))
	wasi_snapshot_preview1.MustInstantiate(ctx, runtime)
	os.Exit(m.Run())
}

// module is an instance of a policy, used as a host uses it.
type module struct {
	t testing.TB
	m api.Module
}

// load builds what is older than its sources, and instantiates a policy. It skips where the compiler is missing.
func load(t testing.TB, folder, name string) *module {
	t.Helper()
	if err := build(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(built, folder, name+".wasm")
	code, ok := compiled[path]
	if !ok {
		text, err := os.ReadFile(path)
		if os.IsNotExist(err) {
			t.Skipf("%s was not built, because its compiler is missing: make toolchains", name)
		}
		if err == nil {
			code, err = runtime.CompileModule(context.Background(), text)
		}
		if err != nil {
			t.Fatal(err)
		}
		compiled[path] = code
	}
	m, err := runtime.InstantiateModule(context.Background(), code, wazero.NewModuleConfig().WithName("").WithStartFunctions("_initialize").WithStderr(os.Stderr))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = m.Close(context.Background()) })
	return &module{t, m}
}

func (m *module) call(export string, args ...uint64) uint32 {
	m.t.Helper()
	f := m.m.ExportedFunction(export)
	if f == nil {
		m.t.Fatalf("expected an export %s", export)
	}
	out, err := f.Call(context.Background(), args...)
	if err != nil {
		m.t.Fatalf("%s: %v", export, err)
	}
	return uint32(out[0])
}

// text reads a text that ends with a NUL.
func (m *module) text(at uint32) string {
	var out []byte
	for {
		b, ok := m.m.Memory().ReadByte(at)
		if !ok {
			m.t.Fatalf("a text runs out of memory at %d", at)
		}
		if b == 0 {
			return string(out)
		}
		out = append(out, b)
		at++
	}
}

// reserve writes data to the arena and returns where.
func (m *module) reserve(data []byte) uint32 {
	m.t.Helper()
	at := m.call(abi.ExportReserve, uint64(len(data)))
	if at == 0 || at%abi.Align != 0 {
		m.t.Fatalf("reserve %d: expected an address aligned to %d, found %d", len(data), abi.Align, at)
	}
	if !m.m.Memory().Write(at, data) {
		m.t.Fatalf("reserve %d: the arena at %d is outside of memory", len(data), at)
	}
	return at
}

func (m *module) configure(object string) uint32 {
	m.t.Helper()
	return m.call(abi.ExportConfigure, uint64(m.reserve([]byte(object))), uint64(len(object)))
}

func (m *module) dictionary(texts []byte) uint32 {
	m.t.Helper()
	return m.call(abi.ExportDictionary, uint64(m.reserve(texts)), uint64(len(texts)))
}

// ask hands a frame over and returns the code and the whole frame after the call.
func (m *module) ask(export string, frame []byte) (uint32, []byte) {
	m.t.Helper()
	at := m.reserve(frame)
	rc := m.call(export, uint64(at))
	after, ok := m.m.Memory().Read(at, uint32(len(frame)))
	if !ok {
		m.t.Fatal("the frame is outside of memory")
	}
	return rc, append([]byte(nil), after...)
}

// must fails with the module's own words where a code is not OK.
func (m *module) must(rc uint32) {
	m.t.Helper()
	if rc != abi.OK {
		m.t.Fatalf("expected code 0, found %d: %s", rc, m.text(m.call(abi.ExportError)))
	}
}
