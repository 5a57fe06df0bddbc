package main

import "encoding/binary"

// deltaRange is a part of the memory that a module holds as deltas: each 32-bit word, from the second record on, holds the
// difference from the word one record before. The module decodes them when it starts. Deltas of growing numbers compress
// to a fraction of the numbers.
type deltaRange struct {
	from, to int // addresses; to is exclusive
	record   int // bytes from a record to the next
	step     int // bytes from a word to the next: 4, or record for a single column
}

// encode replaces the words of the range by deltas.
func (s deltaRange) encode(memory []byte) {
	last := s.from + (s.to-s.from-1)/s.step*s.step
	for at := last; at >= s.from+s.record; at -= s.step {
		put(memory, at, word(memory, at)-word(memory, at-s.record))
	}
}

func word(memory []byte, at int) uint32 { return binary.LittleEndian.Uint32(memory[at:]) }

func put(memory []byte, at int, n uint32) { binary.LittleEndian.PutUint32(memory[at:], n) }

// decodeDeltas is the body of a function with the parameters place, end, record and step:
//
//	for {
//		memory[place] += memory[place-record]
//		place += step
//		if place >= end { return }
//	}
var decodeDeltas = []byte{
	0,          // no locals
	0x03, 0x40, // loop
	0x20, 0, 0x20, 0, 0x28, 2, 0, // place, i32.load place
	0x20, 0, 0x20, 2, 0x6b, 0x28, 2, 0, // i32.load (place - record)
	0x6a, 0x36, 2, 0, // i32.add, i32.store
	0x20, 0, 0x20, 3, 0x6a, 0x22, 0, // place += step
	0x20, 1, 0x49, 0x0d, 0, // i32.lt_u end, br_if loop
	0x0b, 0x0b,
}

func (s deltaRange) decoder() (n int, arguments [4]int) {
	return 0, [4]int{s.from + s.record, s.to, s.record, s.step}
}
