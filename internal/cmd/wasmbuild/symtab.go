package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
	"strings"
)

// What the Go runtime keeps of the functions of a program (runtime/symtab.go): a header, the text of the names and of the
// files, tables that give a number for each program counter (pctab), a record for each function, and an index of those by
// program counter. All places in it are relative to the beginnings that the module data points at.
var symbolsMagic = []byte{0xf1, 0xff, 0xff, 0xff, 0, 0, 1, 8}

const headerSize = 72

var errSymbols = errors.New("the tables of functions are not as this version of the Go compiler writes them")

// symbols are the addresses of the tables, and the records of functions.
type symbols struct {
	memory    []byte
	names     int
	units     int // file numbers, by compilation unit
	files     int
	pctab     int
	index     int // functions by address: pairs of their first program counter and the place of their record after index
	pointers  int // tables of pointers that the collector and the unwinder read, and those of inlined calls
	buckets   int // the index of the index
	end       int
	firstPC   uint32
	functions []function
}

// The columns of a function's record, 4 bytes each.
const (
	entryColumn, nameColumn, argsColumn, deferColumn                    = 0, 1, 2, 3
	stackColumn, fileColumn, lineColumn                                 = 4, 5, 6 // places in pctab
	tablesColumn, unitColumn, startLineColumn, kindColumn, fixedColumns = 7, 8, 9, 10, 11
)

// Further tables in pctab, and further ones of pointers, that a function has; there may be fewer.
const (
	unsafeTable, stackMapTable, inlineTable, pcTables                            = 0, 1, 2, 3
	argsPointers, localsPointers, stackObjects, inlined, deferred, pointerTables = 0, 1, 2, 3, 4, 5

	none = ^uint32(0) // no table of pointers
)

// columns are those that each record has, once all have the same size.
const columns = fixedColumns + pcTables + pointerTables

type function [columns]uint32

// findSymbols returns the address of the tables, or -1.
func findSymbols(memory []byte) int {
	for at := 0; ; at++ {
		next := bytes.Index(memory[at:], symbolsMagic)
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

// readSymbols reads the tables at an address.
func readSymbols(memory []byte, tables int) (*symbols, error) {
	data := moduleData(memory, tables)
	if data%8 != 0 || data+8*42 > len(memory) {
		return nil, errSymbols
	}
	field := func(i int) int { return int(binary.LittleEndian.Uint64(memory[data+8*i:])) }
	s := &symbols{memory: memory, names: field(1), units: field(4), files: field(7), pctab: field(10), index: field(13),
		buckets: field(19), firstPC: uint32(field(20)), pointers: field(40), end: field(41)}
	n := field(17) - 1
	if !slices.IsSorted([]int{tables, s.names, s.units, s.files, s.pctab, s.index, s.pointers, s.buckets, s.end, len(memory)}) ||
		field(16) != s.index || n < 1 || s.index+8*n > s.pointers {
		return nil, errSymbols
	}
	for i := range n {
		f, ok := s.function(s.index + int(word(memory, s.index+8*i+4)))
		if !ok || f[entryColumn] != word(memory, s.index+8*i) {
			return nil, errSymbols
		}
		s.functions = append(s.functions, f)
	}
	return s, nil
}

// function reads the record at an address.
func (s *symbols) function(at int) (f function, ok bool) {
	if at+4*fixedColumns > s.pointers {
		return f, false
	}
	for c := range fixedColumns {
		f[c] = word(s.memory, at+4*c)
	}
	tables, pointers := int(f[tablesColumn]), int(f[kindColumn]>>24)
	if at += 4 * fixedColumns; at+4*(tables+pointers) > s.pointers {
		return f, false
	}
	for i := range min(tables, pcTables) {
		f[fixedColumns+i] = word(s.memory, at+4*i)
	}
	for i := range pointerTables {
		f[fixedColumns+pcTables+i] = none
		if i < pointers {
			f[fixedColumns+pcTables+i] = word(s.memory, at+4*(tables+i))
		}
	}
	f[tablesColumn], f[kindColumn] = pcTables, f[kindColumn]&0xffffff|pointerTables<<24
	return f, true
}

func (s *symbols) name(f *function) string {
	text := s.memory[s.names+int(f[nameColumn]) : s.units]
	name, _, _ := bytes.Cut(text, []byte{0})
	return string(name)
}

// own reports whether a function is one of the project, whose lines a stack trace is read for.
func (s *symbols) own(f *function) bool {
	name := s.name(f)
	return strings.HasPrefix(name, "github.com/quern-project/") || strings.HasPrefix(name, "main.")
}
