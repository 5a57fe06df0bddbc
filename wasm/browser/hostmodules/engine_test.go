package hostmodules_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
	"github.com/tetratelabs/wazero/sys"

	"github.com/quern-project/quern/wasm/module/gate"
	"github.com/quern-project/quern/wasm/module/guest"
)

// engine runs modules under wazero, and serves what policy modules import.
type engine struct {
	ctx     context.Context
	runtime wazero.Runtime
}

// cache is compiled code that all engines of these tests share.
var cache wazero.CompilationCache

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "quern-compiled-")
	if err == nil {
		cache, err = wazero.NewCompilationCacheWithDir(dir)
	}
	code := 1
	if err == nil {
		code = m.Run()
		err = errors.Join(cache.Close(context.Background()), os.RemoveAll(dir))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	os.Exit(code)
}

// newEngine makes an engine. Where memories stay, what they may grow to is reserved, so that views of them stay good.
func newEngine(t testing.TB, stay bool) *engine {
	t.Helper()
	e := &engine{ctx: context.Background()}
	e.runtime = wazero.NewRuntimeWithConfig(e.ctx, wazero.NewRuntimeConfig().WithMemoryCapacityFromMax(stay).WithCompilationCache(cache))
	t.Cleanup(func() { must(t, e.runtime.Close(e.ctx)) })
	_, err := wasi_snapshot_preview1.Instantiate(e.ctx, e.runtime)
	must(t, err)
	_, err = e.runtime.NewHostModuleBuilder("quern").NewFunctionBuilder().
		WithFunc(func(context.Context, uint32, uint32, uint32) {}).Export("log").Instantiate(e.ctx)
	must(t, err)
	return e
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// instance is an instance of a policy module. As a guest.EngineInstance its memory does not lie apart.
type instance struct {
	ctx       context.Context
	module    api.Module
	functions []api.Function
	fuel      api.MutableGlobal
}

func (e *engine) start(compiled wazero.CompiledModule, names []string) (*instance, error) {
	m, err := e.runtime.InstantiateModule(e.ctx, compiled, wazero.NewModuleConfig().WithName("").WithStartFunctions())
	if err != nil {
		return nil, err
	}
	s := &instance{ctx: e.ctx, module: m, fuel: m.ExportedGlobal(gate.FuelGlobal).(api.MutableGlobal)}
	for _, name := range names {
		s.functions = append(s.functions, m.ExportedFunction(name))
	}
	return s, nil
}

func (s *instance) Has(f guest.Function) bool { return s.functions[f] != nil }
func (s *instance) FuelLeft() int64           { return int64(s.fuel.Get()) }
func (s *instance) Size() uint32              { return s.module.Memory().Size() }
func (s *instance) Copies() bool              { return false }
func (s *instance) Close()                    { _ = s.module.Close(s.ctx) }

func (s *instance) Read(at, size uint32) ([]byte, bool)  { return s.module.Memory().Read(at, size) }
func (s *instance) Arena(at, size uint32) ([]byte, bool) { return s.module.Memory().Read(at, size) }

func (s *instance) Invoke(c *guest.Call) (int32, error) {
	if s.module.IsClosed() {
		return 0, guest.ErrEnded
	}
	s.fuel.Set(uint64(c.Fuel))
	f := s.functions[c.Function]
	stack := []uint64{uint64(c.Args[0]), uint64(c.Args[1])}
	if err := f.CallWithStack(s.ctx, stack); err != nil {
		return 0, s.trap(err)
	}
	if len(f.Definition().ResultTypes()) == 0 {
		return 0, nil
	}
	return int32(uint32(stack[0])), nil
}

func (s *instance) trap(err error) error {
	var exit *sys.ExitError
	text, _, _ := strings.Cut(err.Error(), "\n")
	switch {
	case s.FuelLeft() < 0:
		return guest.ErrFuel
	case errors.As(err, &exit):
		return guest.ErrEnded
	}
	return errors.New(strings.TrimPrefix(strings.TrimSuffix(text, " (recovered by wazero)"), "wasm error: "))
}

// host serves the imports of a core with instances, as imports.go says.
type host struct {
	engine   *engine
	modules  map[uint32]wazero.CompiledModule
	names    []string
	running  map[uint32]*instance
	last     uint32
	failure  string
	most     int // instances there were at one time
	failures int // calls that did not return
}

// statuses, as status.go counts them.
var statuses = map[string]uint64{
	guest.ErrFuel.Error(): 1, guest.ErrEnded.Error(): 2, "unreachable": 3, "out of bounds memory access": 4, "integer divide by zero": 5,
	"integer overflow": 6, "invalid conversion to integer": 7, "indirect call type mismatch": 8, "invalid table access": 9, "stack overflow": 10,
}

const (
	failed = 11
	nobody = 12
)

func (h *host) serve(t testing.TB) {
	t.Helper()
	b := h.engine.runtime.NewHostModuleBuilder("quern_host")
	one, long := []api.ValueType{api.ValueTypeI32}, []api.ValueType{api.ValueTypeI64}
	export := func(name string, params int, results []api.ValueType, f func(core api.Memory, p []uint64) uint64) {
		types := make([]api.ValueType, params)
		for i := range types {
			types[i] = api.ValueTypeI32
		}
		b.NewFunctionBuilder().WithGoModuleFunction(api.GoModuleFunc(func(_ context.Context, core api.Module, stack []uint64) {
			if answer := f(core.Memory(), stack); results != nil {
				stack[0] = answer
			}
		}), types, results).Export(name)
	}
	export("load", 4, one, h.load)
	export("drop", 1, nil, func(_ api.Memory, p []uint64) uint64 { delete(h.modules, uint32(p[0])); return 0 })
	export("start", 3, one, h.start)
	export("stop", 1, nil, h.stop)
	export("exports", 1, one, h.exports)
	export("call", 2, one, h.call)
	export("left", 1, long, func(_ api.Memory, p []uint64) uint64 { return uint64(h.running[uint32(p[0])].FuelLeft()) })
	export("size", 1, one, func(_ api.Memory, p []uint64) uint64 { return uint64(h.running[uint32(p[0])].Size()) })
	export("read", 4, one, h.read)
	export("reason", 2, one, h.reason)
	_, err := b.Instantiate(h.engine.ctx)
	must(t, err)
}

// negated is the answer of load and start where they fail.
func (h *host) negated(err error) uint64 {
	h.failure = err.Error()
	return api.EncodeI32(-failed)
}

func (h *host) load(core api.Memory, p []uint64) uint64 {
	file, _ := core.Read(uint32(p[0]), uint32(p[1]))
	names, _ := core.Read(uint32(p[2]), uint32(p[3]))
	compiled, err := h.engine.runtime.CompileModule(h.engine.ctx, file)
	if err != nil {
		return h.negated(err)
	}
	h.last++
	h.modules[h.last], h.names = compiled, strings.Split(string(names), "\n")
	return uint64(h.last)
}

func (h *host) start(_ api.Memory, p []uint64) uint64 {
	s, err := h.engine.start(h.modules[uint32(p[0])], h.names)
	if err != nil {
		return h.negated(err)
	}
	h.last++
	h.running[h.last] = s
	h.most = max(h.most, len(h.running))
	return uint64(h.last)
}

func (h *host) stop(_ api.Memory, p []uint64) uint64 {
	h.running[uint32(p[0])].Close()
	delete(h.running, uint32(p[0]))
	return 0
}

func (h *host) exports(_ api.Memory, p []uint64) (bits uint64) {
	for i, f := range h.running[uint32(p[0])].functions {
		if f != nil {
			bits |= 1 << i
		}
	}
	return bits
}

func (h *host) call(core api.Memory, p []uint64) uint64 {
	s := h.running[uint32(p[0])]
	if s == nil {
		return nobody
	}
	r, _ := core.Read(uint32(p[1]), 48)
	word := func(i int) uint32 { return binary.LittleEndian.Uint32(r[4*i:]) }
	arena, mirror := word(5), word(6)
	spans, _ := core.Read(word(7), 8*word(8))
	for ; len(spans) > 0; spans = spans[8:] {
		at, size := binary.LittleEndian.Uint32(spans), binary.LittleEndian.Uint32(spans[4:])
		data, _ := core.Read(mirror+at, size)
		s.module.Memory().Write(arena+at, data)
	}
	result, err := s.Invoke(&guest.Call{Function: guest.Function(word(2)), Fuel: int64(binary.LittleEndian.Uint64(r)), Args: [2]uint32{word(3), word(4)}})
	if err != nil {
		h.failures++
		h.failure = err.Error()
		if status := statuses[h.failure]; status > 0 {
			return status
		}
		return failed
	}
	answers, _ := s.module.Memory().Read(arena+word(9), word(10))
	core.Write(mirror+word(9), answers)
	binary.LittleEndian.PutUint32(r[44:], uint32(result))
	return 0
}

func (h *host) read(core api.Memory, p []uint64) uint64 {
	data, ok := h.running[uint32(p[0])].Read(uint32(p[1]), uint32(p[3]))
	if !ok || !core.Write(uint32(p[2]), data) {
		return 0
	}
	return 1
}

func (h *host) reason(core api.Memory, p []uint64) uint64 {
	text := h.failure[:min(len(h.failure), int(uint32(p[1])))]
	core.WriteString(uint32(p[0]), text)
	return uint64(len(text))
}
