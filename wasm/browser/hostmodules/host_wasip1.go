//go:build wasip1

package hostmodules

import (
	"runtime"
	"unsafe"
)

//go:wasmimport quern_host load
func importLoad(file unsafe.Pointer, bytes uint32, names unsafe.Pointer, namesBytes uint32) int32

//go:wasmimport quern_host drop
func hostDrop(module int32)

//go:wasmimport quern_host start
func importStart(module int32, label unsafe.Pointer, bytes uint32) int32

//go:wasmimport quern_host stop
func hostStop(instance int32)

//go:wasmimport quern_host exports
func hostExports(instance int32) uint32

//go:wasmimport quern_host call
func importCall(instance int32, r unsafe.Pointer) int32

//go:wasmimport quern_host left
func hostLeft(instance int32) int64

//go:wasmimport quern_host size
func hostSize(instance int32) uint32

//go:wasmimport quern_host read
func importRead(instance int32, at uint32, to unsafe.Pointer, bytes uint32) uint32

//go:wasmimport quern_host reason
func importReason(to unsafe.Pointer, bytes uint32) uint32

func hostLoad(file, names []byte) int32 {
	return importLoad(start(file), uint32(len(file)), start(names), uint32(len(names)))
}

func hostStart(module int32, label string) int32 {
	return importStart(module, unsafe.Pointer(unsafe.StringData(label)), uint32(len(label)))
}

// hostCall makes a call. What it points to is alive until it is over, and never moves.
func hostCall(instance int32, r *request, mirror []byte, spans []span) status {
	r.mirror, r.spans, r.count = address(start(mirror)), address(unsafe.Pointer(unsafe.SliceData(spans))), uint32(len(spans))
	s := importCall(instance, unsafe.Pointer(r))
	runtime.KeepAlive(mirror)
	runtime.KeepAlive(spans)
	return status(s)
}

func hostRead(instance int32, at uint32, to []byte) bool {
	return importRead(instance, at, start(to), uint32(len(to))) != 0
}

func hostReason(to []byte) uint32 {
	return min(importReason(start(to), uint32(len(to))), uint32(len(to)))
}

func start(data []byte) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(data)) }

func address(p unsafe.Pointer) uint32 { return uint32(uintptr(p)) }
