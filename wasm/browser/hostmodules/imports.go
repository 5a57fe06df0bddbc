package hostmodules

import (
	"structs"
)

// The imports are those of the module quern_host. Handles count from 1; a negative answer is a status, negated, whose
// text reason tells.
//
//	load(file, bytes, names, bytes) -> handle    a module, compiled; names are those of the functions that calls are made
//	                                             of, one a line, which requests mention by their place
//	drop(module)                                 forgets it; instances go on
//	start(module, label, bytes) -> handle        an instance; label is what the lines that it logs are marked with
//	stop(instance)                               forgets it
//	exports(instance) -> bits                    which of the names it exports: bit i for the i-th
//	call(instance, request) -> status            the request lies in the core's memory; its result is written there
//	left(instance) -> i64                        the fuel that the last call left
//	size(instance) -> bytes                      of its memory
//	read(instance, at, to, bytes) -> 1 or 0      copies from its memory to the core's; 0: they are not all there
//	reason(to, bytes) -> bytes                   the text of the last failure, cut
//
// Addresses are in the core's memory, except at, which is in the instance's.

// request is a call, as the other side reads it: little-endian, in this order without gaps.
type request struct {
	_        structs.HostLayout
	fuel     int64
	function uint32
	args     [2]uint32
	arena    uint32 // of the instance
	mirror   uint32 // in the core: what the arena holds, as far as it was written here
	spans    uint32 // pairs of offset and size, of the arena: to be copied to the instance before the call
	count    uint32 // of spans
	answers  uint32 // an offset in the arena: to be copied back after it
	size     uint32 // of the answers
	result   int32  // where the status is 0
}
