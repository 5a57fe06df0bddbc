package wazero_test

import (
	"bytes"
	"math"
	"strings"
	"time"

	"github.com/quern-project/quern/sdk/abi"
)

// does is the good module whose score is this code instead.
func does(code ...any) []byte {
	return goodFile().function("node_score", takesOne, nil, code...).bytes()
}

// starts is the good module with a start function.
func startsWith(code ...any) []byte {
	f := goodFile().function("", takesNothing, nil, code...)
	f.start = number(len(f.items[functions]) - 1)
	return f.bytes()
}

// imported is an entry of the import section.
func imported(module, name string, description ...any) []byte {
	return bytesOf(named(module), named(name), bytesOf(description...))
}

// adding is the good module with one more item in a section.
func adding(section byte, item ...any) []byte {
	return goodFile().add(section, bytesOf(item...)).bytes()
}

// gateCases are what must never get to a compiler, or is refused by it.
func gateCases() []hostile {
	good := goodFile().bytes()
	cases := []hostile{
		{name: "empty file", file: []byte{}, reason: "bad-magic"},
		{name: "text file", file: []byte("#!/bin/sh\nrm -rf /\n"), reason: "bad-magic: a module begins with the bytes 00 61 73 6d, this one with 23 21 2f 62"},
		{name: "header alone", file: good[:8], reason: `missing-export: no export "memory"`},
		{name: "component", file: bytesOf(good[:4], 0x0d, 0, 1, 0), reason: "bad-version"},
		{name: "cut in half", file: good[:len(good)/2], reason: "truncated"},
		{name: "rubbish behind", file: bytesOf(good, "rubbish"), reason: "truncated: section 114 says 117 bytes, 5 are left"},
		{name: "twice", file: bytesOf(good, good[8:]), reason: "section-order"},
		{name: "9 MiB of custom sections", file: adding(customs, named("x"), make([]byte, 9<<20)), reason: "too-large"},
		{name: "memory imported", file: bytesOf(goodFile(imported("env", "memory", 2, 0, 1)).bytes()), reason: "forbidden-import"},
		{name: "table imported", file: goodFile(imported("env", "table", 1, 0x70, 0, 1)).bytes(), reason: "forbidden-import"},
		{name: "global imported", file: goodFile(imported("env", "base", 3, 0x7f, 0)).bytes(), reason: "forbidden-import"},
		{name: "fuel imported", file: goodFile(imported("quern", "quern_fuel", 3, 0x7e, 1)).bytes(), reason: "forbidden-import"},
		{name: "fuel exported", file: goodFile().add(globals, bytesOf(0x7e, 1, 0x42, 0, 0x0b)).add(exports, bytesOf(named("quern_fuel"), 3, 0)).bytes(), reason: "reserved-name"},
		{name: "fuel exported as a function", file: adding(exports, named("quern_fuel"), 0, 0), reason: "reserved-name"},
		{name: "fuel set by its index", file: does(0x42, constant(-1)[1:], 0x24, 0, constant(0)), reason: "bad-index"},
		{name: "function behind the last called", file: does(constant(0), 0x10, 5), reason: "bad-index"},
		{name: "local of the meter set", file: does(0x42, 0, 0x21, 1, constant(0)), reason: "bad-index"},
		{name: "memory shared", file: goodFile().set(memories, bytesOf(3, 8, 16)).bytes(), reason: "forbidden-memory"},
		{name: "memory of 64 bits", file: goodFile().set(memories, bytesOf(4, 8)).bytes(), reason: "forbidden-memory"},
		{name: "two memories", file: adding(memories, 0, 1), reason: "forbidden-memory"},
		{name: "memory of 4 GiB", file: goodFile().set(memories, bytesOf(0, number(65536))).bytes(), reason: "memory-too-large"},
		{name: "table of 4 billion", file: adding(tables, 0x70, 0, number(math.MaxUint32)), reason: "table-too-large"},
		{name: "five tables", file: goodFile().set(tables, bytes.Split(bytes.Repeat([]byte{0x70, 0, 1, '|'}, 5), []byte("|"))[:5]...).bytes(), reason: "too-many-tables"},
		{name: "relaxed SIMD", file: does(0xfd, number(0x101), constant(0)), reason: "forbidden-instruction"},
		{name: "atomics", file: does(constant(0), constant(0), 0xfe, 0x1e, 2, 0), reason: "forbidden-instruction"},
		{name: "exceptions", file: does(0x06, 0x40, 0x0b, constant(0)), reason: "forbidden-instruction"},
		{name: "throw", file: does(0x08, 0), reason: "forbidden-instruction"},
		{name: "tags", file: bytesOf(good, 13, 3, 1, 0, 3), reason: "section-order"},
		{name: "tail call", file: does(0x12, 0), reason: "forbidden-instruction"},
		{name: "garbage collection", file: does(0xfb, 0, 0), reason: "forbidden-instruction"},
		{name: "4 billion locals", file: goodFile().function("node_score", takesOne, bytesOf(1, number(math.MaxUint32), 0x7f), constant(0)).bytes(), reason: "too-many-locals"},
		{name: "many groups of locals", file: goodFile().function("node_score", takesOne, bytesOf(number(2000), bytes.Repeat(bytesOf(number(math.MaxUint32), 0x7e), 2000)), constant(0)).bytes(), reason: "too-many-locals"},
		{name: "br_table of 4 billion", file: does(constant(0), 0x0e, number(math.MaxUint32), 0), reason: "too-many-targets"},
		{name: "br_table of 5,000", file: does(constant(0), 0x0e, number(5000), make([]byte, 5001)), reason: "too-many-targets"},
		{name: "20,000 functions", file: manyFunctions(20_000), reason: "too-many-functions"},
		{name: "5,000 blocks in each other", file: does(bytes.Repeat([]byte{0x02, 0x40}, 5000), bytes.Repeat([]byte{0x0b}, 5000), constant(0)), reason: "too-deep"},
		{name: "function of 300 KB", file: does(bytes.Repeat([]byte{0x01}, 300_000), constant(0)), reason: "body-too-large"},
		{name: "4 billion types", file: bytesOf(good[:8], 1, 5, number(math.MaxUint32)), reason: "too-many-types"},
		{name: "4 billion functions", file: bytesOf(good[:8], 3, 5, number(math.MaxUint32)), reason: "too-many-functions"},
		{name: "4 billion elements", file: adding(elements, 1, 0, number(math.MaxUint32)), reason: "too-many-elements"},
		{name: "export twice", file: adding(exports, named("node_score"), 0, 0), reason: "duplicate-export"},
		{name: "memory that is a function", file: func() []byte { f := goodFile(); f.items[exports][0] = bytesOf(named("memory"), 0, 0); return f.bytes() }(), reason: "bad-signature"},
		{name: "point that is a memory", file: func() []byte {
			f := goodFile()
			f.items[exports][5] = bytesOf(named("node_score"), 2, 0)
			return f.bytes()
		}(), reason: "bad-signature"},
		{name: "point with another signature", file: adding(exports, named("node_filter"), 0, 0), reason: `bad-signature: function "node_filter" has the signature ()->i32, expected (i32)->i32`},
		{name: "no point", file: func() []byte { f := goodFile(); f.items[exports] = f.items[exports][:5]; return f.bytes() }(), reason: "missing-export: no point is exported"},
		{name: "no quern_reserve", file: func() []byte {
			f := goodFile()
			f.items[exports][3] = bytesOf(named("reserve"), 0, 2)
			return f.bytes()
		}(), reason: `missing-export: no export "quern_reserve"`},
		{name: "segment without a table", file: adding(elements, 0, constant(0), 0x0b, 1, 0), reason: "bad-index"},
		{name: "export of nothing", file: adding(exports, named("x"), 0, 99), reason: "bad-index"},
		{name: "name that is not UTF-8", file: adding(exports, named("\xff\xfe"), 0, 0), reason: "bad-name"},
		{name: "number that is too long", file: bytesOf(good[:8], 1, 0x80, 0x80, 0x80, 0x80, 0x80, 0), reason: "bad-number"},
		{name: "blocks that do not match", file: does(0x0b, 0x0b, constant(0)), reason: "section-size"},
	}
	for i := range cases {
		cases[i].stop = atGate
	}
	return append(cases,
		hostile{name: "custom section with huge counts", file: adding(customs, named("name"), 1, number(100), number(math.MaxUint32), bytes.Repeat([]byte{0xff}, 95)), stop: nowhere, answers: double},
		hostile{name: "name of 1 MiB", file: adding(customs, named("name"), 0, number(1<<20+3), named(strings.Repeat("n", 1<<20))), stop: nowhere, answers: double},
		hostile{name: "debug information that is none", file: adding(customs, named(".debug_info"), bytes.Repeat([]byte{0xff}, 1000)), stop: nowhere, answers: double},
		hostile{name: "wrong types", file: does(0x42, 0), stop: atCompile, reason: "the file is not a valid WebAssembly module: invalid function[4]"},
		hostile{name: "nothing on the stack", file: does(0x6a), stop: atCompile, reason: "the file is not a valid WebAssembly module: invalid function[4]"},
		hostile{name: "start function with parameters", file: func() []byte { f := goodFile(); f.start = number(3); return f.bytes() }(), stop: atCompile, reason: "the file is not a valid WebAssembly module"},
		hostile{name: "data outside of memory", file: adding(datas, 0, constant(8<<16-1), 0x0b, named("four")), stop: atStart, reason: "start: data[1]: out of bounds memory access"},
		hostile{name: "data at -1", file: adding(datas, 0, constant(-1), 0x0b, named("four")), stop: atStart, reason: "start: data[1]: out of bounds memory access"},
		hostile{name: "elements outside of the table", file: goodFile().add(tables, bytesOf(0x70, 0, 1)).add(elements, bytesOf(0, constant(9), 0x0b, 1, 0)).bytes(), stop: nowhere, answers: double},
	)
}

// manyFunctions is the good module with so many more.
func manyFunctions(n int) []byte {
	f := goodFile()
	for range n {
		f.function("", takesNothing, nil)
	}
	return f.bytes()
}

// rawCases are modules whose instructions no compiler of C makes.
func rawCases() []hostile {
	fuelOut := "node_score: it used up its fuel"
	table := func(code ...any) []byte {
		return goodFile().add(tables, bytesOf(0x70, 0, 10)).add(elements, bytesOf(0, constant(1), 0x0b, 2, 0, 1)).function("node_score", takesOne, nil, code...).bytes()
	}
	always := func(code ...any) []byte { return table(0x03, 0x40, bytesOf(code...), 0x0c, 0, 0x0b, 0) }
	return []hostile{
		{name: "unreachable", file: does(0), stop: atTrial, reason: "node_score: it trapped: unreachable"},
		{name: "division by zero", file: does(constant(1), constant(0), 0x6d), stop: atTrial, reason: "node_score: it trapped: integer divide by zero"},
		{name: "overflow of a division", file: does(constant(math.MinInt32), constant(-1), 0x6d), stop: atTrial, reason: "node_score: it trapped: integer overflow"},
		{name: "NaN as a whole number", file: does(0x44, 0, 0, 0, 0, 0, 0, 0xf8, 0x7f, 0xaa), stop: atTrial, reason: "node_score: it trapped: invalid conversion to integer"},
		{name: "load at -1", file: does(constant(-1), 0x28, 2, 0), stop: atTrial, reason: "node_score: it trapped: out of bounds memory access"},
		{name: "load with a large offset", file: does(constant(-1), 0x28, 2, number(math.MaxUint32)), stop: atTrial, reason: "node_score: it trapped: out of bounds memory access"},
		{name: "call of another signature", file: table(constant(1), 0x11, takesNothing, 0, constant(0)), stop: atTrial, reason: "node_score: it trapped: indirect call type mismatch"},
		{name: "call of null", file: table(constant(5), 0x11, answersAddress, 0), stop: atTrial, reason: "node_score: it trapped: invalid table access"},
		{name: "call outside of the table", file: table(constant(-1), 0x11, answersAddress, 0), stop: atTrial, reason: "node_score: it trapped: invalid table access"},
		{name: "table.grow for ever", file: always(0xd0, 0x70, constant(1), 0xfc, 15, 0, 0x1a), stop: atTrial, reason: fuelOut},
		{name: "table.grow by 4 billion", file: table(0xd0, 0x70, constant(-1), 0xfc, 15, 0), stop: atTrial, reason: fuelOut},
		{name: "table.fill for ever", file: always(constant(0), 0xd0, 0x70, constant(10), 0xfc, 17, 0), stop: atTrial, reason: fuelOut},
		{name: "table.fill past the end", file: table(constant(0), 0xd0, 0x70, constant(999), 0xfc, 17, 0, constant(0)), stop: atTrial, reason: "node_score: it trapped: invalid table access"},
		{name: "table.copy for ever", file: always(constant(0), constant(1), constant(9), 0xfc, 14, 0, 0), stop: atTrial, reason: fuelOut},
		{name: "table.get past the end", file: table(constant(-1), 0x25, 0, 0x1a, constant(0)), stop: atTrial, reason: "node_score: it trapped: invalid table access"},
		// What follows takes several nanoseconds for a unit of fuel, and so longer than it should. BenchmarkFuel shows them.
		{name: "ref.func for ever", file: always(0xd2, 0, 0x1a), stop: atTrial, reason: fuelOut},
		{name: "square roots for ever", file: arithmetic(0x9f), stop: atTrial, reason: fuelOut},
		// The quotients become denormal, which some processors take a hundred nanoseconds for.
		{name: "divisions for ever", file: arithmetic(0x44, 0, 0, 0, 0, 0, 0, 0xf5, 0x3f, 0xa3), stop: atTrial, reason: fuelOut, slow: slowest},
		{name: "roots of vectors for ever", file: goodFile().function("node_score", takesOne, bytesOf(1, 1, 0x7b), 0x03, 0x40, 0x20, 1, bytes.Repeat(bytesOf(0xfd, number(0xef)), 500), 0x21, 1, 0x0c, 0, 0x0b, 0).bytes(), stop: atTrial, reason: fuelOut},
		{name: "memory.init past the end", file: func() []byte {
			f := goodFile().function("node_score", takesOne, nil, constant(0), constant(0), constant(100_000), 0xfc, 8, 1, 0, constant(0)).add(datas, bytesOf(1, named("four")))
			return withDataCount(f.bytes(), 2)
		}(), stop: atTrial, reason: "node_score: it trapped: out of bounds memory access"},
		{name: "memory.init for ever", file: func() []byte {
			f := goodFile().function("node_score", takesOne, nil, 0x03, 0x40, constant(0), constant(0), constant(4096), 0xfc, 8, 1, 0, 0x0c, 0, 0x0b, 0).add(datas, bytesOf(1, number(4096), make([]byte, 4096)))
			return withDataCount(f.bytes(), 2)
		}(), stop: atTrial, reason: fuelOut},
		{name: "start function traps", file: startsWith(0), stop: atStart, reason: "start: start function[5] failed: wasm error: unreachable, or it used up its fuel of 50000000"},
		{name: "start function without end", file: startsWith(0x03, 0x40, 0x0c, 0, 0x0b), stop: atStart, reason: "or it used up its fuel of 50000000"},
		{name: "start function fills all memory and traps", file: startsWith(0x41, 0, 0x41, 1, constant(8<<16), 0xfc, 11, 0, 0), stop: atStart, reason: "start: start function[5] failed"},
		{name: "quern_abi is the host's", file: func() []byte {
			f := goodFile(imported("wasi_snapshot_preview1", "sched_yield", 0, answersAddress))
			f.items[exports][1] = bytesOf(named("quern_abi"), 0, 0)
			return f.bytes()
		}(), stop: atManifest, reason: "quern_abi: expected version 1.0 to 1.3 of the ABI, found 0.0"},
		{name: "_initialize is the host's proc_exit", file: func() []byte {
			f := goodFile(imported("wasi_snapshot_preview1", "proc_exit", 0, 4))
			f.add(types, bytesOf(0x60, 1, 0x7f, 0))
			f.function(abi.ExportInitialize, takesNothing, nil, constant(0), 0x10, 0)
			return f.bytes()
		}(), stop: atStart, reason: "start: _initialize: it ended itself"},
		{name: "start function is the host's proc_exit", file: func() []byte {
			f := goodFile(imported("wasi_snapshot_preview1", "proc_exit", 0, 4))
			f.add(types, bytesOf(0x60, 1, 0x7f, 0))
			f.function("", takesNothing, nil, constant(0), 0x10, 0)
			f.start = number(6)
			return f.bytes()
		}(), stop: atStart, reason: "start: it ended itself"},
		{name: "proc_exit through a table", file: func() []byte {
			f := goodFile(imported("wasi_snapshot_preview1", "proc_exit", 0, 4))
			f.add(types, bytesOf(0x60, 1, 0x7f, 0)).add(tables, bytesOf(0x70, 0, 1)).add(elements, bytesOf(0, constant(0), 0x0b, 1, 0))
			f.function("node_score", takesOne, nil, constant(0), constant(0), 0x11, 4, 0, constant(0))
			return f.bytes()
		}(), stop: atTrial, reason: "node_score: it ended itself"},
		{name: "log through a table for ever", file: func() []byte {
			f := goodFile(imported("quern", "log", 0, 4))
			f.add(types, bytesOf(0x60, 3, 0x7f, 0x7f, 0x7f, 0)).add(tables, bytesOf(0x70, 0, 1)).add(elements, bytesOf(0, constant(0), 0x0b, 1, 0))
			f.function("node_score", takesOne, nil, 0x03, 0x40, constant(0), constant(0), constant(500), constant(0), 0x11, 4, 0, 0x0c, 0, 0x0b, 0)
			return f.bytes()
		}(), stop: atTrial, reason: fuelOut},
		{name: "table and functions exported", file: goodFile().add(tables, bytesOf(0x70, 0, 10)).add(exports, bytesOf(named("__indirect_function_table"), 1, 0)).add(exports, bytesOf(named("malloc"), 0, 2)).bytes(), stop: nowhere, answers: double},
		{name: "15,000 functions", file: manyFunctions(15_000), stop: nowhere, answers: double},
		{name: "4,000 blocks in each other", file: goodFile().function("node_score", takesOne, bytesOf(1, 2, 0x7f), bytes.Repeat([]byte{0x02, 0x40}, 4000), bytes.Repeat([]byte{0x0b}, 4000), twice).bytes(), stop: nowhere, answers: double},
		{name: "2,000 locals", file: goodFile().function("node_score", takesOne, bytesOf(1, number(2000), 0x7f), twice).bytes(), stop: nowhere, answers: double},
		{name: "memory of 16 MiB", file: goodFile().set(memories, bytesOf(0, number(256))).bytes(), stop: nowhere, answers: double},
		{name: "memory of 16 MiB and a page", file: goodFile().set(memories, bytesOf(0, number(257))).bytes(), stop: atGate, reason: "memory-too-large"},
	}
}

// slowest bounds calls of instructions that take longer than their fuel suggests: up to 60 ms on an idle machine.
const slowest = 600 * time.Millisecond

// arithmetic is the good module, but its score does this to a number for ever.
func arithmetic(code ...any) []byte {
	return goodFile().function("node_score", takesOne, bytesOf(1, 1, 0x7c),
		0x44, 0x55, 0x55, 0x55, 0x55, 0x55, 0x55, 0xf5, 0x7f-0x10, 0x21, 1,
		0x03, 0x40, 0x20, 1, bytes.Repeat(bytesOf(code...), 500), 0x21, 1, 0x0c, 0, 0x0b, 0).bytes()
}

// withDataCount puts a data count section before the code section.
func withDataCount(file []byte, n int) []byte {
	at := 8
	for file[at] != codes {
		size, width := uvarint(file[at+1:])
		at += 1 + width + size
	}
	return bytesOf(file[:at], 12, 1, n, file[at:])
}
