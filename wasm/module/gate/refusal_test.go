package gate

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

// policyModule is the smallest policy: every required export and one point.
func policyModule(change func(*builder)) []byte {
	b := &builder{memory: []byte{0, 1}}
	b.importFunc("quern", "log", "iii:")
	for _, e := range abiExports {
		if e.required || e.name == "node_score" {
			index := len(b.imports) + len(b.funcs)
			b.types = append(b.types, e.signature)
			b.funcs = append(b.funcs, len(b.types)-1)
			b.bodies = append(b.bodies, join(0, i32(0), 0x0b))
			b.export(e.name, kindFunc, index)
		}
	}
	b.export("memory", kindMemory, 0)
	if change != nil {
		change(b)
	}
	return b.bytes()
}

// code is a policy with one more function.
func withCode(locals []byte, code ...any) []byte {
	return policyModule(func(b *builder) { b.function("", ":", locals, code...) })
}

// raw is a module of sections as they are given.
func raw(sections ...[]byte) []byte { return append(bytes.Clone(header), bytes.Join(sections, nil)...) }

func TestAPolicyPasses(t *testing.T) {
	if _, err := Bound(policyModule(nil), Limits{}); err != nil {
		t.Fatal(err)
	}
}

func TestRefusals(t *testing.T) {
	types := rawSection(sectionType, join(1, 0x60, 0, 0))
	small := Limits{Bytes: 1 << 20, Types: 40, Params: 4, Imports: 2, Functions: 20, Tables: 1, TableElements: 10, Globals: 2, Exports: 12,
		Elements: 4, Data: 2, Locals: 8, Depth: 5, Targets: 3, Code: 400, Body: 200, Complexity: 30000, Pages: 2}
	nop := func(n int) []byte { return bytes.Repeat([]byte{0x01}, n) }
	for _, c := range []struct {
		name string
		code Code
		text string // part of the error
		file []byte
	}{
		{"a file that is too long", CodeTooLarge, "at most 1048576 are allowed", make([]byte, 1<<20+1)},
		{"text", CodeBadMagic, "a module begins with the bytes 00 61 73 6d, this one with 68 65 6c 6c", []byte("hello, world")},
		{"nothing", CodeBadMagic, "a module begins with", nil},
		{"a component", CodeBadVersion, "0d 00 01 00, expected 01 00 00 00", []byte("\x00asm\x0d\x00\x01\x00")},
		{"half a header", CodeTruncated, "ended before the version", []byte("\x00asm\x01")},
		{"half a section", CodeTruncated, "section 1 says 9 bytes, 1 are left", raw([]byte{1, 9, 0})},
		{"a section that lies about its count", CodeTruncated, "type section, byte 0xa: truncated: 30 types do not fit the 1 bytes left", raw([]byte{1, 2, 30, 0})},
		{"a number of six bytes", CodeBadNumber, "longer than 32 bits need", raw([]byte{1, 0x80, 0x80, 0x80, 0x80, 0x80, 0})},
		{"a number out of range", CodeBadNumber, "does not fit 32 bits", raw([]byte{1, 0xff, 0xff, 0xff, 0xff, 0x1f})},
		{"a negative constant out of range", CodeBadNumber, "a constant does not fit 32 bits", withCode(nil, 0x41, 0xff, 0xff, 0xff, 0xff, 0x4f, 0x1a)},
		{"a name that is not UTF-8", CodeBadName, "the name of a custom section is not UTF-8", raw(rawSection(0, []byte{1, 0xff}))},
		{"a section twice", CodeSectionOrder, "section 1 is unknown, twice there or out of order", raw(types, types)},
		{"sections out of order", CodeSectionOrder, "section 1 is unknown, twice", raw(rawSection(sectionFunction, []byte{0}), types)},
		{"a section of tags", CodeSectionOrder, "section 13 is unknown", raw(rawSection(13, []byte{0}))},
		{"junk in a section", CodeSectionSize, "type section, byte 0xe: section-size: 2 bytes are left over", raw(rawSection(1, join(1, 0x60, 0, 0, 7, 7)))},
		{"junk behind the end of a body", CodeSectionSize, "1 bytes are left over", withCode(nil, 0x0b)},
		{"functions without bodies", CodeBadCount, "1 functions are declared, 0 have a body", raw(types, rawSection(3, []byte{1, 0}))},
		{"bodies without functions", CodeBadCount, "0 functions are declared, 1 have a body", raw(types, rawSection(10, []byte{1, 2, 0, 0x0b}))},
		{"a data segment without its count", CodeBadCount, "without a data count section", withCode(nil, 0xfc, 9, 0)},
		{"data that was announced", CodeBadCount, "1 data segments are announced, there are none", raw(rawSection(sectionCount, []byte{1}))},
		{"a structure type", CodeBadType, "type 0 is no function type", raw(rawSection(1, []byte{1, 0x5f, 0}))},
		{"an unknown value type", CodeBadType, "unknown value type 0x64", raw(rawSection(1, []byte{1, 0x60, 1, 0x64, 0}))},
		{"a maximum below the minimum", CodeBadCount, "the maximum 1 is below the minimum 2", policyModule(func(b *builder) { b.memory = []byte{1, 2, 1} })},
		{"a local that is not there", CodeBadIndex, "local 2 is named, there are 2", withCode([]byte{typeI64, typeI64}, 0x20, 2, 0x1a)},
		{"the global of the counter", CodeBadIndex, "global 0 is named, there are 0", withCode(nil, 0x42, 0, 0x24, 0)},
		{"a function that will be added", CodeBadIndex, "function 7 is named, there are 7", withCode(nil, 0x10, 7)},
		{"a table that is not there", CodeBadIndex, "table 0 is named", withCode(nil, i32(0), 0x11, 0, 0)},
		{"a second memory in an instruction", CodeBadIndex, "memory 1 is named, expected 0", withCode(nil, 0x3f, 1, 0x1a)},
		{"a global that is computed", CodeBadExpression, "more than one instruction", policyModule(func(b *builder) { b.globals = [][]byte{join(typeI32, 0, i32(1), i32(2), 0x6a, 0x0b)} })},
		{"a global that is loaded", CodeBadExpression, "instruction 0x28 is no constant", policyModule(func(b *builder) { b.globals = [][]byte{join(typeI32, 0, 0x28, 2, 0, 0x0b)} })},
		{"else without if", CodeBadNesting, "else without if", withCode(nil, 0x02, 0x40, 0x05, 0x0b)},
		{"a branch too far", CodeBadNesting, "a branch leaves 2 blocks, 1 are open", withCode(nil, 0x0c, 1)},
		{"a block that stays open", CodeTruncated, "the body ended with 1 blocks open", withCode(nil, 0x02, 0x40)},
		{"a tail call", CodeForbidden, "code section, function 6, byte ", withCode(nil, 0x12, 0)},
		{"a tail call, by opcode", CodeForbidden, "instruction 0x12 is unknown or not allowed", withCode(nil, 0x12, 0)},
		{"an exception", CodeForbidden, "instruction 0x8 is", withCode(nil, 0x08, 0)},
		{"an atomic instruction", CodeForbidden, "instruction 0xfe is", withCode(nil, 0xfe, 3, 0)},
		{"an object", CodeForbidden, "instruction 0xfb is", withCode(nil, 0xfb, 0, 0)},
		{"a relaxed vector instruction", CodeForbidden, "instruction 0xfd 0x100 is", withCode(nil, 0xfd, 0x80, 2)},
		{"an undefined vector instruction", CodeForbidden, "instruction 0xfd 0x9a is", withCode(nil, 0xfd, 0x9a, 1)},
		{"an undefined bulk instruction", CodeForbidden, "instruction 0xfc 0x12 is", withCode(nil, 0xfc, 18)},
		{"an imported memory", CodeImport, `"env" "memory" has kind 2, only functions may be imported`, raw(rawSection(2, join(1, appendName(appendName(nil, "env"), "memory"), 2, 0, 1)))},
		{"a function of the world", CodeImport, `"wasi_snapshot_preview1" "path_open" is not among`, policyModule(func(b *builder) { b.importFunc(wasi, "path_open", ":") })},
		{"an import with another signature", CodeImport, `"wasi_snapshot_preview1" "random_get" has the signature (i32)->i32, expected (i32,i32)->i32`, policyModule(func(b *builder) { b.importFunc(wasi, "random_get", "i:i") })},
		{"two memories", CodeMemory, "2 memories, at most one", raw(rawSection(5, []byte{2, 0, 1, 0, 1}))},
		{"a shared memory", CodeMemory, "flags 0x3, shared", raw(rawSection(5, []byte{1, 3, 1, 1}))},
		{"a memory of 64 bits", CodeMemory, "flags 0x4", raw(rawSection(5, []byte{1, 4, 1}))},
		{"a memory beyond 32 bits", CodeMemory, "is 65537 pages", policyModule(func(b *builder) { b.memory = append([]byte{1, 1}, appendU32(nil, 65537)...) })},
		{"a large memory", CodeMemoryTooLarge, "memory starts with 3 pages of 64 KiB, at most 2 are allowed", policyModule(func(b *builder) { b.memory = []byte{0, 3} })},
		{"a large table", CodeTableTooLarge, "table 0 starts with 11 elements, 10 of 10 are left", policyModule(func(b *builder) { b.tables = [][]byte{{typeFuncref, 0, 11}} })},
		{"types", CodeTooManyTypes, "41 types, at most 40", raw(rawSection(1, append([]byte{41}, make([]byte, 99)...)))},
		{"parameters", CodeTooManyParams, "5 parameters, at most 4", raw(rawSection(1, join(1, 0x60, 5, 127, 127, 127, 127, 127, 0)))},
		{"results", CodeTooManyParams, "5 results, at most 4", raw(rawSection(1, join(1, 0x60, 0, 5, 127, 127, 127, 127, 127)))},
		{"imports", CodeTooManyImports, "3 imports, at most 2", raw(rawSection(2, append([]byte{3}, make([]byte, 99)...)))},
		{"functions", CodeTooManyFuncs, "21 functions, at most 20", raw(rawSection(3, append([]byte{21}, make([]byte, 99)...)))},
		{"tables", CodeTooManyTables, "2 tables, at most 1", raw(rawSection(4, append([]byte{2}, make([]byte, 99)...)))},
		{"globals", CodeTooManyGlobals, "3 globals, at most 2", raw(rawSection(6, append([]byte{3}, make([]byte, 99)...)))},
		{"exports", CodeTooManyExports, "13 exports, at most 12", raw(rawSection(7, append([]byte{13}, make([]byte, 99)...)))},
		{"element segments", CodeTooManyElems, "5 element segments, at most 4", raw(rawSection(9, append([]byte{5}, make([]byte, 99)...)))},
		{"elements", CodeTooManyElems, "5 elements, at most 4", policyModule(func(b *builder) { b.elements = [][]byte{{1, 0, 5, 0, 0, 0, 0, 0}} })},
		{"data segments", CodeTooManyData, "3 data segments, at most 2", raw(rawSection(11, append([]byte{3}, make([]byte, 99)...)))},
		{"locals", CodeTooManyLocals, "4294967295 locals, at most 8", policyModule(func(b *builder) {
			b.function("", ":", nil)
			b.bodies[len(b.bodies)-1] = join(1, appendU32(nil, 1<<32-1), typeI32, 0x0b)
		})},
		{"locals in groups that overflow", CodeTooManyLocals, "8589934590 locals, at most 8", policyModule(func(b *builder) {
			b.function("", ":", nil)
			b.bodies[len(b.bodies)-1] = join(2, appendU32(nil, 1<<32-1), typeI32, appendU32(nil, 1<<32-1), typeI32, 0x0b)
		})},
		{"branch targets", CodeTooManyTargets, "4 branch targets, at most 3", withCode(nil, i32(0), 0x0e, 4, 0, 0, 0, 0, 0)},
		{"nesting", CodeTooDeep, "blocks are nested deeper than 5", withCode(nil, bytes.Repeat([]byte{0x02, 0x40}, 6), bytes.Repeat([]byte{0x0b}, 6))},
		{"code", CodeCodeTooLarge, "at most 400 are allowed", policyModule(func(b *builder) {
			for range 3 {
				b.function("", ":", nil, nop(150))
			}
		})},
		{"a body", CodeBodyTooLarge, "the body has 252 bytes, at most 200", withCode(nil, nop(250))},
		{"complexity", CodeTooComplex, "basic blocks", withCode(nil, bytes.Repeat([]byte{0x03, 0x40, 0x0b}, 60))},
		{"two exports of a name", CodeDuplicate, `two exports are named "memory"`, policyModule(func(b *builder) { b.export("memory", kindMemory, 0) })},
		{"an export named like the counter", CodeReservedName, `"quern_fuel" belongs to the fuel counter`, policyModule(func(b *builder) { b.export("quern_fuel", kindFunc, 0) })},
		{"no memory", CodeMissingExport, `no export "memory"`, raw()},
		{"no manifest", CodeMissingExport, `no export "quern_manifest", expected a function ()->i32`, policyModule(func(b *builder) { b.exports = append(b.exports[:1], b.exports[2:]...) })},
		{"no point", CodeMissingExport, "no point is exported, expected at least one of queue_order, app_order", policyModule(func(b *builder) { b.exports = append(b.exports[:4], b.exports[5:]...) })},
		{"a point with another signature", CodeBadSignature, `function "app_order" has the signature (i32,i32)->i32, expected (i32)->i32`, policyModule(func(b *builder) { b.function("app_order", "ii:i", nil, i32(0)) })},
		{"a point that is a memory", CodeBadSignature, `export "app_order" is a memory, expected a function (i32)->i32`, policyModule(func(b *builder) { b.export("app_order", kindMemory, 0) })},
		{"a memory that is a function", CodeBadSignature, `export "memory" is a function, expected a memory`, policyModule(func(b *builder) { b.exports = b.exports[:5]; b.export("memory", kindFunc, 1) })},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, err := Bound(c.file, small)
			var refusal *Error
			if !errors.As(err, &refusal) {
				t.Fatalf("accepted with %d bytes, expected %s", len(out), c.code)
			}
			if refusal.Code != c.code || !strings.Contains(err.Error(), c.text) {
				t.Errorf("%v\nexpected %s with %q", err, c.code, c.text)
			}
		})
	}
}
