package wazero

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
	"github.com/tetratelabs/wazero/sys"

	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/sdk/abi"
	"github.com/quern-project/quern/wasm/fuel"
)

// Instance is one running copy of a module, with its arena. After an error it must be closed: its state is unknown.
type Instance struct {
	ctx    context.Context
	module *Module
	guest  api.Module
	memory api.Memory
	fuel   api.MutableGlobal
	points []*point
	stack  [2]uint64
	log    quota

	arena arena
	texts int // that the module was told
}

// point is a point that an instance serves.
type point struct {
	name     policy.Point
	export   string
	function api.Function
	dense    [2]frame // for batches whose answers depend on a row alone: a small one and a large one
}

// instanceKey finds, in the context of a call, the instance that an import is called by.
type instanceKey struct{}

// instantiate makes an instance that is not configured.
func (m *Module) instantiate(ctx context.Context) (*Instance, error) {
	in := &Instance{module: m}
	memory := &reserved{}
	in.ctx = context.WithValue(experimental.WithMemoryAllocator(ctx, memory), instanceKey{}, in)
	config := wazero.NewModuleConfig().WithName("").WithStartFunctions().WithStderr(stderr{in}).WithRandSource(&dice{})
	guest, err := m.runtime.engine.InstantiateModule(in.ctx, m.compiled, config)
	if err != nil {
		memory.free() // which the library leaves to us where a data segment or a start function failed
		return nil, fmt.Errorf("start: %s", startFailure(err))
	}
	in.guest, in.memory = guest, guest.ExportedMemory(abi.ExportMemory)
	in.fuel = guest.ExportedGlobal(fuel.FuelGlobal).(api.MutableGlobal)
	for _, p := range abi.Points {
		if f := guest.ExportedFunction(p.Export); f != nil {
			in.points = append(in.points, &point{name: policy.Point(p.Name), export: p.Export, function: f})
		}
	}
	if err := in.initialize(); err != nil {
		return nil, err
	}
	return in, nil
}

// initialize calls _initialize, if there is one. The library would do it, too, but takes a module that ends itself there for
// a good one, although its memory is gone: the next call would crash the host.
func (in *Instance) initialize() error {
	if in.guest.ExportedFunction(abi.ExportInitialize) == nil {
		return nil
	}
	if _, err := in.call(abi.ExportInitialize, fuel.InitialFuel); err != nil {
		in.Close()
		return fmt.Errorf("start: %w", err)
	}
	return nil
}

// startFailure says why the start function failed. Fuel that ran out there cannot be told from the instruction that it ends in.
func startFailure(err error) string {
	var exit *sys.ExitError
	text := firstLine(err)
	switch {
	case errors.As(err, &exit):
		return errEnded.Error()
	case strings.HasSuffix(text, "unreachable"):
		return fmt.Sprintf("%s, or it used up its fuel of %d", text, fuel.InitialFuel)
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
	in.module = m // whose limits may be others
	if err := in.hand(abi.ExportConfigure, config); err != nil {
		in.Close()
		return nil, err
	}
	return in, nil
}

// Close frees the instance.
func (in *Instance) Close() { _ = in.guest.Close(in.ctx) } // memory goes back; there is nothing to fail that matters

// call calls an exported function with so much fuel. Addresses and codes come back as they are.
func (in *Instance) call(name string, budget int64, args ...uint32) (int32, error) {
	return in.invoke(name, in.guest.ExportedFunction(name), budget, args...) // the gate has seen that it is there
}

func (in *Instance) invoke(name string, f api.Function, budget int64, args ...uint32) (int32, error) {
	if in.guest.IsClosed() { // its memory is gone, and the library would run the code all the same
		return 0, fmt.Errorf("%s: %w", name, errEnded)
	}
	for i, a := range args {
		in.stack[i] = uint64(a)
	}
	in.fuel.Set(uint64(budget))
	if err := f.CallWithStack(in.ctx, in.stack[:]); err != nil {
		return 0, in.trap(name, budget, err)
	}
	return int32(uint32(in.stack[0])), nil
}

// trap says why a call ended.
func (in *Instance) trap(name string, budget int64, err error) error {
	var exit *sys.ExitError
	switch {
	case int64(in.fuel.Get()) < 0:
		return fmt.Errorf("%s: it used up its fuel of %d", name, budget)
	case errors.As(err, &exit):
		return fmt.Errorf("%s: %w", name, errEnded)
	}
	return fmt.Errorf("%s: it trapped: %s", name, firstLine(err))
}

// spent is the fuel that the last call took.
func (in *Instance) spent(budget int64) int64 { return budget - int64(in.fuel.Get()) }

// result turns a return code into an error, with what the module says about it.
func (in *Instance) result(name string, code int32) error {
	if code == abi.OK {
		return nil
	}
	meaning := map[int32]string{abi.BadFrame: "it does not understand the frame", abi.BadConfig: "the configuration cannot be used", abi.CannotServe: "it cannot answer"}[code]
	if meaning == "" {
		meaning = "unknown return code"
	}
	text := ""
	if in.guest.ExportedFunction(abi.ExportError) != nil {
		if at, err := in.call(abi.ExportError, in.module.limits.Fuel); err == nil && at != 0 {
			text, _ = in.text(uint32(at), abi.MaxErrorText) // what cannot be read says nothing
		}
	}
	if text != "" {
		text = ": " + printable(text)
	}
	return fmt.Errorf("%s: %s (%d)%s", name, meaning, code, text)
}

// text reads a text that ends with a NUL, at most so many bytes of it.
func (in *Instance) text(at uint32, most int) (string, error) {
	size := in.memory.Size()
	if at >= size {
		return "", fmt.Errorf("expected an address within the memory of %d bytes, found %d", size, at)
	}
	view, ok := in.memory.Read(at, min(uint32(most)+1, size-at))
	if !ok {
		return "", fmt.Errorf("expected an address within the memory of %d bytes, found %d", size, at)
	}
	end := bytes.IndexByte(view, 0)
	switch {
	case end >= 0:
		return string(view[:end]), nil
	case most == abi.MaxErrorText:
		return string(view), nil
	}
	return "", fmt.Errorf("expected a text that ends with a NUL after at most %d bytes, found none", most)
}

// hand gives a module bytes, in its arena, by a function that takes where they are and how many.
func (in *Instance) hand(name string, data []byte) error {
	view, at, err := in.room(uint32(len(data)))
	if err != nil {
		return err
	}
	copy(view, data)
	code, err := in.call(name, mostFuel, at, uint32(len(data)))
	if err != nil {
		return err
	}
	return in.result(name, code)
}

// firstLine is what an error says before it tells where in the module it happened, which no two builds agree on.
func firstLine(err error) string {
	text, _, _ := strings.Cut(err.Error(), "\n")
	text = strings.TrimSuffix(text, " (recovered by wazero)")
	return strings.TrimPrefix(text, "wasm error: ")
}

// printable makes a text of a module fit for one line: no control characters, nor what turns the direction of a line.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "?"))
}

var (
	errNoRoom = errors.New("it has no room")
	errEnded  = errors.New("it ended itself (proc_exit), expected it to return")
)
