package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
	"strings"
)

// The Go runtime has tables of a program's functions (the pclntab; runtime/symtab.go): a header, the names of functions and
// files, tables that map program counters to numbers, a record for each function, and an index. Offsets in it count from
// the addresses that the module data holds. The names here are those of the runtime.
var pclntabMagic = []byte{0xf1, 0xff, 0xff, 0xff, 0, 0, 1, 8}

const headerSize = 72

var errPclntab = errors.New("the tables of functions are not as this version of the Go compiler writes them")

// pclntab has the addresses of the tables, and the records of functions.
type pclntab struct {
	memory      []byte
	funcnametab int
	cutab       int // offsets in filetab, by compilation unit
	filetab     int
	pctab       int // program counters to numbers
	ftab        int // pairs: a function's first program counter and the offset of its record from ftab
	gofunc      int // data that records point at: pointer maps for the collector, inlined calls
	findfunctab int // an index of ftab
	epclntab    int
	functions   []function
}

// The columns of a function's record, 4 bytes each. Records that the linker writes may have fewer or more of pcdata and
// funcdata.
const (
	entryOff = iota
	nameOff
	_ // the size of the arguments
	_ // deferreturn
	pcsp
	pcfile
	pcln
	npcdata
	cuOffset
	startLine
	idsAndCount // funcID, flags, and in the highest byte the number of funcdata
	pcdataUnsafePoint
	pcdataStackMap
	pcdataInlTree
	funcdataArgs
	_ // pointer maps of locals
	_ // stack objects
	funcdataInlTree
	funcdataOpenDefers
	columns

	fixedColumns = pcdataUnsafePoint
	pcdatas      = funcdataArgs - pcdataUnsafePoint
	funcdatas    = columns - funcdataArgs
	none         = ^uint32(0) // funcdata that a function does not have
)

type function [columns]uint32

// findPclntab returns the address of the tables, or -1.
func findPclntab(memory []byte) int {
	for at := 0; ; at++ {
		next := bytes.Index(memory[at:], pclntabMagic)
		if next < 0 {
			return -1
		}
		if at += next; at%8 == 0 && moduleData(memory, at) >= 0 {
			return at
		}
	}
}

// moduleData returns the address of what points at the tables: first their header, then the names after it.
func moduleData(memory []byte, tables int) int {
	pointers := binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, uint64(tables)), uint64(tables+headerSize))
	return bytes.Index(memory, pointers)
}

// readPclntab reads the tables at an address.
func readPclntab(memory []byte, tables int) (*pclntab, error) {
	data := moduleData(memory, tables)
	if data%8 != 0 || data+8*42 > len(memory) {
		return nil, errPclntab
	}
	field := func(i int) int { return int(binary.LittleEndian.Uint64(memory[data+8*i:])) }
	s := &pclntab{memory: memory, funcnametab: field(1), cutab: field(4), filetab: field(7), pctab: field(10), ftab: field(13),
		findfunctab: field(19), gofunc: field(40), epclntab: field(41)}
	n := field(17) - 1
	if !slices.IsSorted([]int{tables, s.funcnametab, s.cutab, s.filetab, s.pctab, s.ftab, s.gofunc, s.findfunctab, s.epclntab, len(memory)}) ||
		field(16) != s.ftab || n < 1 || s.ftab+8*n > s.gofunc {
		return nil, errPclntab
	}
	for i := range n {
		f, ok := s.function(s.ftab + int(word(memory, s.ftab+8*i+4)))
		if !ok || f[entryOff] != word(memory, s.ftab+8*i) {
			return nil, errPclntab
		}
		s.functions = append(s.functions, f)
	}
	return s, nil
}

// function reads the record at an address.
func (s *pclntab) function(at int) (f function, ok bool) {
	if at+4*fixedColumns > s.gofunc {
		return f, false
	}
	for c := range fixedColumns {
		f[c] = word(s.memory, at+4*c)
	}
	tables, pointers := int(f[npcdata]), int(f[idsAndCount]>>24)
	if at += 4 * fixedColumns; at+4*(tables+pointers) > s.gofunc {
		return f, false
	}
	for i := range min(tables, pcdatas) {
		f[pcdataUnsafePoint+i] = word(s.memory, at+4*i)
	}
	for i := range funcdatas {
		f[funcdataArgs+i] = none
		if i < pointers {
			f[funcdataArgs+i] = word(s.memory, at+4*(tables+i))
		}
	}
	f[npcdata], f[idsAndCount] = pcdatas, f[idsAndCount]&0xffffff|funcdatas<<24
	return f, true
}

func (s *pclntab) name(f *function) string {
	text := s.memory[s.funcnametab+int(f[nameOff]) : s.cutab]
	name, _, _ := bytes.Cut(text, []byte{0})
	return string(name)
}

// own reports whether a function is one of the project, whose lines a stack trace is read for.
func (s *pclntab) own(f *function) bool {
	name := s.name(f)
	return strings.HasPrefix(name, "github.com/quern-project/") || strings.HasPrefix(name, "main.")
}
