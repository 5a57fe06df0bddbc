package main

import (
	"encoding/binary"
	"slices"
)

// planes is a part of the memory with records of equal size that a module holds by columns of bytes: the first bytes of all
// records, then the second ones, and so on. The module puts the records together when it starts. What is in a column is
// alike, so columns compress better than records.
type planes struct {
	from    int
	records int
	size    int // of a record, in bytes
	scratch int // an address from which on the memory is zero when the module starts
}

// encode replaces the records by their columns.
func (p planes) encode(memory []byte) {
	part := memory[p.from : p.from+p.records*p.size]
	for k, b := range slices.Clone(part) {
		part[k%p.size*p.records+k/p.size] = b
	}
}

func (p planes) decoder() (n int, arguments [4]int) {
	return 1, [4]int{p.from, p.scratch, p.records, p.size}
}

// end is the first address that decoding does not need.
func (p planes) end() int { return p.scratch + p.records*p.size }

// decodePlanes is the body of a function with the parameters place, scratch, records and size:
//
//	n := records * size
//	copy(memory[scratch:scratch+n], memory[place:])
//	for k := range n {
//		memory[place + k%records*size + k/records] = memory[scratch+k]
//	}
//	clear(memory[scratch:scratch+n])
var decodePlanes = []byte{
	1, 2, 0x7f, // local 4 is n, local 5 is k
	0x20, 1, 0x20, 0, 0x20, 2, 0x20, 3, 0x6c, 0x22, 4, // scratch, place, n = records * size
	0xfc, 10, 0, 0, // memory.copy
	0x03, 0x40, // loop
	0x20, 0, // place
	0x20, 5, 0x20, 2, 0x70, 0x20, 3, 0x6c, 0x6a, // + k % records * size
	0x20, 5, 0x20, 2, 0x6e, 0x6a, // + k / records
	0x20, 1, 0x20, 5, 0x6a, 0x2d, 0, 0, // i32.load8_u scratch + k
	0x3a, 0, 0, // i32.store8
	0x20, 5, 0x41, 1, 0x6a, 0x22, 5, // k++
	0x20, 4, 0x49, 0x0d, 0, // i32.lt_u n, br_if loop
	0x0b,
	0x20, 1, 0x41, 0, 0x20, 4, 0xfc, 11, 0, // memory.fill
	0x0b,
}

// withRoom makes the memory of a module large enough for decoding.
func withRoom(memory *section, all []encoding) error {
	const page = 64 << 10
	r := &reader{rest: memory.content}
	n, limits, pages := r.unsigned(), r.byte(), r.unsigned()
	if n != 1 || r.failed {
		return errModule
	}
	for _, e := range all {
		if p, ok := e.(planes); ok {
			pages = max(pages, uint64((p.end()+page-1)/page))
		}
	}
	memory.content = append(binary.AppendUvarint([]byte{1, limits}, pages), r.rest...)
	return nil
}
