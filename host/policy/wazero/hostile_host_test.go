package wazero_test

// wasi declares a function of WASI.
func wasi(name, declaration string) string {
	return `__attribute__((import_module("wasi_snapshot_preview1"), import_name("` + name + `"))) ` + declaration + ";\n"
}

// asks is a module that asks the host for something in a call and else answers well.
func asks(name, declarations, body string, c hostile) hostile {
	c.name = name
	c.source = declarations + `POINT(node_score) { ` + body + ` EACH(i) out[idx[i]] = 2 * COLUMN(0, idx[i]); return 0; }`
	return c
}

const (
	say    = `__attribute__((import_module("quern"), import_name("log"))) void say(u32, u32, u32);` + "\n"
	vector = `static struct { u32 at, size; } v[64];` + "\n"
)

var hostCases = []hostile{
	asks("import of env.abort", `__attribute__((import_module("env"), import_name("abort"))) void stop(void);`, `stop();`, hostile{stop: atGate, reason: `forbidden-import: "env" "abort" is not among the functions that a policy may import`}),
	asks("import of path_open", wasi("path_open", `u32 open(u32,u32,u32,u32,u32,u64,u64,u32,u32)`), `open(3,0,0,0,0,0,0,0,0);`, hostile{stop: atGate, reason: `forbidden-import: "wasi_snapshot_preview1" "path_open"`}),
	asks("import of fd_pwrite", wasi("fd_pwrite", `u32 put(u32,u32,u32,u64,u32)`), `put(0,0,0,0,0);`, hostile{stop: atGate, reason: `forbidden-import: "wasi_snapshot_preview1" "fd_pwrite"`}),
	asks("import of sock_send", wasi("sock_send", `u32 send(u32,u32,u32,u32,u32)`), `send(0,0,0,0,0);`, hostile{stop: atGate, reason: `forbidden-import: "wasi_snapshot_preview1" "sock_send"`}),
	asks("import with another signature", wasi("fd_write", `u64 put(u64)`), `put(0);`, hostile{stop: atGate, reason: `forbidden-import: "wasi_snapshot_preview1" "fd_write" has the signature (i64)->i64, expected (i32,i32,i32,i32)->i32`}),

	asks("log for ever", say, `for (;;) say(3, 0, 0);`, hostile{stop: atTrial, reason: "node_score: it used up its fuel"}),
	asks("log of long lines for ever", say, `for (;;) say(3, 0x10000, 500);`, hostile{stop: atTrial, reason: "node_score: it used up its fuel"}),
	asks("log of 4 GiB", say, `say(0, 0, ~0u);`, hostile{stop: atTrial, reason: "node_score: it used up its fuel"}),
	asks("log from outside of memory", say, `say(0, ~0u - 5, 5); say(0, 0x7fffffff, 5);`, hostile{stop: nowhere, answers: double}),
	asks("log of an unknown level", say, `say(~0u, 0x10000, 5); say(77, 0x10000, 5);`, hostile{stop: nowhere, answers: double}),
	asks("fd_write for ever", wasi("fd_write", `u32 put(u32,void *,u32,void *)`)+vector, `for (;;) { v[0].size = 100; put(2, v, 1, &v[1]); }`, hostile{stop: atTrial, reason: "node_score: it used up its fuel"}),
	asks("fd_write of many buffers", wasi("fd_write", `u32 put(u32,void *,u32,void *)`)+vector, `for (u32 i = 0; i < 60; i++) v[i].at = 0, v[i].size = 0x10000; for (;;) put(2, v, 60, &v[63]);`, hostile{stop: atTrial, reason: "node_score: it used up its fuel"}),
	asks("fd_write of 4 billion buffers", wasi("fd_write", `u32 put(u32,void *,u32,void *)`)+vector, `put(2, v, ~0u, &v[1]);`, hostile{stop: atTrial, reason: "node_score: it used up its fuel"}),
	asks("fd_write from outside of memory", wasi("fd_write", `u32 put(u32,void *,u32,void *)`)+vector, `v[0].at = 0x7fffffff; v[0].size = ~0u; put(2, v, 1, &v[1]); put(2, (void *)~7u, 1, v); put(77, v, 1, v); put(0, v, 1, v);`, hostile{stop: nowhere, answers: double}),
	asks("fd_read of standard input", wasi("fd_read", `u32 get(u32,void *,u32,void *)`)+vector, `static volatile u32 n = 5; v[0].at = (u32)v; v[0].size = 100; get(0, v, 1, (void *)&n); if (n != 0 && n != 5) return 3; get(3, v, 1, (void *)&n); get(~0u, v, 1, (void *)&n);`, hostile{stop: nowhere, answers: double}),
	asks("fd_read for ever", wasi("fd_read", `u32 get(u32,void *,u32,void *)`)+vector, `for (;;) { v[0].size = 0x10000; get(0, v, 1, &v[1]); }`, hostile{stop: atTrial, reason: "node_score: it used up its fuel"}),
	asks("fd_read of 4 billion buffers", wasi("fd_read", `u32 get(u32,void *,u32,void *)`)+vector, `get(0, v, ~0u, &v[1]);`, hostile{stop: atTrial, reason: "node_score: it used up its fuel"}),
	asks("standard error closed", wasi("fd_close", `u32 shut(u32)`)+wasi("fd_write", `u32 put(u32,void *,u32,void *)`)+vector, `for (u32 i = 0; i < 9; i++) shut(i); put(2, v, 1, v);`, hostile{stop: nowhere, answers: double}),
	asks("poll_oneoff for an hour", wasi("poll_oneoff", `u32 poll(void *,void *,u32,void *)`)+`static u64 s[6], e[8];`, `s[1] = 0; s[2] = 1; s[3] = 3600000000000ull; poll(s, e, 1, &e[7]);`, hostile{stop: nowhere, answers: double}),
	asks("poll_oneoff of 4 billion subscriptions", wasi("poll_oneoff", `u32 poll(void *,void *,u32,void *)`)+`static u64 s[6], e[8];`, `poll(s, e, ~0u, &e[7]);`, hostile{stop: atTrial, reason: "node_score: it used up its fuel"}),
	asks("poll_oneoff of standard input", wasi("poll_oneoff", `u32 poll(void *,void *,u32,void *)`)+`static u64 s[6], e[8];`, `s[1] = 1; s[2] = 0; poll(s, e, 1, &e[7]);`, hostile{stop: nowhere, answers: double}),
	asks("random_get of 4 GiB", wasi("random_get", `u32 dice(u32,u32)`), `dice(0, ~0u);`, hostile{stop: atTrial, reason: "node_score: it used up its fuel"}),
	asks("random_get for ever", wasi("random_get", `u32 dice(u32,u32)`), `for (;;) dice(0x8000, 100);`, hostile{stop: atTrial, reason: "node_score: it used up its fuel"}),
	asks("random_get of much", wasi("random_get", `u32 dice(u32,u32)`), `for (;;) dice(0x10000, 0x10000);`, hostile{stop: atTrial, reason: "node_score: it"}),
	asks("clock_time_get for ever", wasi("clock_time_get", `u32 clock(u32,u64,void *)`), `for (;;) clock(0, 0, (void *)0x8000);`, hostile{stop: atTrial, reason: "node_score: it used up its fuel"}),
	asks("clock as an answer", wasi("clock_time_get", `u32 clock(u32,u64,void *)`)+`static volatile u64 now, later;`, `clock(0, 0, (void *)&now); for (volatile u32 i = 0; i < 9999; i++) {} clock(0, 0, (void *)&later); if (later - now > 1000000) return 3;`, hostile{stop: nowhere, answers: double}),
	asks("sched_yield for ever", wasi("sched_yield", `u32 rest(void)`), `for (;;) rest();`, hostile{stop: atTrial, reason: "node_score: it used up its fuel"}),
	asks("environ_get for ever", wasi("environ_get", `u32 env(u32,u32)`), `for (;;) env(0x8000, 0x8000);`, hostile{stop: atTrial, reason: "node_score: it used up its fuel"}),
	asks("fd_prestat_dir_name of 4 GiB", wasi("fd_prestat_dir_name", `u32 dir(u32,u32,u32)`), `dir(3, 0, ~0u);`, hostile{stop: atTrial, reason: "node_score: it used up its fuel"}),

	asks("proc_exit in a call", wasi("proc_exit", `void leave(u32)`), `leave(0);`, hostile{stop: atTrial, reason: "node_score: it ended itself (proc_exit), expected it to return"}),
	asks("proc_exit with a code in a call", wasi("proc_exit", `void leave(u32)`), `leave(~0u);`, hostile{stop: atTrial, reason: "node_score: it ended itself (proc_exit), expected it to return"}),
	asks("proc_exit with many rows alone", wasi("proc_exit", `void leave(u32)`), `if (((u32 *)f)[3] > 100) leave(0);`, hostile{stop: atCall, reason: "node_score: it ended itself (proc_exit), expected it to return", answers: double}),
	{name: "proc_exit in quern_error", source: wasi("proc_exit", `void leave(u32)`) + `u32 EXPORT(quern_error)(void) { leave(0); return 0x10000; } POINT(node_score) { return 3; }`, stop: atTrial, reason: "node_score: it cannot answer (3)"},
	{name: "proc_exit in quern_manifest", source: wasi("proc_exit", `void leave(u32)`) + `u32 EXPORT(quern_manifest)(void) { leave(0); return 0x10000; } ` + good, stop: atManifest, reason: "quern_manifest: it ended itself"},
	{name: "proc_exit in quern_configure", flags: []string{"-DCONFIGURE"}, source: wasi("proc_exit", `void leave(u32)`) + `u32 EXPORT(quern_configure)(u32 a, u32 n) { leave(0); return 0; } ` + good, stop: atConfigure, reason: "quern_configure: it ended itself"},
	{name: "proc_exit in quern_reserve", flags: []string{"-DRESERVE"}, source: wasi("proc_exit", `void leave(u32)`) + `u32 EXPORT(quern_reserve)(u32 n) { leave(0); return 64; } ` + good, stop: atConfigure, reason: "quern_reserve: it ended itself"},
	// The library takes this for a good end, and frees the memory: whatever was called next crashed the host.
	{name: "proc_exit in _initialize", flags: []string{"-DABI"}, source: wasi("proc_exit", `void leave(u32)`) + `void EXPORT(_initialize)(void) { leave(0); } u32 EXPORT(quern_abi)(void) { return *(volatile u32 *)0x8000; }` + good, stop: atStart, reason: "start: _initialize: it ended itself (proc_exit), expected it to return"},
	{name: "trap in _initialize", source: `void EXPORT(_initialize)(void) { __builtin_trap(); }` + good, stop: atStart, reason: "start: _initialize: it trapped: unreachable"},
	{name: "log in _initialize", source: say + `void EXPORT(_initialize)(void) { for (u32 i = 0; i < 1000; i++) say(3, 0x10000, 600); }` + good, stop: nowhere, answers: double},
}
