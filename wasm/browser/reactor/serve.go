//go:build wasip1

package reactor

import (
	"encoding/binary"
	"runtime"
	"runtime/debug"
	"unsafe"
)

// shared is the memory that the caller and this module share. Only the exports use it, one call at a time.
var shared struct {
	serve   func(out, request []byte) []byte
	request []byte
	answer  []byte // keeps the last frame alive
}

// Serve sets the function that answers requests: it appends the answer to out. Call it once, from an init function.
//
// It makes garbage collection three times rarer: the collector has no thread of its own here, so its work delays the
// scheduler (by a fifth of a fill's time). The first one is put off until the heap has 36 MB: one that begins in the middle of a
// cluster's growth finds little garbage. Near the memory limit it runs as often as necessary.
func Serve(handler func(out, request []byte) []byte) {
	shared.serve = handler
	debug.SetGCPercent(900)
	runtime.SetFinalizer(new([16]byte), func(*[16]byte) { debug.SetGCPercent(300) }) // runs behind the first collection
	debug.SetMemoryLimit(1 << 30)
}

// ServeWhole is Serve for a handler that makes each answer again.
func ServeWhole(handler func(request []byte) []byte) {
	Serve(func(out, request []byte) []byte { return append(out, handler(request)...) })
}

// reserve allocates the buffer for a request; nil where it is larger than any request may be.
//
//go:wasmexport quern_reserve
func reserve(size uint32) unsafe.Pointer {
	shared.answer = nil
	if size > maxBuffer {
		return nil
	}
	shared.request = make([]byte, max(size, 1))
	return unsafe.Pointer(unsafe.SliceData(shared.request))
}

// maxBuffer is a little larger than the largest request, so that a request that is too large is answered by an error.
const maxBuffer = 65 << 20

// sizeBytes are the bytes before an answer that say its size.
const sizeBytes = 4

// idleYields is the number of times that the collector's workers may run after a call. They have no thread: they run only
// while nothing else does, for a time slice of a clock that here advances each time it is read.
const idleYields = 16

// call serves the request at an address that reserve returned, and returns the address of the answer.
//
//go:wasmexport quern_call
func call(at unsafe.Pointer, size uint32) unsafe.Pointer {
	request := shared.request
	shared.request, shared.answer = nil, nil
	if unsafe.Pointer(unsafe.SliceData(request)) != at || int(size) > len(request) {
		request, size = nil, 0
	}
	frame := shared.serve(make([]byte, sizeBytes), request[:size])
	for range idleYields {
		runtime.Gosched()
	}
	binary.LittleEndian.PutUint32(frame, uint32(len(frame)-sizeBytes))
	shared.answer = frame
	return unsafe.Pointer(unsafe.SliceData(shared.answer))
}
