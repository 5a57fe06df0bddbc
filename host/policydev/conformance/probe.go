package conformance

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"

	"github.com/quern-project/quern/host/policydev"
	"github.com/quern-project/quern/sdk/abi"
	"github.com/quern-project/quern/wasm/module/gate"
)

// probe compiles a module for guests that can be looked into. What it runs is what the host runs: the same gate, the same
// rewriting.
type probe struct {
	ctx      context.Context
	runtime  wazero.Runtime
	cache    wazero.CompilationCache
	compiled wazero.CompiledModule
}

// plenty is the fuel of a call whose cost is not what is asked about: about a second's.
const plenty = 1_000_000_000

// mostPages bounds memories, 64 KiB each.
const mostPages = 4096

func newProbe(ctx context.Context, h *policydev.Host) (*probe, error) {
	bounded, err := gate.Bound(h.Subject.Data, gate.Limits{Pages: h.Limits.Pages()})
	if err != nil {
		return nil, err
	}
	cache, err := wazero.NewCompilationCacheWithDir(h.Cache)
	if err != nil {
		return nil, err
	}
	config := wazero.NewRuntimeConfig().WithCompilationCache(cache).WithMemoryLimitPages(mostPages).WithDebugInfoEnabled(false)
	p := &probe{ctx: ctx, cache: cache, runtime: wazero.NewRuntimeWithConfig(ctx, config)}
	if err := p.prepare(bounded); err != nil {
		return nil, errors.Join(err, p.close())
	}
	return p, nil
}

// prepare serves what the host serves: lines of a log, which nobody reads here, and a world that stands still.
func (p *probe) prepare(bounded []byte) (err error) {
	if _, err = wasi_snapshot_preview1.Instantiate(p.ctx, p.runtime); err != nil {
		return err
	}
	words := []api.ValueType{api.ValueTypeI32, api.ValueTypeI32, api.ValueTypeI32}
	drop := api.GoModuleFunc(func(context.Context, api.Module, []uint64) {})
	_, err = p.runtime.NewHostModuleBuilder(abi.ImportModule).NewFunctionBuilder().WithGoModuleFunction(drop, words, nil).Export(abi.ImportLog).Instantiate(p.ctx)
	if err != nil {
		return err
	}
	p.compiled, err = p.runtime.CompileModule(p.ctx, bounded)
	return err
}

func (p *probe) close() error { return errors.Join(p.runtime.Close(p.ctx), p.cache.Close(p.ctx)) }

// guest is one instance of a module.
type guest struct {
	ctx    context.Context
	module api.Module
	memory api.Memory
	fuel   api.MutableGlobal
	arena  uint32 // its address
	size   uint32 // that it has
	texts  int    // the guest was told
	shape  shape  // of the frames that Eval lays
	broken string // the first breach of the frame that Eval saw; empty: none
	spent  int64  // fuel that the last call took
}

// bare makes a guest that is not configured.
func (p *probe) bare() (*guest, error) {
	config := wazero.NewModuleConfig().WithName("").WithStartFunctions(abi.ExportInitialize)
	m, err := p.runtime.InstantiateModule(p.ctx, p.compiled, config)
	if err != nil {
		return nil, firstLine(err)
	}
	if m.IsClosed() {
		return nil, errors.New("it ended itself (proc_exit)")
	}
	g := &guest{ctx: p.ctx, module: m, memory: m.ExportedMemory(abi.ExportMemory)}
	g.fuel = m.ExportedGlobal(gate.FuelGlobal).(api.MutableGlobal)
	return g, nil
}

// open makes a guest that is configured.
func (p *probe) open(config []byte) (*guest, error) {
	g, err := p.bare()
	if err != nil {
		return nil, err
	}
	if err := g.hand(abi.ExportConfigure, config); err != nil {
		g.close()
		return nil, err
	}
	return g, nil
}

func (g *guest) close() { _ = g.module.Close(g.ctx) } // there is nothing to fail that matters

// call calls an exported function with plenty of fuel.
func (g *guest) call(name string, args ...uint32) (uint32, error) {
	if g.module.IsClosed() { // there is no memory behind it any more
		return 0, fmt.Errorf("%s: it has ended itself (proc_exit)", name)
	}
	stack := make([]uint64, max(len(args), 1))
	for i, a := range args {
		stack[i] = uint64(a)
	}
	g.fuel.Set(plenty)
	if err := g.module.ExportedFunction(name).CallWithStack(g.ctx, stack); err != nil {
		if int64(g.fuel.Get()) < 0 {
			return 0, fmt.Errorf("%s: no end after %d units of fuel", name, plenty)
		}
		return 0, fmt.Errorf("%s: a trap: %w", name, firstLine(err))
	}
	g.spent = plenty - int64(g.fuel.Get())
	return uint32(stack[0]), nil
}

// errNoRoom is what a guest may say where its memory is bounded.
var errNoRoom = errors.New("no room")

// reserve asks for an arena and returns the view of it.
func (g *guest) reserve(size uint32) ([]byte, error) {
	at, err := g.call(abi.ExportReserve, size)
	if err != nil {
		return nil, err
	}
	view, ok := g.memory.Read(at, size)
	switch {
	case at == 0:
		return nil, fmt.Errorf("%s: %w for %d bytes", abi.ExportReserve, errNoRoom, size)
	case at%abi.Align != 0:
		return nil, fmt.Errorf("%s: address %d, which is not aligned to %d", abi.ExportReserve, at, abi.Align)
	case !ok:
		return nil, fmt.Errorf("%s: %d bytes at address %d, outside of a memory of %d", abi.ExportReserve, size, at, g.memory.Size())
	}
	g.arena, g.size = at, size
	return view, nil
}

// hand gives the guest bytes by a function that takes where they are and how many.
func (g *guest) hand(name string, data []byte) error {
	view, err := g.reserve(uint32(len(data)))
	if err != nil {
		return err
	}
	copy(view, data)
	code, err := g.call(name, g.arena, uint32(len(data)))
	if err == nil && code != abi.OK {
		err = fmt.Errorf("%s: return code %d%s", name, int32(code), g.said())
	}
	return err
}

// said is what the guest says about a failure, after a colon; empty: nothing.
func (g *guest) said() string {
	text, err := g.failure()
	if err != nil || text == "" {
		return ""
	}
	return fmt.Sprintf(": %q", text)
}

// failure reads quern_error. The error says why that cannot be read.
func (g *guest) failure() (string, error) {
	if g.module.ExportedFunction(abi.ExportError) == nil {
		return "", nil
	}
	at, err := g.call(abi.ExportError)
	if err != nil || at == 0 {
		return "", err
	}
	return g.text(at, abi.MaxErrorText)
}

// text reads a text that ends with a NUL, at most so many bytes of it.
func (g *guest) text(at uint32, most uint32) (string, error) {
	size := g.memory.Size()
	view, ok := g.memory.Read(at, min(most+1, size-min(at, size)))
	if !ok || len(view) == 0 {
		return "", fmt.Errorf("address %d, outside of a memory of %d bytes", at, size)
	}
	text, _, _ := strings.Cut(string(view), "\x00")
	return text[:min(len(text), int(most))], nil
}

func firstLine(err error) error {
	text, _, _ := strings.Cut(err.Error(), "\n")
	return errors.New(strings.TrimPrefix(strings.TrimSuffix(text, " (recovered by wazero)"), "wasm error: "))
}
