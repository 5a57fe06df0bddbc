//go:build !unix

package wazero

import "github.com/tetratelabs/wazero/experimental"

// reserved gives each instance all the memory it may ever have at once, so that what it has never moves.
type reserved struct{}

// Allocate makes the memory.
func (*reserved) Allocate(_, most uint64) experimental.LinearMemory { return space(make([]byte, most)) }

// free leaves the memory of an instance that could not be made to the collector.
func (*reserved) free() {}

type space []byte

// Reallocate makes more of it usable.
func (s space) Reallocate(size uint64) []byte {
	if size > uint64(len(s)) {
		return nil
	}
	return s[:size]
}

// Free leaves it to the collector.
func (s space) Free() {}
