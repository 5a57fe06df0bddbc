package gate

import "slices"

// Value types and other bytes of the binary format that have names here.
const (
	typeI32       = 0x7f
	typeI64       = 0x7e
	typeV128      = 0x7b
	typeFuncref   = 0x70
	typeExternref = 0x6f
	blockVoid     = 0x40
	kindFunc      = 0
	kindTable     = 1
	kindMemory    = 2
	kindGlobal    = 3
)

// A feature is an extension of the first version of WebAssembly.
type feature int

const (
	bulkMemory feature = iota
	multiValue
	referenceTypes
	saturatingConversion
	signExtension
	simd
)

var featureNames = [...]string{"bulk-memory", "multi-value", "reference-types", "saturating-conversion", "sign-extension", "simd"}

// A signature is a function type; each byte is a value type.
type signature struct {
	params, results []byte
}

func (s signature) equal(o signature) bool {
	return slices.Equal(s.params, o.params) && slices.Equal(s.results, o.results)
}

// String reads "(i32,i32)->i32", results in parentheses unless there is one.
func (s signature) String() string {
	results := typeNames(s.results)
	if len(s.results) != 1 {
		results = "(" + results + ")"
	}
	return "(" + typeNames(s.params) + ")->" + results
}

func typeNames(types []byte) string {
	names := map[byte]string{typeI32: "i32", typeI64: "i64", 0x7d: "f32", 0x7c: "f64",
		typeV128: "v128", typeFuncref: "funcref", typeExternref: "externref"}
	out := ""
	for i, t := range types {
		if i > 0 {
			out += ","
		}
		out += names[t]
	}
	return out
}

type importedFunc struct {
	module, name string
	typ          int // index of its signature
	offset       int // in the file
}

type export struct {
	name   string
	kind   byte
	index  uint32
	offset int
}

// limit is the size of a memory in pages or of a table in elements.
type limit struct {
	min, max uint32
	bounded  bool // max is set
}

type table struct {
	elem byte // funcref or externref
	limit
}

// A span is a range of bytes in the file.
type span struct{ start, end int }

func (s span) size() int { return s.end - s.start }

type section struct {
	id   byte
	name string // of a custom section
	span        // its content, without identifier and size
}

// A module is all of a file that the rewrite needs. Slices of counts hold every item, imported ones first.
type module struct {
	file     []byte
	limits   Limits
	sections []section
	types    []signature
	imports  []importedFunc
	funcs    []int // index of the signature of each function, imported ones first
	tables   []table
	memories []limit
	globals  int
	exports  []export
	start    int // index of the start function or -1
	elements int
	data     int    // data segments as the count section says, -1 without
	bodies   int    // read so far
	body     []byte // of one function, to use again
	code     []byte // the new content of the code section, without its count
	complex  uint64 // units of complexity so far
	codeSize int    // bytes of bodies
	dataSize int    // bytes of data segments
	edits    []edit // outside of function bodies, by offset
	features [len(featureNames)]bool
	blocks   [][]byte // results of block types that the rewrite adds
	writing  bool     // new bodies are wanted
}

// signature returns the type of a function.
func (m *module) signature(function uint32) signature { return m.types[m.funcs[function]] }
