package wazero_test

// answered answers well and goes on with something else.
func answered(then string) string {
	return `POINT(node_score) { EACH(i) out[idx[i]] = 2 * COLUMN(0, idx[i]); ` + then + ` return 0; }`
}

// fails returns a code, and has this to say about it.
func fails(name, code, text string, c hostile) hostile {
	c.name, c.stop = name, atTrial
	c.source = `POINT(node_score) { return ` + code + `; }`
	if text != "" {
		c.source += `const char *EXPORT(quern_error)(void) { ` + text + ` }`
	}
	return c
}

// siblings declares keys of queues that depend on each other.
const siblings = `MANIFEST("{\"name\":\"m\",\"version\":\"1\",\"abi\":\"1.0\",\"points\":{\"queue.order\":{\"columns\":[\"used:vcore\"],\"keys\":1,\"depends\":\"siblings\"}}}")
`

// Where a module writes over the frame, it harms itself alone: the host looks up nothing there. The header stays as the
// module left it, but for the numbers of rows; a column is written anew where it is asked about (row), or where it
// changed (siblings), so that answers may then depend on what was asked before, for which the conformance suite looks.
var frameCases = []hostile{
	{name: "header overwritten", source: answered(`for (u32 i = 0; i < 12; i++) ((volatile u32 *)f)[i] = ~0u;`), stop: atTrial, reason: "expected a number for item 0, found none"},
	{name: "header overwritten by zeros", source: answered(`for (u32 i = 0; i < 12; i++) ((volatile u32 *)f)[i] = 0;`), stop: atTrial, reason: "expected a number for item 0"},
	{name: "offset of the answers overwritten", source: answered(`((volatile u32 *)f)[9] += 8;`), stop: atTrial, reason: "expected a number for item 0, found none"},
	{name: "descriptors overwritten", source: answered(`for (u32 i = 12; i < 16; i++) ((volatile u32 *)f)[i] = ~0u;`), stop: nowhere},
	{name: "columns overwritten", source: answered(`for (u32 i = 0; i < h[3]; i++) ((volatile double *)(f + h[14]))[i] = -1;`), stop: nowhere, answers: double},
	{name: "index overwritten", source: answered(`for (u32 i = 0; i < h[3]; i++) ((volatile u32 *)idx)[i] = 0;`), stop: nowhere, answers: double},
	{name: "index overwritten by large rows", source: answered(`for (u32 i = 0; i < h[3]; i++) ((volatile u32 *)idx)[i] = 0x7fffffff;`), stop: atTrial, reason: "expected a number for item 0, found none"},
	{name: "numbers of rows overwritten", source: answered(`((volatile u32 *)f)[2] = ((volatile u32 *)f)[3] = 1u << 30;`), stop: nowhere, answers: double},
	{name: "columns of siblings overwritten", source: siblings + `POINT(queue_order) { EACH(i) { out[idx[i]] = 2 * COLUMN(0, idx[i]); ((volatile double *)(f + h[14]))[idx[i]] = 3; } return 0; }`, stop: nowhere, answers: double},
	{name: "header of siblings overwritten", source: siblings + `POINT(queue_order) { EACH(i) out[idx[i]] = 2 * COLUMN(0, idx[i]); for (u32 i = 0; i < 16; i++) ((volatile u32 *)f)[i] = ~0u; return 0; }`, stop: nowhere, answers: double},

	{name: "NaN", source: `POINT(node_score) { EACH(i) out[idx[i]] = __builtin_nan(""); return 0; }`, stop: atTrial, reason: "bad answer: expected a number for item 0, found NaN"},
	{name: "signalling NaN", source: `POINT(node_score) { EACH(i) ((u64 *)out)[idx[i]] = 0xfff0000000000001ull; return 0; }`, stop: atTrial, reason: "bad answer: expected a number for item 0, found NaN"},
	{name: "NaN with many rows alone", source: `POINT(node_score) { EACH(i) out[idx[i]] = idx[i] == 700 ? __builtin_nan("") : 2 * COLUMN(0, idx[i]); return 0; }`, stop: atCall, reason: "bad answer: expected a number for item 700, found NaN", answers: double},
	{name: "infinity", source: `POINT(node_score) { EACH(i) out[idx[i]] = __builtin_inf(); return 0; }`, stop: nowhere, answers: infinite},
	{name: "minus infinity", source: `POINT(node_score) { EACH(i) out[idx[i]] = -__builtin_inf(); return 0; }`, stop: nowhere, answers: func(f float64) float64 { return -infinite(f) }},
	{name: "no answers", source: `POINT(node_score) { return 0; }`, stop: atTrial, reason: "bad answer: expected a number for item 0, found none"},
	{name: "answers to even rows", source: `POINT(node_score) { EACH(i) if (idx[i] % 2 == 0) out[idx[i]] = 1; return 0; }`, stop: atTrial, reason: "bad answer: expected a number for item 1, found none"},
	{name: "no answer to one of many rows", source: `POINT(node_score) { EACH(i) if (idx[i] != 900) out[idx[i]] = 2 * COLUMN(0, idx[i]); return 0; }`, stop: atCall, reason: "bad answer: expected a number for item 900, found none", answers: double},
	{name: "answers to few calls", source: `POINT(node_score) { static u32 n; if (n++ > 3) return 0; EACH(i) out[idx[i]] = 2 * COLUMN(0, idx[i]); return 0; }`, stop: nowhere, answers: double},
	{name: "no answers to siblings", source: siblings + `POINT(queue_order) { return 0; }`, stop: atTrial, reason: "bad answer: expected a number for item 0, found none"},
	{name: "one of two keys answered", source: `MANIFEST("{\"name\":\"m\",\"version\":\"1\",\"abi\":\"1.0\",\"points\":{\"app.order\":{\"columns\":[\"submitted\"],\"keys\":2,\"depends\":\"row\"}}}")
		POINT(app_order) { EACH(i) out[2 * idx[i]] = 1; return 0; }`, stop: atTrial, reason: "bad answer: expected a number for item 0, found none"},

	fails("return code 1", "1", "", hostile{reason: "node_score: it does not understand the frame (1)"}),
	fails("unknown return code", "99", "", hostile{reason: "node_score: unknown return code (99)"}),
	fails("negative return code", "-7", "", hostile{reason: "node_score: unknown return code (-7)"}),
	fails("error text", "3", `return "out of luck";`, hostile{reason: "node_score: it cannot answer (3): out of luck"}),
	fails("error text without end", "3", `__builtin_memset((char *)0x10000, 'x', 0xf000); return (const char *)0x10000;`, hostile{reason: "node_score: it cannot answer (3): xxxx"}),
	fails("error text at the end of memory", "3", `const char *end = (const char *)(__builtin_wasm_memory_size(0) << 16) - 3; *(volatile char *)end = 'a'; ((volatile char *)end)[1] = 'b'; ((volatile char *)end)[2] = 'c'; return end;`, hostile{reason: "it cannot answer (3): abc"}),
	fails("error text that is not UTF-8", "3", `return "a\xff\xfe" "b";`, hostile{reason: "node_score: it cannot answer (3): a?b"}),
	fails("error text that controls a terminal", "3", `return "a\x1b[2Jb\r\nc\xc2\x9b" "d\xe2\x80\xae" "e";`, hostile{reason: "it cannot answer (3): a [2Jb  c d e"}),
	fails("error text outside of memory", "3", `return (const char *)0xfffffff0;`, hostile{reason: "node_score: it cannot answer (3)"}),
	fails("error text that is null", "3", `return 0;`, hostile{reason: "node_score: it cannot answer (3)"}),
	fails("trap in quern_error", "3", `__builtin_trap();`, hostile{reason: "node_score: it cannot answer (3)"}),
	{name: "configuration refused", flags: []string{"-DCONFIGURE"}, source: `u32 EXPORT(quern_configure)(u32 a, u32 n) { return 2; } const char *EXPORT(quern_error)(void) { return "weight: expected more"; }` + good,
		stop: atConfigure, reason: "quern_configure: the configuration cannot be used (2): weight: expected more"},
	{name: "dictionary refused", source: texts + `u32 EXPORT(quern_dictionary)(u32 a, u32 n) { return 3; }` + good, stop: atCall, reason: "quern_dictionary: it cannot answer (3)"},
	{name: "answers differ each time", source: `POINT(node_score) { static u32 n; n++; EACH(i) out[idx[i]] = n; return 0; }`, stop: nowhere},
}
