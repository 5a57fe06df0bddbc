package hostmodules

import (
	"fmt"
	"strings"

	"github.com/quern-project/quern/wasm/module/gate"
	"github.com/quern-project/quern/wasm/module/guest"
)

// span is a part of an arena, as the other side reads it.
type span = guest.Span

// code is a module that was bounded and compiled.
type code struct{ handle int32 }

// compile passes a file through the gate, bounds it, and hands it over.
func compile(file []byte, pages uint32) (*code, error) {
	bounded, err := gate.Bound(file, gate.Limits{Pages: pages})
	if err != nil {
		return nil, err
	}
	handle := hostLoad(bounded, []byte(strings.Join(guest.Functions(), "\n")))
	switch s := status(-handle); {
	case s == nobody:
		return nil, errNobody
	case handle <= 0:
		return nil, fmt.Errorf("the file is not a valid WebAssembly module: %w", s.err())
	}
	return &code{handle}, nil
}

// drop forgets the code.
func (c *code) drop() { hostDrop(c.handle) }

// begin makes an instance that is not configured. Lines that it logs are marked with the label.
func (c *code) begin(label string, l guest.Limits) (*guest.Instance, error) {
	r, err := c.start(label)
	if err != nil {
		return nil, err
	}
	return guest.NewInstance(r, l, gate.InitialFuel)
}

// start makes an instance that is not initialized. Lines that it logs are marked with the label.
func (c *code) start(label string) (*running, error) {
	handle := hostStart(c.handle, label)
	if handle <= 0 {
		return nil, fmt.Errorf("start: %w", startFailure(status(-handle)))
	}
	return &running{handle: handle, exports: hostExports(handle)}, nil
}

// startFailure says why the start function failed. Fuel that ran out there cannot be told from the instruction that it ends in.
func startFailure(s status) error {
	if s == trapUnreachable {
		return fmt.Errorf("%w, or it used up its fuel of %d", s.err(), gate.InitialFuel)
	}
	return s.err()
}

// running is an instance at the host.
type running struct {
	handle  int32
	exports uint32 // a bit for each guest.Function
	mirror  []byte // the arena, as far as it was written here
	request request
}

// Has reports whether the module exports a function.
func (r *running) Has(f guest.Function) bool { return r.exports>>f&1 != 0 }

// Invoke calls a function.
func (r *running) Invoke(c *guest.Call) (int32, error) {
	q := &r.request
	q.function, q.fuel, q.args = uint32(c.Function), c.Fuel, c.Args
	q.answers, q.size = c.Answers.At, c.Answers.Size
	if s := hostCall(r.handle, q, r.mirror, c.Written); s != returned {
		return 0, s.err()
	}
	return q.result, nil
}

// Left is the fuel that the last call left.
func (r *running) FuelLeft() int64 { return hostLeft(r.handle) }

// Size is that of the memory, in bytes.
func (r *running) Size() uint32 { return hostSize(r.handle) }

// Read returns a copy of bytes of the memory.
func (r *running) Read(at, size uint32) ([]byte, bool) {
	if uint64(at)+uint64(size) > uint64(hostSize(r.handle)) {
		return nil, false
	}
	data := make([]byte, size)
	return data, hostRead(r.handle, at, data)
}

// Arena returns what stands for bytes of the memory from now on.
func (r *running) Arena(at, size uint32) ([]byte, bool) {
	if uint64(at)+uint64(size) > uint64(hostSize(r.handle)) {
		return nil, false
	}
	r.request.arena, r.mirror = at, make([]byte, size)
	return r.mirror, true
}

// Apart reports true: the arena is a copy.
func (r *running) Copies() bool { return true }

// Close drops the instance.
func (r *running) Close() {
	if r.handle != 0 {
		hostStop(r.handle)
		r.handle = 0
	}
}
