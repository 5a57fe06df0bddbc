package main

import (
	"bytes"
	"slices"
)

// slimPclntab makes the tables of functions smaller. It drops what the runtime reads for profiles, execution traces and
// preemption by signals, which do not exist in WebAssembly, the arguments in a stack trace, and for functions outside of
// the project the lines and inlined calls. Names stay. The records of functions become equally large, so that they can
// be delta-encoded.
func slimPclntab(memory []byte, tables int) ([]deltaRange, error) {
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
	return s.encodeDeltas(), nil
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

// rewriteNames keeps the names of functions and of inlined calls, in the order of their use.
func (s *pclntab) rewriteNames(calls []int) bool {
	names, places := []byte{0}, map[string]uint32{}
	place := func(at uint32) uint32 {
		text := s.memory[s.funcnametab+int(at) : s.cutab]
		text = text[:bytes.IndexByte(text, 0)+1]
		n, known := places[string(text)]
		if !known {
			n = uint32(len(names))
			places[string(text)] = n
			names = append(names, text...)
		}
		return n
	}
	for i := range s.functions {
		s.functions[i][nameOff] = place(s.functions[i][nameOff])
	}
	for _, at := range calls {
		put(s.memory, at+4, place(word(s.memory, at+4)))
	}
	return refill(s.memory[s.funcnametab:s.cutab], names)
}

// rewriteTables keeps the tables of program counters that functions refer to, those of a kind together.
func (s *pclntab) rewriteTables() bool {
	tables := []byte{0}
	places := map[uint32]uint32{}
	for _, c := range []int{pcsp, pcdataStackMap, pcfile, pcln, pcdataInlTree} {
		for i := range s.functions {
			table := &s.functions[i][c]
			if *table == 0 {
				continue
			}
			n, known := places[*table]
			if !known {
				n = uint32(len(tables))
				places[*table] = n
				at := s.pctab + int(*table)
				tables = append(tables, s.memory[at:at+s.tableSize(*table)]...)
			}
			*table = n
		}
	}
	return refill(s.memory[s.pctab:s.ftab], tables)
}

// refill puts other bytes into a part of the memory, and zeros behind them; false: there is no room.
func refill(part, content []byte) bool {
	if len(content) > len(part) {
		return false
	}
	clear(part[copy(part, content):])
	return true
}

// records is the address of the first function's record, behind the index with its last program counter.
func (s *pclntab) records() int { return s.ftab + 8*len(s.functions) + 4 }

// rewriteFunctions writes the records of functions, all with the same columns.
func (s *pclntab) rewriteFunctions() bool {
	at := s.records()
	if at+4*columns*len(s.functions) > s.gofunc {
		return false
	}
	clear(s.memory[at:s.gofunc])
	for i, f := range s.functions {
		put(s.memory, s.ftab+8*i+4, uint32(at-s.ftab))
		for c, n := range f {
			put(s.memory, at+4*c, n)
		}
		at += 4 * columns
	}
	return true
}

const (
	bucketSize      = 20
	functionBuckets = 16 // a bucket for each 4 KiB of a function's program counters
)

// growing are the columns whose numbers mostly grow from function to function. The others repeat numbers that came before.
var growing = []int{entryOff, nameOff, pcfile, pcln, cuOffset}

// encodeDeltas encodes the columns whose numbers grow. Those whose numbers grow evenly are encoded twice, which leaves zeros.
func (s *pclntab) encodeDeltas() []deltaRange {
	n := len(s.functions)
	index := deltaRange{s.ftab, s.ftab + 8*n, 8, 4}
	buckets := deltaRange{s.findfunctab, s.findfunctab + (s.epclntab-s.findfunctab)/4*4, bucketSize * functionBuckets, 4}
	all := []deltaRange{index, index, buckets, buckets}
	for _, c := range growing {
		all = append(all, deltaRange{s.records() + 4*c, s.records() + 4*columns*n, 4 * columns, 4 * columns})
	}
	for _, d := range all {
		d.encode(s.memory)
	}
	return all
}
