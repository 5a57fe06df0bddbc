package gate

// A Report is what the gate found in a module.
type Report struct {
	Bytes     int
	Imports   []Import
	Exports   []Export
	Memory    *Size  // in pages of 64 KiB; nil without a memory
	Tables    []Size // in elements
	Functions int    // defined ones
	Globals   int
	CodeBytes int      // function bodies
	DataBytes int      // contents of data segments
	Start     bool     // there is a start function
	Features  []string // beyond the first version of WebAssembly, sorted: "bulk-memory", "multi-value", "simd", …
	Custom    []string // names of custom sections, in order; all but "name" are dropped by the rewrite
	Policy    error    // nil, or the *Error by which Bound refuses a module that is sound but no policy
}

// An Import is a function that the module imports.
type Import struct {
	Module, Name string
	Signature    string // "(i32,i32)->i32"
}

// An Export is something that the module exports.
type Export struct {
	Name      string
	Kind      string // "function", "table", "memory" or "global"
	Signature string // of a function
}

// Size is what a memory or table starts with and may grow to, after the limits were applied.
type Size struct{ Min, Max uint32 }

var kindNames = [...]string{kindFunc: "function", kindTable: "table", kindMemory: "memory", kindGlobal: "global"}

func (m *module) report() *Report {
	r := &Report{
		Bytes:     len(m.file),
		Functions: len(m.funcs) - len(m.imports),
		Globals:   m.globals,
		CodeBytes: m.codeSize,
		DataBytes: m.dataSize,
		Start:     m.start >= 0,
	}
	for f, used := range m.features {
		if used {
			r.Features = append(r.Features, featureNames[f])
		}
	}
	for _, im := range m.imports {
		r.Imports = append(r.Imports, Import{im.module, im.name, m.types[im.typ].String()})
	}
	for _, e := range m.exports {
		x := Export{Name: e.name, Kind: kindNames[e.kind]}
		if e.kind == kindFunc {
			x.Signature = m.signature(e.index).String()
		}
		r.Exports = append(r.Exports, x)
	}
	for _, l := range m.memories {
		r.Memory = &Size{l.min, l.max}
	}
	for _, t := range m.tables {
		r.Tables = append(r.Tables, Size{t.min, t.max})
	}
	for _, s := range m.sections {
		if s.id == sectionCustom {
			r.Custom = append(r.Custom, s.name)
		}
	}
	if refusal := m.policy(); refusal != nil {
		r.Policy = refusal
	}
	return r
}
