/** How a module of the project is called: bytes of a request go in, bytes of an answer come out (wasm/browser/reactor). */

import { hostModules, hostNamespace } from "./host-modules";
import { wasi, wasiModule } from "./wasi";

/** Serves one request. What it throws is a trap: nothing is to be called any more. */
export type Call = (request: Uint8Array) => Uint8Array<ArrayBuffer>;

/** Takes lines that the module, or a policy module beside it, writes. */
export type Hear = (line: string) => void;

interface Exports {
  readonly memory: WebAssembly.Memory;
  readonly _initialize: () => void;
  readonly quern_reserve: (size: number) => number;
  readonly quern_call: (at: number, size: number) => number;
}

/** Starts a module that was compiled. */
export async function instantiate(module: WebAssembly.Module, hear: Hear): Promise<Call> {
  const world = wasi((_fd, bytes) => { hear(new TextDecoder().decode(bytes).trimEnd()); });
  const policies = hostModules((name, level, text) => { hear(`${name}: ${level}: ${text}`); });
  const { exports } = await WebAssembly.instantiate(module, { [wasiModule]: { ...closed(module), ...world.imports }, [hostNamespace]: policies.imports });
  const core = exports as unknown as Exports;
  world.attach(core.memory);
  policies.attach(core.memory);
  core._initialize();
  return (request) => send(core, request);
}

/** What a module links in of files and sockets, although it never uses any: no such file is open. */
function closed(module: WebAssembly.Module): WebAssembly.ModuleImports {
  const badFile = 8;
  return Object.fromEntries(WebAssembly.Module.imports(module).filter((i) => i.module === wasiModule).map(({ name }) => [name, () => badFile]));
}

function send({ memory, quern_reserve: reserve, quern_call: call }: Exports, request: Uint8Array): Uint8Array<ArrayBuffer> {
  const at = reserve(request.length) >>> 0;
  if (at === 0) return refusal("too-large", `request: expected at most 64 MiB, found ${request.length} bytes`);
  new Uint8Array(memory.buffer).set(request, at);
  const answer = call(at, request.length) >>> 0;
  const size = new DataView(memory.buffer).getUint32(answer, true);
  return new Uint8Array(memory.buffer).slice(answer + 4, answer + 4 + size);
}

/** An answer that refuses, in the form of package rpc. */
export function refusal(code: "bad-request" | "too-large", message: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`${JSON.stringify({ error: { code, message } })}\n`);
}
