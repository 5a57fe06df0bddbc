package main

import "encoding/binary"

// encoding is a change of the initial memory that a module takes back when it starts, so that the memory compresses better.
type encoding interface {
	encode(memory []byte)
	decoder() (n int, arguments [4]int) // n is an index of decoders
}

// decoders are the bodies of the functions that take encodings back.
var decoders = [][]byte{decodeDeltas, decodePlanes}

// withDecoders adds a start function that takes the encodings back, the last one first.
func withDecoders(sections []section, all []encoding) []section {
	types, types0 := count(find(sections, typeSection).content)
	functions, functions0 := count(find(sections, functionSection).content)
	code, code0 := count(find(sections, codeSection).content)
	imports, _ := count(find(sections, importSection).content) // functions, all of them

	start := imports + functions + uint64(len(decoders))
	types0 = append(types0, 0x60, 4, 0x7f, 0x7f, 0x7f, 0x7f, 0, 0x60, 0, 0)
	for _, body := range decoders {
		functions0 = binary.AppendUvarint(functions0, types)
		code0 = append(binary.AppendUvarint(code0, uint64(len(body))), body...)
	}
	body := startWith(all, imports+functions)
	functions0 = binary.AppendUvarint(functions0, types+1)
	code0 = append(binary.AppendUvarint(code0, uint64(len(body))), body...)
	n := uint64(len(decoders) + 1)
	var out []section
	for _, s := range sections {
		switch s.id {
		case typeSection:
			s.content = counted(types+2, types0)
		case functionSection:
			s.content = counted(functions+n, functions0)
		case codeSection:
			s.content = counted(code+n, code0)
		case elementSection:
			out = append(out, section{startSection, binary.AppendUvarint(nil, start)})
		}
		out = append(out, s)
	}
	return out
}

// startWith is the body of a function that calls the decoders, which are functions from first on.
func startWith(all []encoding, first uint64) []byte {
	body := []byte{0}
	for i := len(all) - 1; i >= 0; i-- {
		decoder, arguments := all[i].decoder()
		for _, n := range arguments {
			body = appendSigned(append(body, 0x41), int64(n))
		}
		body = binary.AppendUvarint(append(body, 0x10), first+uint64(decoder))
	}
	return append(body, 0x0b)
}

// count splits the content of a section into how many items it has and the items.
func count(content []byte) (uint64, []byte) {
	r := &reader{rest: content}
	n := r.unsigned()
	return n, r.rest[:len(r.rest):len(r.rest)]
}

func counted(n uint64, items []byte) []byte { return append(binary.AppendUvarint(nil, n), items...) }
