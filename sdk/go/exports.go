//go:build wasip1

package wasm

import (
	"errors"
	"unsafe"

	"github.com/quern-project/quern/sdk/abi"
	"github.com/quern-project/quern/sdk/policy"
)

// What the host reads and writes between calls. Package globals keep it referenced, and objects of the heap do not move.
var (
	arena    []byte // starts at a multiple of abi.Align
	manifest []byte // ends with a NUL
	fault    [abi.MaxErrorText + 1]byte
	frame    abi.Frame
	points   [len(abi.Points)]func(*abi.Frame) error // nil before quern_configure
)

// mostArena bounds the arena, in bytes: memory has 4 GiB, and an arena that grows needs the old one and the new one.
const mostArena = 1 << 30

var (
	errNoPolicy = errors.New("expected a call of wasm.Serve from init, found none")
	errPoint    = errors.New("expected a point of the manifest, after quern_configure")
	errAddress  = errors.New("expected an address in the arena of quern_reserve")
)

//go:wasmexport quern_abi
func version() uint32 {
	if server == nil {
		panic("wasm: " + errNoPolicy.Error())
	}
	return server.Version()
}

//go:wasmexport quern_manifest
func manifestAddress() uint32 {
	if server == nil {
		panic("wasm: " + errNoPolicy.Error())
	}
	if manifest == nil {
		manifest = append(append(manifest, server.Manifest()...), 0)
	}
	return address(&manifest[0])
}

//go:wasmexport quern_reserve
func reserve(bytes uint32) uint32 {
	if bytes > mostArena {
		return 0
	}
	if arena == nil || uint32(len(arena)) < bytes {
		arena = nil // before the new one is made: what was in it may be lost
		whole := make([]byte, uint64(bytes)+2*abi.Align)
		start := -address(&whole[0]) % abi.Align
		arena = whole[start : start+max(bytes, 1)]
	}
	return address(&arena[0])
}

//go:wasmexport quern_configure
func configure(at, bytes uint32) uint32 {
	rc := called(at, bytes, (*policy.Server).Configure)
	if rc == abi.OK {
		for i, p := range abi.Points {
			points[i] = server.Point(p.Name)
		}
	}
	return rc
}

//go:wasmexport quern_dictionary
func dictionary(at, bytes uint32) uint32 {
	return called(at, bytes, (*policy.Server).ReadTexts)
}

//go:wasmexport quern_error
func errorAddress() uint32 { return address(&fault[0]) }

func called(at, bytes uint32, f func(*policy.Server, []byte) error) uint32 {
	if server == nil {
		return failed(errNoPolicy)
	}
	start := at - base()
	if at < base() || uint64(start)+uint64(bytes) > uint64(len(arena)) {
		return failed(errAddress)
	}
	return failed(f(server, arena[start:start+bytes]))
}

// answer is a call of the point of that number, from 0.
func answer(point int, at uint32) uint32 {
	serve := points[point]
	if serve == nil {
		return failed(errPoint)
	}
	start := at - base()
	if at < base() || start >= uint32(len(arena)) {
		return failed(errAddress)
	}
	if err := frame.Reset(arena[start:]); err != nil {
		return failed(err)
	}
	if err := serve(&frame); err != nil {
		return failed(err)
	}
	return abi.OK
}

// failed keeps the text of an error for quern_error and returns its code.
func failed(err error) uint32 {
	if err == nil {
		return abi.OK
	}
	n := copy(fault[:abi.MaxErrorText], err.Error())
	fault[n] = 0
	return uint32(policy.Code(err))
}

func base() uint32 {
	if len(arena) == 0 {
		return 0
	}
	return address(&arena[0])
}

func address(p *byte) uint32 { return uint32(uintptr(unsafe.Pointer(p))) }
