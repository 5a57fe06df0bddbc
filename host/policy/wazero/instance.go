package wazero

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
	"github.com/tetratelabs/wazero/sys"

	"github.com/quern-project/quern/sdk/abi"
	"github.com/quern-project/quern/wasm/module/gate"
	"github.com/quern-project/quern/wasm/module/guest"
)

// Instance is one running copy of a module, with its arena. After an error it must be closed: its state is unknown.
type Instance = guest.Instance

// running is a copy of a module as the library runs it. Its memory never moves, so that views stay good.
type running struct {
	ctx       context.Context
	module    *Module
	guest     api.Module
	memory    api.Memory
	fuel      api.MutableGlobal
	functions []api.Function // by guest.Function; nil where the module does not export it
	stack     [2]uint64
	log       quota
}

// runningKey finds, in the context of a call, the copy that an import is called by.
type runningKey struct{}

// instantiate makes an instance that is not configured.
func (m *Module) instantiate(ctx context.Context) (*Instance, error) {
	r, err := m.start(ctx)
	if err != nil {
		return nil, err
	}
	// The library would call _initialize, too, but takes a module that ends itself there for a good one, although its
	// memory is gone: the next call would crash the host.
	return guest.NewInstance(r, m.limits, gate.InitialFuel)
}

// EngineInstance makes what an Instance is made of, for checks of the contract that write frames of their own. Its
// _initialize function has not been called.
func (m *Module) EngineInstance(ctx context.Context) (guest.EngineInstance, error) {
	return m.start(ctx)
}

func (m *Module) start(ctx context.Context) (*running, error) {
	r := &running{module: m}
	memory := &reserved{}
	r.ctx = context.WithValue(experimental.WithMemoryAllocator(ctx, memory), runningKey{}, r)
	config := wazero.NewModuleConfig().WithName("").WithStartFunctions().WithStderr(stderr{r}).WithRandSource(&dice{})
	instance, err := m.runtime.engine.InstantiateModule(r.ctx, m.compiled, config)
	if err != nil {
		memory.free() // which the library leaves to us where a data segment or a start function failed
		return nil, fmt.Errorf("start: %s", startFailure(err))
	}
	r.guest, r.memory = instance, instance.ExportedMemory(abi.ExportMemory)
	r.fuel = instance.ExportedGlobal(gate.FuelGlobal).(api.MutableGlobal)
	for _, name := range guest.Functions() {
		r.functions = append(r.functions, instance.ExportedFunction(name))
	}
	return r, nil
}

// startFailure says why the start function failed. Fuel that ran out there cannot be told from the instruction that it ends in.
func startFailure(err error) string {
	var exit *sys.ExitError
	text := firstLine(err)
	switch {
	case errors.As(err, &exit):
		return guest.ErrEnded.Error()
	case strings.HasSuffix(text, "unreachable"):
		return fmt.Sprintf("%s, or it used up its fuel of %d", text, gate.InitialFuel)
	}
	return text
}

// Instance makes an instance that is configured with the values of the parameters, in JSON.
func (m *Module) Instance(ctx context.Context, config []byte) (*Instance, error) {
	in := m.fresh.Swap(nil)
	if in == nil {
		var err error
		if in, err = m.instantiate(ctx); err != nil {
			return nil, err
		}
	}
	if err := in.Configure(m.limits, config); err != nil { // whose limits may be others than those it was begun with
		in.Close()
		return nil, err
	}
	return in, nil
}

// Close frees the copy.
func (r *running) Close() { _ = r.guest.Close(r.ctx) } // memory goes back; there is nothing to fail that matters

// Has reports whether the module exports a function.
func (r *running) Has(f guest.Function) bool { return r.functions[f] != nil }

// Invoke calls a function.
func (r *running) Invoke(c *guest.Call) (int32, error) {
	if r.guest.IsClosed() { // its memory is gone, and the library would run the code anyway
		return 0, guest.ErrEnded
	}
	r.stack[0], r.stack[1] = uint64(c.Args[0]), uint64(c.Args[1])
	r.fuel.Set(uint64(c.Fuel))
	if err := r.functions[c.Function].CallWithStack(r.ctx, r.stack[:]); err != nil {
		return 0, r.trap(err)
	}
	return int32(uint32(r.stack[0])), nil
}

// trap says why a call ended.
func (r *running) trap(err error) error {
	var exit *sys.ExitError
	switch {
	case r.FuelLeft() < 0:
		return guest.ErrFuel
	case errors.As(err, &exit):
		return guest.ErrEnded
	}
	return errors.New(firstLine(err))
}

// Left is the fuel that the last call left.
func (r *running) FuelLeft() int64 { return int64(r.fuel.Get()) }

// Size is that of the memory, in bytes.
func (r *running) Size() uint32 { return r.memory.Size() }

// Read returns bytes of the memory.
func (r *running) Read(at, size uint32) ([]byte, bool) { return r.memory.Read(at, size) }

// Arena returns bytes of the memory, which stay where they are.
func (r *running) Arena(at, size uint32) ([]byte, bool) { return r.memory.Read(at, size) }

// Apart reports false: what is written to the arena is in the module's memory.
func (r *running) Copies() bool { return false }

// firstLine is what an error says before it tells where in the module it happened, which no two builds agree on.
func firstLine(err error) string {
	text, _, _ := strings.Cut(err.Error(), "\n")
	text = strings.TrimSuffix(text, " (recovered by wazero)")
	return strings.TrimPrefix(text, "wasm error: ")
}
