//go:build unix

package wazero

import (
	"syscall"

	"github.com/tetratelabs/wazero/experimental"
)

// reserved gives each instance address space for all the memory it may ever have. What the module does not touch costs
// nothing, and what it has never moves.
type reserved struct{ space space }

// Allocate reserves address space. It is called at most once.
func (r *reserved) Allocate(_, most uint64) experimental.LinearMemory {
	if most == 0 {
		return &r.space
	}
	bytes, err := syscall.Mmap(-1, 0, int(most), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil { // no address space: the collector's memory will do, since it does not move either
		bytes = make([]byte, most)
	}
	r.space = space{bytes, err == nil}
	return &r.space
}

// free gives back the memory of an instance that could not be made.
func (r *reserved) free() { r.space.Free() }

type space struct {
	bytes  []byte
	mapped bool
}

// Reallocate makes more of the reserved space usable; nil where it is not there.
func (s *space) Reallocate(size uint64) []byte {
	if size > uint64(len(s.bytes)) {
		return nil
	}
	return s.bytes[:size]
}

// Free gives the space back.
func (s *space) Free() {
	if s.mapped {
		_ = syscall.Munmap(s.bytes) // it is ours, and is not read again
	}
	s.bytes, s.mapped = nil, false
}
