package wazero_test

import "fmt"

// good is a point that answers well, for modules that are bad elsewhere.
const good = `POINT(node_score) { EACH(i) out[idx[i]] = 2 * COLUMN(0, idx[i]); return 0; }`

// forever never ends, and the compiler may not know.
const forever = `for (;;) __asm__ volatile("");`

// pointOf is a module with one point.
func pointOf(name, export, body string) string {
	return fmt.Sprintf(`MANIFEST("{\"name\":\"m\",\"version\":\"1\",\"abi\":\"1.0\",\"points\":{\"%s\":{\"columns\":[],\"keys\":1,\"depends\":\"row\"}}}")
POINT(%s) { %s }`, name, export, body)
}

// texts declares a score that reads a text.
const texts = `MANIFEST("{\"name\":\"m\",\"version\":\"1\",\"abi\":\"1.0\",\"points\":{\"node.score\":{\"columns\":[\"attribute_code:zone\"],\"keys\":1,\"depends\":\"row\"}}}")
`

var loops = []hostile{
	{name: "endless in node_score", source: `POINT(node_score) { ` + forever + ` }`, stop: atTrial, reason: "node_score: it used up its fuel"},
	{name: "endless in queue_order", source: pointOf("queue.order", "queue_order", forever), stop: atTrial, reason: "queue_order: it used up its fuel"},
	{name: "endless in app_order", source: pointOf("app.order", "app_order", forever), stop: atTrial, reason: "app_order: it used up its fuel"},
	{name: "endless in ask_order", source: pointOf("ask.order", "ask_order", forever), stop: atTrial, reason: "ask_order: it used up its fuel"},
	{name: "endless in node_filter", source: pointOf("node.filter", "node_filter", forever), stop: atTrial, reason: "node_filter: it used up its fuel"},
	{name: "endless in victim_rank", source: pointOf("victim.rank", "victim_rank", forever), stop: atTrial, reason: "victim_rank: it used up its fuel"},
	{name: "endless with many rows alone", source: `POINT(node_score) { const u32 *n = (const u32 *)f; if (n[3] > 100) ` + forever + ` EACH(i) out[idx[i]] = 2 * COLUMN(0, idx[i]); return 0; }`,
		stop: atCall, reason: "node_score: it used up its fuel", answers: double},
	{name: "endless in quern_reserve", flags: []string{"-DRESERVE"}, source: `u32 EXPORT(quern_reserve)(u32 n) { ` + forever + ` }` + good, stop: atConfigure, reason: "quern_reserve: it used up its fuel"},
	{name: "endless in quern_configure", flags: []string{"-DCONFIGURE"}, source: `u32 EXPORT(quern_configure)(u32 a, u32 n) { ` + forever + ` }` + good, stop: atConfigure, reason: "quern_configure: it used up its fuel"},
	{name: "endless in quern_manifest", source: `u32 EXPORT(quern_manifest)(void) { ` + forever + ` }` + good, stop: atManifest, reason: "quern_manifest: it used up its fuel"},
	{name: "endless in quern_abi", flags: []string{"-DABI"}, source: `u32 EXPORT(quern_abi)(void) { ` + forever + ` }` + good, stop: atManifest, reason: "quern_abi: it used up its fuel"},
	{name: "endless in quern_error", source: `u32 EXPORT(quern_error)(void) { ` + forever + ` } POINT(node_score) { return 3; }`, stop: atTrial, reason: "node_score: it cannot answer (3)"},
	{name: "endless in quern_dictionary", source: texts + `u32 EXPORT(quern_dictionary)(u32 a, u32 n) { ` + forever + ` }` + good, stop: atCall, reason: "quern_dictionary: it used up its fuel"},
	{name: "endless in _initialize", source: `void EXPORT(_initialize)(void) { ` + forever + ` }` + good, stop: atStart, reason: "start: _initialize: it used up its fuel"},
	// A start may take 50 million units. Where calls fail, the scheduler waits for it whenever the spare instance is not ready.
	{name: "a long start and calls that fail", source: `static volatile u32 n; void EXPORT(_initialize)(void) { for (u32 i = 0; i < 2000000; i++) n++; } POINT(node_score) { if (((u32 *)f)[3] > 100) __builtin_trap(); EACH(i) out[idx[i]] = 2 * COLUMN(0, idx[i]); return 0; }`,
		stop: atCall, reason: "node_score: it trapped: unreachable", answers: double, slow: 3 * slowest},
	{name: "recursion", source: `static volatile u32 n; __attribute__((noinline)) u32 down(u32 i) { return n == 1 ? 0 : down(i + 1) + n; } POINT(node_score) { return down(0); }`,
		stop: atTrial, reason: "node_score: it used up its fuel"},
	{name: "mutual recursion", source: `static volatile u32 n; u32 pong(u32); __attribute__((noinline)) u32 ping(u32 i) { return pong(i) + n; } __attribute__((noinline)) u32 pong(u32 i) { return ping(i) + n; } POINT(node_score) { return ping(0); }`,
		stop: atTrial, reason: "node_score: it used up its fuel"},
	{name: "indirect recursion", source: `static u32 (*volatile next)(u32); u32 down(u32 i) { return next(i + 1) + 1; } POINT(node_score) { next = down; return next(0); }`,
		stop: atTrial, reason: "node_score: it used up its fuel"},
	{name: "recursion with a large frame", source: `static volatile u32 n; __attribute__((noinline)) u32 down(u32 i) { volatile char big[4096]; big[i & 4095] = 1; return n == 1 ? 0 : down(i + 1) + big[7]; } POINT(node_score) { return down(0); }`,
		stop: atTrial, reason: "node_score: it trapped: out of bounds memory access"},
	{name: "recursion in _initialize", source: `static volatile u32 n; __attribute__((noinline)) u32 down(u32 i) { return n == 1 ? 0 : down(i + 1) + n; } void EXPORT(_initialize)(void) { down(0); }` + good,
		stop: atStart, reason: "start: _initialize: it"},
}
