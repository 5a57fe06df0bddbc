package gate

import "slices"

// A builder writes modules for tests. Sections left empty are left out.
type builder struct {
	types    []signature
	imports  [][]byte // whole entries
	funcs    []int    // types of defined functions
	tables   [][]byte
	memory   []byte // limits
	globals  [][]byte
	exports  [][]byte
	start    int // function index + 1
	elements [][]byte
	bodies   [][]byte // locals and code, without size
	data     [][]byte
	count    bool // data count section
	custom   [][]byte
}

// typ returns the index of a signature, "ii:i".
func (b *builder) typ(s string) int {
	sig := form(s)
	for i, t := range b.types {
		if t.equal(sig) {
			return i
		}
	}
	b.types = append(b.types, sig)
	return len(b.types) - 1
}

func (b *builder) importFunc(module, name, sig string) {
	entry := appendName(appendName(nil, module), name)
	b.imports = append(b.imports, appendU32(append(entry, kindFunc), uint32(b.typ(sig))))
}

// function adds a function, exported under a name that is not empty, and returns its index. Imports come first.
func (b *builder) function(name, sig string, locals []byte, code ...any) int {
	index := len(b.imports) + len(b.funcs)
	b.funcs = append(b.funcs, b.typ(sig))
	body := appendU32(nil, uint32(len(locals)))
	for _, t := range locals {
		body = append(body, 1, t)
	}
	b.bodies = append(b.bodies, append(append(body, join(code...)...), opcodeEnd))
	if name != "" {
		b.export(name, kindFunc, index)
	}
	return index
}

func (b *builder) export(name string, kind byte, index int) {
	b.exports = append(b.exports, appendU32(append(appendName(nil, name), kind), uint32(index)))
}

// join concatenates bytes, numbers (opcodes) and slices.
func join(code ...any) []byte {
	var out []byte
	for _, c := range code {
		switch c := c.(type) {
		case int:
			out = append(out, byte(c))
		case byte:
			out = append(out, c)
		case []byte:
			out = append(out, c...)
		}
	}
	return out
}

func i32(v int) []byte { return appendSigned([]byte{0x41}, int64(int32(v))) }
func i64(v int) []byte { return appendSigned([]byte{0x42}, int64(v)) }

func vector(items [][]byte) []byte {
	return append(appendU32(nil, uint32(len(items))), slices.Concat(items...)...)
}

func rawSection(id byte, content []byte) []byte {
	return append(appendU32([]byte{id}, uint32(len(content))), content...)
}

// bytes returns the module.
func (b *builder) bytes() []byte {
	out := slices.Clone(header)
	add := func(id byte, items [][]byte) {
		if len(items) > 0 {
			out = append(out, rawSection(id, vector(items))...)
		}
	}
	var types, funcs, bodies [][]byte
	for _, t := range b.types {
		types = append(types, join(0x60, vector(single(t.params)), vector(single(t.results))))
	}
	for _, f := range b.funcs {
		funcs = append(funcs, appendU32(nil, uint32(f)))
	}
	for _, body := range b.bodies {
		bodies = append(bodies, append(appendU32(nil, uint32(len(body))), body...))
	}
	add(sectionType, types)
	add(sectionImport, b.imports)
	add(sectionFunction, funcs)
	add(sectionTable, b.tables)
	if b.memory != nil {
		add(sectionMemory, [][]byte{b.memory})
	}
	add(sectionGlobal, b.globals)
	add(sectionExport, b.exports)
	if b.start > 0 {
		out = append(out, rawSection(sectionStart, appendU32(nil, uint32(b.start-1)))...)
	}
	add(sectionElement, b.elements)
	if b.count {
		out = append(out, rawSection(sectionCount, appendU32(nil, uint32(len(b.data))))...)
	}
	add(sectionCode, bodies)
	add(sectionData, b.data)
	for _, c := range b.custom {
		out = append(out, rawSection(sectionCustom, c)...)
	}
	return out
}

func single(types []byte) [][]byte {
	var out [][]byte
	for _, t := range types {
		out = append(out, []byte{t})
	}
	return out
}
