package gate

import "strings"

// An allowedImport is a function that a policy may import.
type allowedImport struct {
	module, name string
	signature    signature
	length       int     // the parameter that says how much the host has to do, -1 if none
	per          perItem // what the length counts
}

const wasi = "wasi_snapshot_preview1"

// allowedImports are quern.log and the WASI functions that the stock Go toolchain links into a reactor that uses no
// files: the first ten into every one, the others with os, which comes with fmt. The host serves them without a
// world behind: a clock that counts its readings, fixed random bytes, no files.
var allowedImports = []allowedImport{
	{"quern", "log", form("iii:"), 2, perHostByte},
	{wasi, "args_get", form("ii:i"), -1, 0},
	{wasi, "args_sizes_get", form("ii:i"), -1, 0},
	{wasi, "clock_time_get", form("ili:i"), -1, 0},
	{wasi, "environ_get", form("ii:i"), -1, 0},
	{wasi, "environ_sizes_get", form("ii:i"), -1, 0},
	{wasi, "fd_write", form("iiii:i"), 2, perHostItem},
	{wasi, "poll_oneoff", form("iiii:i"), 2, perHostItem},
	{wasi, "proc_exit", form("i:"), -1, 0},
	{wasi, "random_get", form("ii:i"), 1, perHostByte},
	{wasi, "sched_yield", form(":i"), -1, 0},
	{wasi, "fd_close", form("i:i"), -1, 0},
	{wasi, "fd_read", form("iiii:i"), 2, perHostItem},
	{wasi, "fd_fdstat_get", form("ii:i"), -1, 0},
	{wasi, "fd_fdstat_set_flags", form("ii:i"), -1, 0},
	{wasi, "fd_prestat_dir_name", form("iii:i"), 2, perHostByte},
	{wasi, "fd_prestat_get", form("ii:i"), -1, 0},
}

// form reads a signature as "parameters:results", i for i32 and l for i64.
func form(s string) signature {
	types := strings.NewReplacer("i", string(rune(typeI32)), "l", string(rune(typeI64)))
	params, results, _ := strings.Cut(s, ":")
	return signature{[]byte(types.Replace(params)), []byte(types.Replace(results))}
}

func allowed(module, name string) (allowedImport, bool) {
	for _, a := range allowedImports {
		if a.module == module && a.name == name {
			return a, true
		}
	}
	return allowedImport{}, false
}

// An abiExport is a function of the policy ABI.
type abiExport struct {
	name      string
	signature signature
	required  bool
	point     bool // one of the points, of which at least one is required
}

var abiExports = []abiExport{
	{"quern_abi", form(":i"), true, false},
	{"quern_manifest", form(":i"), true, false},
	{"quern_reserve", form("i:i"), true, false},
	{"quern_configure", form("ii:i"), true, false},
	{"quern_error", form(":i"), false, false},
	{"quern_dictionary", form("ii:i"), false, false},
	{"_initialize", form(":"), false, false},
	{"queue_order", form("i:i"), false, true},
	{"app_order", form("i:i"), false, true},
	{"ask_order", form("i:i"), false, true},
	{"node_score", form("i:i"), false, true},
	{"node_filter", form("i:i"), false, true},
	{"victim_rank", form("i:i"), false, true},
}

const memoryExport = "memory"

// policy checks the imports and exports of a module against the policy ABI.
func (m *module) policy() *Error {
	for _, im := range m.imports {
		a, known := allowed(im.module, im.name)
		if !known {
			return m.refuse("import", im.offset, CodeImport, "%q %q is not among the functions that a policy may import", im.module, im.name)
		}
		if s := m.types[im.typ]; !s.equal(a.signature) {
			return m.refuse("import", im.offset, CodeImport, "%q %q has the signature %v, expected %v", im.module, im.name, s, a.signature)
		}
	}
	return m.policyExports()
}

func (m *module) policyExports() *Error {
	if e, found := m.export(memoryExport); !found {
		return m.refuse("", 0, CodeMissingExport, "no export %q, the memory that frames live in", memoryExport)
	} else if e.kind != kindMemory {
		return m.refuse("export", e.offset, CodeBadSignature, "export %q is a %s, expected a memory", e.name, kindNames[e.kind])
	}
	points := 0
	for _, want := range abiExports {
		e, found := m.export(want.name)
		if !found && want.required {
			return m.refuse("", 0, CodeMissingExport, "no export %q, expected a function %v", want.name, want.signature)
		}
		if !found {
			continue
		}
		if e.kind != kindFunc {
			return m.refuse("export", e.offset, CodeBadSignature, "export %q is a %s, expected a function %v", e.name, kindNames[e.kind], want.signature)
		}
		if s := m.signature(e.index); !s.equal(want.signature) {
			return m.refuse("export", e.offset, CodeBadSignature, "function %q has the signature %v, expected %v", e.name, s, want.signature)
		}
		if want.point {
			points++
		}
	}
	if points == 0 {
		return m.refuse("", 0, CodeMissingExport, "no point is exported, expected at least one of %s", pointNames())
	}
	return nil
}

func pointNames() string {
	var names []string
	for _, e := range abiExports {
		if e.point {
			names = append(names, e.name)
		}
	}
	return strings.Join(names, ", ")
}

func (m *module) export(name string) (export, bool) {
	for _, e := range m.exports {
		if e.name == name {
			return e, true
		}
	}
	return export{}, false
}
