//go:build wasip1

// Package exchange is how a module of the project is called: bytes go in, bytes come out.
//
// After _initialize, quern_reserve returns the address of a buffer of a size, into which the caller writes a request;
// quern_call takes it and returns the address of the answer, which starts with its size as 4 bytes, least first. The buffer
// is gone after quern_call, the answer after the next quern_call.
package exchange

import (
	"encoding/binary"
	"runtime"
	"runtime/debug"
	"unsafe"
)

// shared is what the caller and this module share. It is reached from the exports alone, one call at a time.
var shared struct {
	serve   func(request []byte) []byte
	request []byte
	answer  []byte // keeps the last frame alive
}

// Serve says who answers. It is called once, from an init.
//
// The collector then runs a third as often as usual: it has no thread of its own here, so that its work is taken from
// the scheduler's (a fifth of the time of a fill). Near the limit it runs as often as it must.
func Serve(answer func(request []byte) []byte) {
	shared.serve = answer
	debug.SetGCPercent(300)
	debug.SetMemoryLimit(1 << 30)
}

// reserve makes room for a request. Nil: it is larger than any request may be.
//
//go:wasmexport quern_reserve
func reserve(size uint32) unsafe.Pointer {
	shared.answer = nil
	if size > most {
		return nil
	}
	shared.request = make([]byte, max(size, 1))
	return unsafe.Pointer(unsafe.SliceData(shared.request))
}

// most is a little more than a request may have, so that one that is too large is answered by an error.
const most = 65 << 20

// turns is how often the collector's own workers may go on after a call. They have no thread, and go on only while nothing
// else does, for a moment that a clock measures which here goes on with each look at it.
const turns = 16

// call serves the request of a size at an address that reserve returned, and returns the address of the answer.
//
//go:wasmexport quern_call
func call(at unsafe.Pointer, size uint32) unsafe.Pointer {
	request := shared.request
	shared.request, shared.answer = nil, nil
	if unsafe.Pointer(unsafe.SliceData(request)) != at || int(size) > len(request) {
		request, size = nil, 0
	}
	answer := shared.serve(request[:size])
	for range turns {
		runtime.Gosched()
	}
	frame := make([]byte, 4, 4+len(answer))
	binary.LittleEndian.PutUint32(frame, uint32(len(answer)))
	shared.answer = append(frame, answer...)
	return unsafe.Pointer(unsafe.SliceData(shared.answer))
}
