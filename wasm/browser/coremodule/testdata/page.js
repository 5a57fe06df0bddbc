"use strict";
// The least that runs core.wasm in a page: enough of WASI that Go starts, with a clock that stands still (not at 0: Go refuses that) and numbers
// that are not random, and one function that hands a request over.

let core;

const view = () => new DataView(core.memory.buffer);
const bytes = (at, size) => new Uint8Array(core.memory.buffer, at, size);

const wasi = {
  clock_time_get: (_id, _precision, at) => (view().setBigUint64(at, 1n, true), 0),
  random_get: (at, size) => (bytes(at, size).fill(7), 0),
  environ_sizes_get: (count, size) => (view().setUint32(count, 0, true), view().setUint32(size, 0, true), 0),
  args_sizes_get: (count, size) => (view().setUint32(count, 0, true), view().setUint32(size, 0, true), 0),
  environ_get: () => 0,
  args_get: () => 0,
  proc_exit: (code) => {
    throw new Error(`the module ended with ${code}`);
  },
  poll_oneoff: (_in, _out, _count, events) => (view().setUint32(events, 0, true), 0),
  sched_yield: () => 0,
  fd_write: (_fd, list, count, written) => {
    let total = 0;
    let text = "";
    for (let i = 0; i < count; i++) {
      const size = view().getUint32(list + 8 * i + 4, true);
      text += new TextDecoder().decode(bytes(view().getUint32(list + 8 * i, true), size));
      total += size;
    }
    console.error(text);
    view().setUint32(written, total, true);
    return 0;
  },
};

const missing = 8; // EBADF: there are no files
const nobody = 12; // of quern_host: no host runs policy modules here
const siblings = { load: () => -nobody, start: () => -nobody, call: () => nobody, left: () => 0n };

// given answers every import of a module: those above, and for the others a refusal.
const given = (module) => {
  const imports = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    const known = from === "quern_host" ? siblings[name] ?? (() => 0) : wasi[name] ?? (() => missing);
    (imports[from] ??= {})[name] = known;
  }
  return imports;
};

const load = async () => {
  const module = await WebAssembly.compileStreaming(fetch("core.wasm"));
  core = (await WebAssembly.instantiate(module, given(module))).exports;
  core._initialize();
  return "loaded";
};

const serve = (request) => {
  const at = core.quern_reserve(request.length);
  bytes(at, request.length).set(request);
  const answer = core.quern_call(at, request.length);
  return bytes(answer + 4, view().getUint32(answer, true)).slice();
};

const text = (data) => {
  let binary = "";
  for (let i = 0; i < data.length; i += 0x8000) binary += String.fromCharCode(...data.subarray(i, i + 0x8000));
  return btoa(binary);
};

// call serves a request in base64, and answers in it.
const call = (request) => text(serve(Uint8Array.from(atob(request), (c) => c.charCodeAt(0))));

// callWith serves a head with a file of the server as the body, and returns the first line of the answer and how long
// that took, in milliseconds.
const callWith = async (head, file) => {
  const body = new Uint8Array(await (await fetch(file)).arrayBuffer());
  const line = new TextEncoder().encode(`${head}\n`);
  const request = new Uint8Array(line.length + body.length);
  request.set(line);
  request.set(body, line.length);
  const begun = performance.now();
  const answer = serve(request);
  const took = performance.now() - begun;
  return { took, line: new TextDecoder().decode(answer.subarray(0, answer.indexOf(10))) };
};
