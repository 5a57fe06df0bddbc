package conformance

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/quern-project/quern/sdk/abi"
	"github.com/quern-project/quern/wasm/module/gate"
	engine "github.com/quern-project/quern/wasm/module/guest"
)

// plenty is the fuel of a call whose cost is not checked: about a second's.
const plenty = 1_000_000_000

// guest is one instance of a module.
type guest struct {
	instance engine.EngineInstance
	arena    uint32 // its address
	size     uint32 // that it has
	texts    int    // that the guest has been given
	shape    shape  // of the frames that Eval writes
	broken   string // the first breach of the frame that Eval saw; empty: none
	spent    int64  // fuel that the last call took
}

// bare makes a guest that is not configured.
func (s *suite) bare() (*guest, error) {
	instance, err := s.Instance()
	if err != nil {
		return nil, err
	}
	g := &guest{instance: instance}
	if g.exports(abi.ExportInitialize) {
		if _, err := g.callWith(gate.InitialFuel, abi.ExportInitialize); err != nil {
			g.close()
			return nil, err
		}
	}
	return g, nil
}

// configuredGuest makes a guest with these values of its parameters.
func (s *suite) configuredGuest(config []byte) (*guest, error) {
	g, err := s.bare()
	if err != nil {
		return nil, err
	}
	if err := g.hand(abi.ExportConfigure, config); err != nil {
		g.close()
		return nil, err
	}
	return g, nil
}

func (g *guest) close() { g.instance.Close() }

func (g *guest) exports(name string) bool { return g.instance.Has(functionNamed(name)) }

func functionNamed(name string) engine.Function {
	return engine.Function(slices.Index(engine.Functions(), name))
}

// call calls an exported function with plenty of fuel.
func (g *guest) call(name string, args ...uint32) (uint32, error) {
	return g.callWith(plenty, name, args...)
}

func (g *guest) callWith(fuel int64, name string, args ...uint32) (uint32, error) {
	c := engine.Call{Function: functionNamed(name), Fuel: fuel}
	copy(c.Args[:], args)
	return g.invoke(&c)
}

// callOnArena calls an exported function that reads the arena, all of which was written since it was reserved.
func (g *guest) callOnArena(name string, args ...uint32) (uint32, error) {
	c := engine.Call{Function: functionNamed(name), Fuel: plenty}
	copy(c.Args[:], args)
	if g.instance.Copies() {
		c.Written = []engine.Span{{Size: g.size}}
	}
	return g.invoke(&c)
}

func (g *guest) invoke(c *engine.Call) (uint32, error) {
	name, fuel := c.Function, c.Fuel
	result, err := g.instance.Invoke(c)
	switch {
	case errors.Is(err, engine.ErrFuel):
		return 0, fmt.Errorf("%s: no end after %d units of fuel", name, fuel)
	case errors.Is(err, engine.ErrEnded):
		return 0, fmt.Errorf("%s: it has ended itself (proc_exit)", name)
	case err != nil:
		return 0, fmt.Errorf("%s: a trap: %w", name, err)
	}
	g.spent = fuel - g.instance.FuelLeft()
	return uint32(result), nil
}

// errNoRoom is what a guest may say where its memory is bounded.
var errNoRoom = errors.New("no room")

// reserve asks for an arena and returns the view of it.
func (g *guest) reserve(size uint32) ([]byte, error) {
	at, err := g.call(abi.ExportReserve, size)
	if err != nil {
		return nil, err
	}
	view, ok := g.instance.Arena(at, size)
	switch {
	case at == 0:
		return nil, fmt.Errorf("%s: %w for %d bytes", abi.ExportReserve, errNoRoom, size)
	case at%abi.Align != 0:
		return nil, fmt.Errorf("%s: address %d, which is not aligned to %d", abi.ExportReserve, at, abi.Align)
	case !ok:
		return nil, fmt.Errorf("%s: %d bytes at address %d, outside of a memory of %d", abi.ExportReserve, size, at, g.instance.Size())
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
	code, err := g.callOnArena(name, g.arena, uint32(len(data)))
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
	if !g.exports(abi.ExportError) {
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
	size := g.instance.Size()
	view, ok := g.instance.Read(at, min(most+1, size-min(at, size)))
	if !ok || len(view) == 0 {
		return "", fmt.Errorf("address %d, outside of a memory of %d bytes", at, size)
	}
	text, _, _ := strings.Cut(string(view), "\x00")
	return text[:min(len(text), int(most))], nil
}
