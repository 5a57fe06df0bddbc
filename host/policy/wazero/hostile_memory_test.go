package wazero_test

// grow makes a memory as large as it may be.
const grow = `while (__builtin_wasm_memory_size(0) < 64 && __builtin_wasm_memory_grow(0, 1) != (__SIZE_TYPE__)-1) {}
`

// reserve is another quern_reserve.
func reserve(name, body string, c hostile) hostile {
	c.name, c.flags, c.source = name, []string{"-DRESERVE"}, `u32 EXPORT(quern_reserve)(u32 bytes) { `+body+` }`+good
	return c
}

// sizes is a reserve that fails where it is told less than the host goes on to use.
const sizes = `static u32 asked; if (bytes < asked) return 0; asked = bytes; ` + grow + `if (bytes > 0x300000) return 0; return 0x100000;`

var memoryCases = []hostile{
	{name: "memory.grow for ever", source: `POINT(node_score) { for (;;) __builtin_wasm_memory_grow(0, 1); }`, stop: atTrial, reason: "node_score: it used up its fuel"},
	{name: "memory.grow by 4 GiB", source: `POINT(node_score) { return __builtin_wasm_memory_grow(0, 65535); }`, stop: atTrial, reason: "node_score: it used up its fuel"},
	{name: "memory.grow of nothing for ever", source: `POINT(node_score) { for (;;) __builtin_wasm_memory_grow(0, 0); }`, stop: atTrial, reason: "node_score: it used up its fuel"},
	{name: "memory.fill for ever", source: `POINT(node_score) { ` + grow + ` for (;;) { __builtin_memset((char *)0x100000, 1, 0x200000); __asm__ volatile("" ::: "memory"); } }`, stop: atTrial, reason: "node_score: it used up its fuel"},
	{name: "memory.copy for ever", source: `POINT(node_score) { ` + grow + ` for (;;) { __builtin_memmove((char *)0x100000, (char *)0x200001, 0x100000); __asm__ volatile("" ::: "memory"); } }`, stop: atTrial, reason: "node_score: it used up its fuel"},
	{name: "memory.fill past the end", source: `POINT(node_score) { __builtin_memset((char *)0x10000, 1, 0x700000); __asm__ volatile("" ::: "memory"); return 0; }`, stop: atTrial, reason: "node_score: it trapped: out of bounds memory access"},
	{name: "each page touched", source: `POINT(node_score) { ` + grow + ` for (;;) for (u32 a = 0x100000; a < 0x400000; a += 4096) *(volatile u32 *)a = 1; }`, stop: atTrial, reason: "node_score: it used up its fuel", slow: slowest},
	{name: "load past the end", source: `POINT(node_score) { return *(volatile u32 *)0xfffffff0; }`, stop: atTrial, reason: "node_score: it trapped: out of bounds memory access"},
	{name: "store past the end", source: `POINT(node_score) { *(volatile u32 *)0x7ffffffc = 1; return 0; }`, stop: atTrial, reason: "node_score: it trapped: out of bounds memory access"},
	{name: "all memory erased", source: `POINT(node_score) { for (u32 a = 0; a < __builtin_wasm_memory_size(0) << 16; a += 4) *(volatile u32 *)a = 0; return 0; }`, stop: nowhere, answers: func(float64) float64 { return 0 }},

	reserve("reserve has no room", `return 0;`, hostile{stop: atConfigure, reason: "quern_reserve: it has no room for 2 bytes"}),
	reserve("reserve has room for configurations alone", `return bytes < 100 ? 0x8000 : 0;`, hostile{stop: atTrial, reason: "quern_reserve: it has no room for"}),
	reserve("reserve is not aligned", `return 0x10004;`, hostile{stop: atConfigure, reason: "quern_reserve: expected an address aligned to 64, found 65540"}),
	reserve("reserve is outside of memory", `return 0x7fff0000;`, hostile{stop: atConfigure, reason: "quern_reserve: expected 2 bytes at the address 2147418112, found a memory of"}),
	reserve("reserve wraps around", `return 0xffffffc0;`, hostile{stop: atConfigure, reason: "quern_reserve: expected 2 bytes at the address 4294967232"}),
	reserve("reserve ends outside of memory", `return (__builtin_wasm_memory_size(0) << 16) - 64;`, hostile{stop: atTrial, reason: "quern_reserve: expected 65536 bytes at the address 131008, found a memory of 131072"}),
	reserve("reserve is the stack", `return 64;`, hostile{stop: nowhere, answers: double}),
	reserve("reserve is its data", `return 0x10000;`, hostile{stop: nowhere}),
	reserve("reserve is elsewhere each time", `static u32 n; n++; `+grow+`return 0x100000 + (n % 7) * 0x40000;`, hostile{stop: nowhere, answers: double}),
	reserve("reserve grows each time", `return __builtin_wasm_memory_grow(0, (bytes >> 16) + 1) << 16;`, hostile{stop: nowhere, answers: double}),
	reserve("reserve traps the second time", `static volatile u32 n; if (n++) __builtin_trap(); `+grow+`return 0x100000;`, hostile{stop: atTrial, reason: "quern_reserve: it trapped: unreachable"}),

	reserve("reserve is told how many bytes", sizes, hostile{stop: nowhere, answers: double}),

	{name: "memory grows in a call", source: `POINT(node_score) { __builtin_wasm_memory_grow(0, 1); EACH(i) out[idx[i]] = 2 * COLUMN(0, idx[i]); return 0; }`, stop: nowhere, answers: double},
	{name: "memory grows to its limit in a call", source: `POINT(node_score) { while (__builtin_wasm_memory_grow(0, 8) != (__SIZE_TYPE__)-1) {} EACH(i) out[idx[i]] = 2 * COLUMN(0, idx[i]); return 0; }`, stop: atTrial, reason: "node_score: it used up its fuel"},
	{name: "memory grows in a call about siblings", source: `MANIFEST("{\"name\":\"m\",\"version\":\"1\",\"abi\":\"1.0\",\"points\":{\"queue.order\":{\"columns\":[\"used:vcore\"],\"keys\":1,\"depends\":\"siblings\"}}}")
		POINT(queue_order) { __builtin_wasm_memory_grow(0, 1); EACH(i) out[idx[i]] = 2 * COLUMN(0, idx[i]); return 0; }`, stop: nowhere, answers: double},
}
