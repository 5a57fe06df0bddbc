package main

import (
	"bytes"
	"slices"
)

// rewriteNames keeps the names of functions and of inlined calls, in the order of their use, without type arguments.
func (s *pclntab) rewriteNames(calls []int) bool {
	names, places := []byte{0}, map[string]uint32{}
	place := func(at uint32) uint32 {
		text := s.memory[s.funcnametab+int(at) : s.cutab]
		text = withoutTypeArguments(text[:bytes.IndexByte(text, 0)+1])
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

// withoutTypeArguments writes a name as the runtime prints it: "[...]" stands for whatever is between the outermost brackets.
func withoutTypeArguments(name []byte) []byte {
	from, to := bytes.IndexByte(name, '['), bytes.LastIndexByte(name, ']')
	if from < 0 || to < from {
		return name
	}
	return slices.Concat(name[:from], []byte("[...]"), name[to+1:])
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

// encode encodes the index, and the records: the columns whose numbers grow as deltas, and then all of them as planes. Numbers that grow
// evenly are encoded twice, which leaves zeros.
func (s *pclntab) encode() []encoding {
	n := len(s.functions)
	index := deltaRange{s.ftab, s.ftab + 8*n, 8, 4}
	buckets := deltaRange{s.findfunctab, s.findfunctab + (s.epclntab-s.findfunctab)/4*4, bucketSize * functionBuckets, 4}
	all := []encoding{index, index, buckets, buckets}
	for _, c := range growing {
		all = append(all, deltaRange{s.records() + 4*c, s.records() + 4*columns*n, 4 * columns, 4 * columns})
	}
	all = append(all, planes{from: s.records(), records: n, size: 4 * columns, scratch: len(s.memory)})
	for _, e := range all {
		e.encode(s.memory)
	}
	return all
}
