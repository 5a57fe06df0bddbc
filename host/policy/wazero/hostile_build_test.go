package wazero_test

import (
	"encoding/binary"
	"slices"
)

// Sections of a WebAssembly file that these tests write.
const (
	customs   = 0
	types     = 1
	imports   = 2
	functions = 3
	tables    = 4
	memories  = 5
	globals   = 6
	exports   = 7
	starts    = 8
	elements  = 9
	codes     = 10
	datas     = 11
)

// Signatures of goodFile, by the index of their type.
const (
	answersAddress = 0 // () -> i32
	takesOne       = 1 // (i32) -> i32
	takesTwo       = 2 // (i32, i32) -> i32
	takesNothing   = 3 // () -> ()
)

// file is a WebAssembly file in the making: the items of its sections. It may be as wrong as a test wants it.
type file struct {
	items map[byte][][]byte
	start []byte // of the start section
	tail  []byte // behind everything
}

// goodManifest declares a score that reads what is free.
const goodManifest = `{"name":"m","version":"1","abi":"1.0","points":{"node.score":{"columns":["free:vcore"],"keys":1,"depends":"row"}}}`

// goodFile is a small good module: the score of a node is twice what is free. It may import functions.
func goodFile(imported ...[]byte) *file {
	f := &file{items: map[byte][][]byte{imports: imported}}
	f.add(types, bytesOf(0x60, 0, 1, 0x7f))
	f.add(types, bytesOf(0x60, 1, 0x7f, 1, 0x7f))
	f.add(types, bytesOf(0x60, 2, 0x7f, 0x7f, 1, 0x7f))
	f.add(types, bytesOf(0x60, 0, 0))
	f.add(memories, bytesOf(0, 8))
	f.add(exports, bytesOf(named("memory"), 2, 0))
	f.add(datas, bytesOf(0, constant(1024), 0x0b, number(len(goodManifest)), goodManifest))
	f.function("quern_abi", answersAddress, nil, constant(65536))
	f.function("quern_manifest", answersAddress, nil, constant(1024))
	f.function("quern_reserve", takesOne, nil, constant(65536))
	f.function("quern_configure", takesTwo, nil, constant(0))
	f.function("node_score", takesOne, bytesOf(1, 2, 0x7f), twice)
	return f
}

// twice answers the rows of idx with two times the first column.
var twice = bytesOf(
	0x02, 0x40, 0x03, 0x40, // block loop
	0x20, 1, 0x20, 0, 0x28, 2, 12, 0x4f, 0x0d, 1, // until i >= k
	0x20, 0, 0x20, 0, 0x28, 2, 36, 0x6a, // f + off_out
	0x20, 0, 0x20, 0, 0x28, 2, 32, 0x6a, 0x20, 1, 0x41, 4, 0x6c, 0x6a, 0x28, 2, 0, 0x22, 2, // r = idx[i]
	0x41, 8, 0x6c, 0x6a,
	0x20, 0, 0x20, 0, 0x28, 2, 56, 0x6a, 0x20, 2, 0x41, 8, 0x6c, 0x6a, 0x2b, 3, 0, // column 0 of r
	0x44, 0, 0, 0, 0, 0, 0, 0, 0x40, 0xa2, // times 2
	0x39, 3, 0,
	0x20, 1, 0x41, 1, 0x6a, 0x21, 1, 0x0c, 0, 0x0b, 0x0b, // next
	constant(0))

// add adds an item to a section.
func (f *file) add(section byte, item []byte) *file {
	f.items[section] = append(f.items[section], item)
	return f
}

// function adds a function; locals are groups with their number before them, nil: none. Where the name is that of one
// there is already, it takes that one's place.
func (f *file) function(name string, signature int, locals []byte, code ...any) *file {
	if locals == nil {
		locals = []byte{0}
	}
	body := append(bytesOf(locals, bytesOf(code...)), 0x0b)
	body = bytesOf(number(len(body)), body)
	for i, e := range f.items[exports] {
		if name != "" && slices.Equal(e[:len(named(name))], named(name)) {
			f.items[codes][i-1] = body // memory is the first export, and every function is one
			return f
		}
	}
	f.add(functions, number(signature))
	f.add(codes, body)
	if name != "" {
		f.add(exports, bytesOf(named(name), 0, number(len(f.items[imports])+len(f.items[codes])-1)))
	}
	return f
}

// set replaces the items of a section.
func (f *file) set(section byte, items ...[]byte) *file {
	f.items[section] = items
	return f
}

// bytes are the file's.
func (f *file) bytes() []byte {
	out := []byte{0, 'a', 's', 'm', 1, 0, 0, 0}
	for _, id := range []byte{types, imports, functions, tables, memories, globals, exports, starts, elements, codes, datas} {
		content := bytesOf(number(len(f.items[id])), slices.Concat(f.items[id]...))
		if id == starts {
			content = f.start
		}
		if id == starts && content != nil || len(f.items[id]) > 0 {
			out = append(out, bytesOf(int(id), number(len(content)), content)...)
		}
	}
	for _, c := range f.items[customs] {
		out = append(out, bytesOf(customs, number(len(c)), c)...)
	}
	return append(out, f.tail...)
}

// bytesOf joins bytes, written as numbers, texts and slices.
func bytesOf(parts ...any) []byte {
	var out []byte
	for _, p := range parts {
		switch p := p.(type) {
		case int:
			out = append(out, byte(p))
		case string:
			out = append(out, p...)
		case []byte:
			out = append(out, p...)
		}
	}
	return out
}

// number is an unsigned LEB128 number.
func number(n int) []byte { return binary.AppendUvarint(nil, uint64(n)) }

// named is a name, with its length before it.
func named(name string) []byte { return bytesOf(number(len(name)), name) }

// constant pushes an i32.
func constant(v int) []byte {
	out := []byte{0x41}
	for {
		b := byte(v & 0x7f)
		v >>= 7
		if v == 0 && b&0x40 == 0 || v == -1 && b&0x40 != 0 {
			return append(out, b)
		}
		out = append(out, b|0x80)
	}
}

// uvarint reads an unsigned LEB128 number, and how many bytes it takes.
func uvarint(data []byte) (n, width int) {
	v, width := binary.Uvarint(data)
	return int(v), width
}
