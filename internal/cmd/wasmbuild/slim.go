package main

import (
	"bytes"
	"slices"
)

// slimPclntab makes the tables of functions smaller. It drops what the runtime reads for profiles, execution traces and
// preemption by signals, which do not exist in WebAssembly, the arguments in a stack trace, and for functions outside of
// the project the lines and inlined calls. Names stay. The records of functions become equally large, so that they can
// be encoded by columns.
func slimPclntab(memory []byte, tables int) ([]encoding, error) {
	s, err := readPclntab(memory, tables)
	if err != nil {
		return nil, err
	}
	before := slices.Clone(s.functions)
	for i := range s.functions {
		s.reduce(&s.functions[i])
	}
	s.clearFiles()
	inlined, ok := s.clearInlined(before)
	if !ok || !s.rewriteNames(inlined) || !s.rewriteTables() || !s.rewriteFunctions() {
		return nil, errPclntab
	}
	return s.encode(), nil
}

// reduce drops from a function's record what is not read, or not worth its space.
func (s *pclntab) reduce(f *function) {
	f[startLine] = 0
	f[pcdataUnsafePoint] = 0
	if !s.own(f) {
		f[pcfile], f[pcln], f[cuOffset] = 0, 0, 0
		f[pcdataInlTree], f[funcdataInlTree] = 0, none
	}
}

// clearFiles clears the names of files that no function refers to any more.
func (s *pclntab) clearFiles() {
	units, files := map[int]bool{}, map[int]bool{}
	for _, f := range s.functions {
		for _, n := range s.values(f[pcfile]) {
			units[s.cutab+4*(int(f[cuOffset])+int(n))] = true
		}
	}
	for at := s.cutab; at+4 <= s.filetab; at += 4 {
		if units[at] {
			files[s.filetab+int(word(s.memory, at))] = true
		} else {
			put(s.memory, at, 0)
		}
	}
	for at := s.filetab; at < s.pctab; {
		size := bytes.IndexByte(s.memory[at:s.pctab], 0)
		if size < 0 {
			return
		}
		if !files[at] {
			clear(s.memory[at : at+size])
		}
		at += size + 1
	}
}

// inlinedSize is the size of the record of an inlined call; its name is the second word, its first line the last.
const inlinedSize = 16

// clearInlined clears the records of inlined calls that no function refers to any more, and returns the addresses of the
// others; false: one is outside of the tables.
func (s *pclntab) clearInlined(before []function) (addresses []int, ok bool) {
	calls, kept := map[int]bool{}, map[int]bool{}
	for i, f := range before {
		if f[funcdataInlTree] == none {
			continue
		}
		for _, n := range s.values(f[pcdataInlTree]) {
			if n >= 0 {
				at := s.gofunc + int(f[funcdataInlTree]) + inlinedSize*int(n)
				if at+inlinedSize > s.findfunctab {
					return nil, false
				}
				calls[at] = true
				kept[at] = kept[at] || s.functions[i][funcdataInlTree] != none
			}
		}
	}
	for at := range calls {
		if kept[at] {
			addresses = append(addresses, at)
			put(s.memory, at+12, 0)
		} else {
			clear(s.memory[at : at+inlinedSize])
		}
	}
	slices.Sort(addresses)
	return addresses, true
}

// values are the numbers in a table of program counters; a number may come several times.
func (s *pclntab) values(table uint32) []int32 {
	if table == 0 {
		return nil
	}
	var values []int32
	n := int32(-1)
	r := &reader{rest: s.memory[s.pctab+int(table) : s.ftab]}
	for first := true; ; first = false {
		change := uint32(r.unsigned())
		if change == 0 && !first || r.failed {
			return values
		}
		n += int32(-(change & 1) ^ change>>1)
		r.unsigned()
		values = append(values, n)
	}
}

// tableSize is the size of a table of program counters: pairs of numbers, up to a 0 that is not the first number.
func (s *pclntab) tableSize(table uint32) int {
	rest := s.memory[s.pctab+int(table) : s.ftab]
	r := &reader{rest: rest}
	for first := true; ; first = false {
		if r.unsigned() == 0 && !first || r.failed {
			return len(rest) - len(r.rest)
		}
		r.unsigned()
	}
}
