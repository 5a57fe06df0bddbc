import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bench, describe } from "vitest";

import { hostModules, hostNamespace } from "./host-modules";
import { wasi, wasiModule } from "./wasi";

// What a call of a policy module beside the core costs in this engine. `go test -bench Calls ./wasm/browser/hostmodules` has the same
// calls of the same module where it is within reach, and beside a core under wazero.
const root = fileURLToPath(new URL("../../../../../", import.meta.url));
const calls = 1000; // in a go

/** What wasm/browser/hostmodules/testdata/bench exports. */
interface Bench {
  memory: WebAssembly.Memory;
  _initialize: () => void;
  room: (bytes: number) => number;
  prepare: (rows: number) => void;
  dirty: (times: number) => void;
  many: (times: number) => void;
}

/** Builds a module that asks a policy beside it about the rows of a table. */
function start(rows: number): Pick<Bench, "dirty" | "many"> {
  const dir = mkdtempSync(join(tmpdir(), "quern-bench-"));
  const file = join(dir, "bench.wasm");
  execFileSync("go", ["build", "-buildmode=c-shared", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", file, "./wasm/browser/hostmodules/testdata/bench"],
    { cwd: root, env: { ...process.env, GOOS: "wasip1", GOARCH: "wasm" }, stdio: "inherit" });
  const module = new WebAssembly.Module(readFileSync(file));
  rmSync(dir, { recursive: true });
  const policy = readFileSync(join(root, "plugins/binpack-tetris/binpack-tetris.wasm"));
  const world = wasi((_fd, bytes) => { process.stderr.write(bytes); });
  const policies = hostModules(() => undefined);
  const { exports } = new WebAssembly.Instance(module, { [wasiModule]: world.imports, [hostNamespace]: policies.imports });
  const { memory, _initialize, room, prepare, dirty, many } = exports as unknown as Bench;
  world.attach(memory);
  policies.attach(memory);
  _initialize();
  const at = room(policy.length) >>> 0;
  new Uint8Array(memory.buffer).set(policy, at);
  prepare(rows);
  return { dirty, many };
}

describe("a policy module beside the core, of 1,000 rows", () => {
  const table = start(1000);
  bench(`one dirty row, ${String(calls)} times`, () => { table.dirty(calls); });
  bench("all rows", () => { table.many(1); });
});
