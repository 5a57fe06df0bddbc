import { describe, expect, it } from "vitest";

import type { Level } from "./lines";
import { hostModules } from "./host-modules";

// These tests play the core: they lay requests out in a memory of their own, as wasm/browser/hostmodules/imports.go says. What real
// cores and real modules do is in host-modules.core.test.ts.

/** A LEB128 number, unsigned or signed. */
function number(n: number, signed = false): number[] {
  const out: number[] = [];
  for (;;) {
    const byte = n & 0x7f;
    n >>= 7;
    if (signed ? (n === 0 && !(byte & 0x40)) || (n === -1 && byte & 0x40) : n === 0) return [...out, byte];
    out.push(byte | 0x80);
  }
}

const named = (name: string): number[] => [...number(name.length), ...new TextEncoder().encode(name)];
const section = (id: number, items: number[][]): number[] => {
  const content = [...number(items.length), ...items.flat()];
  return [id, ...number(content.length), ...content];
};
const constant = (n: number): number[] => [0x41, ...number(n, true)];
const i32 = 0x7f;

/** The functions of the modules here, all from a number to a number, beside log, put (fd_write), leave (proc_exit): 0 to 2. */
function assemble(functions: Record<string, number[]>, start?: number[], pages = 1): Uint8Array<ArrayBuffer> {
  const bodies = [...Object.values(functions), ...(start ? [start] : [])];
  const imported = (module: string, name: string, type: number): number[] => [...named(module), ...named(name), 0, type];
  const wasi = "wasi_snapshot_preview1";
  return new Uint8Array([
    0, 0x61, 0x73, 0x6d, 1, 0, 0, 0,
    ...section(1, [[0x60, 1, i32, 1, i32], [0x60, 3, i32, i32, i32, 0], [0x60, 4, i32, i32, i32, i32, 1, i32], [0x60, 1, i32, 0], [0x60, 0, 0]]),
    ...section(2, [imported("quern", "log", 1), imported(wasi, "fd_write", 2), imported(wasi, "proc_exit", 3)]),
    ...section(3, bodies.map((_, i) => [i < Object.keys(functions).length ? 0 : 4])),
    ...section(5, [[1, pages, 3]]),
    ...section(6, [[0x7e, 1, 0x42, 0, 0x0b]]),
    ...section(7, [[...named("memory"), 2, 0], [...named("quern_fuel"), 3, 0], ...Object.keys(functions).map((name, i) => [...named(name), 0, i + 3])]),
    ...(start ? [8, 1, bodies.length + 2] : []),
    ...section(10, bodies.map((code) => [...number(code.length + 2), 0, ...code, 0x0b])),
  ]);
}

const wide = 64 << 10;
const names = ["take", "absent", "go"];

/** A core's memory, and the imports of a core. */
function play(log?: (module: string, level: Level, text: string) => void) {
  const memory = new WebAssembly.Memory({ initial: 4, maximum: 8 });
  const lines: [string, Level, string][] = [];
  const policies = hostModules(log ?? ((...line) => { lines.push(line); }));
  policies.attach(memory);
  const call = (name: string, ...args: number[]): number | bigint => (policies.imports[name] as (...a: number[]) => number | bigint)(...args);
  const bytes = (): Uint8Array => new Uint8Array(memory.buffer);
  const put = (at: number, data: Uint8Array | string): [number, number] => {
    const raw = typeof data === "string" ? new TextEncoder().encode(data) : data;
    bytes().set(raw, at);
    return [at, raw.length];
  };
  const load = (file: Uint8Array): number => call("load", ...put(wide, file), ...put(0, names.join("\n"))) as number;
  const start = (file: Uint8Array): number => call("start", load(file), ...put(0, "policy")) as number;
  /** Makes a request: the function, its argument, the parts of the arena to write, the part to read. */
  const request = (instance: number, f: number, argument: number, spans: [number, number][] = [], answers: [number, number] = [0, 0]) => {
    const view = new DataView(memory.buffer);
    [1000, 0, f, argument, 0, 128, 8192, 2048, spans.length, ...answers, 77].forEach((word, i) => { view.setUint32(1024 + 4 * i, word, true); });
    spans.flat().forEach((word, i) => { view.setUint32(2048 + 4 * i, word, true); });
    return { status: call("call", instance, 1024), result: view.getInt32(1024 + 44, true) };
  };
  const reason = (): string => new TextDecoder().decode(bytes().slice(0, call("reason", 0, 200) as number));
  return { memory, lines, call, bytes, put, load, start, request, reason };
}

const load8 = (offset = 0): number[] => [0x2d, 0, ...number(offset)];
const argument = [0x20, 0];
const spend = (left: number): number[] => [0x42, ...number(left, true), 0x24, 0];

describe("a call", () => {
  it("takes over what was written, and brings back what is to be read", () => {
    const p = play();
    // The byte at 128 becomes that at 130 and one more; the result is the argument times two.
    const s = p.start(assemble({ take: [...constant(128), ...constant(130), ...load8(), ...constant(1), 0x6a, 0x3a, 0, 0, ...argument, ...argument, 0x6a] }));
    expect(p.call("exports", s)).toBe(0b001);
    p.put(8192, new Uint8Array([9, 9, 41, 9]));
    expect(p.request(s, 0, 21, [[2, 1]], [0, 2])).toEqual({ status: 0, result: 42 });
    expect([...p.bytes().slice(8192, 8196)]).toEqual([42, 0, 41, 9]); // the module never got what lies beside
    expect(p.call("left", s)).toBe(1000n);
    expect(p.call("read", s, 128, 4096, 3)).toBe(1);
    expect([...p.bytes().slice(4096, 4099)]).toEqual([42, 0, 41]);
    expect(p.call("read", s, 65_534, 4096, 3)).toBe(0);
    expect(p.call("read", s, -1, 4096, 3)).toBe(0);
  });

  it("copies long parts as it copies short ones", () => {
    const p = play();
    const s = p.start(assemble({ take: argument }));
    for (const size of [4, 8, 64, 65, 68, 3, 4096]) {
      const data = Uint8Array.from({ length: size }, (_, i) => (i * 7 + size) & 255);
      p.put(8192, data);
      expect(p.request(s, 0, 1, [[0, size]], [0, 0]).status).toBe(0);
      p.put(8192, new Uint8Array(size));
      expect(p.request(s, 0, 1, [], [0, size]).status).toBe(0);
      expect(p.bytes().slice(8192, 8192 + size)).toEqual(data);
    }
  });

  it("goes on where either memory grew", () => {
    const p = play();
    const s = p.start(assemble({ take: [...constant(1), 0x40, 0, 0x1a, ...constant(128), ...constant(5), 0x3a, 0, 0, ...argument] }));
    expect(p.call("size", s)).toBe(65_536);
    expect(p.request(s, 0, 1, [[0, 4]], [0, 4]).status).toBe(0);
    expect(p.call("size", s)).toBe(131_072);
    p.memory.grow(1);
    p.put(8192, new Uint8Array(4));
    expect(p.request(s, 0, 3, [], [0, 4])).toEqual({ status: 0, result: 3 });
    expect(p.bytes()[8192]).toBe(5);
  });

  it.each([
    ["unreachable", [0x00], 3],
    ["a load from outside", [...constant(-1), ...load8(1)], 4],
    ["memory.fill past the end", [...constant(0), ...constant(1), ...constant(1 << 20), 0xfc, 11, 0, ...constant(0)], 4],
    ["a division by zero", [...constant(1), ...constant(0), 0x6d], 5],
    ["a remainder by zero", [...constant(1), ...constant(0), 0x6f], 5],
    ["a division that overflows", [...constant(-0x80000000), ...constant(-1), 0x6d], 6],
    ["no number as a whole one", [0x44, 0, 0, 0, 0, 0, 0, 0xf8, 0x7f, 0xaa], 7],
    ["fuel that is used up", [...spend(-1), 0x00], 1],
    ["calls without end", [...argument, 0x10, 3], 1],
    ["the end of itself", [...constant(7), 0x10, 2, ...constant(0)], 2],
  ])("that ends with %s is a status, and another module goes on", (_, code, status) => {
    const p = play();
    const good = p.start(assemble({ take: argument }));
    const bad = p.start(assemble({ take: code }));
    expect(p.request(bad, 0, 0).status).toBe(status);
    expect(p.request(good, 0, 5)).toEqual({ status: 0, result: 5 });
    if (status === 2) expect(p.request(bad, 0, 0).status).toBe(2);
  });

  it("of something that is not there has a status, too", () => {
    const p = play();
    const s = p.start(assemble({ take: argument }));
    expect(p.request(s, 1, 0).status).toBe(11);
    expect(p.reason()).toContain("handle");
    expect(p.request(s, 99, 0).status).toBe(11);
    expect(p.request(99, 0, 0).status).toBe(12);
    expect(p.request(s, 0, 0, [[0, 1 << 20]]).status).toBe(11);
    p.call("stop", s);
    expect(p.request(s, 0, 0).status).toBe(12);
    expect([p.call("size", s), p.call("exports", s), p.call("left", s)]).toEqual([0, 0, 0n]);
  });
});

describe("a module", () => {
  it.each([
    ["is no WebAssembly", new Uint8Array([1, 2, 3])],
    ["is cut off", assemble({ take: argument }).slice(0, -3)],
    ["does not type-check", assemble({ take: [0x42, 0] })],
  ])("that %s is refused with a reason", (_, file) => {
    const p = play();
    expect(p.load(file)).toBe(-11);
    expect(p.reason()).toContain("WebAssembly");
  });

  it("that cannot start is refused with a status", () => {
    const p = play();
    expect(p.start(assemble({ take: argument }, [0x00]))).toBe(-3);
    expect(p.start(assemble({ take: argument }, [...constant(0), 0x10, 2]))).toBe(-2);
    expect(p.call("start", 99, 0, 0)).toBe(-11);
  });

  it("that was dropped makes no more instances, and those that there are go on", () => {
    const p = play();
    const module = p.load(assemble({ take: argument }));
    const s = p.call("start", module, 0, 0) as number;
    p.call("drop", module);
    expect(p.call("start", module, 0, 0)).toBe(-11);
    expect(p.request(s, 0, 5)).toEqual({ status: 0, result: 5 });
  });

  it("has no memory of others", () => {
    const p = play();
    const module = p.load(assemble({ take: [...constant(128), ...load8()] }));
    const [a, b] = [p.call("start", module, 0, 0) as number, p.call("start", module, 0, 0) as number];
    p.put(8192, new Uint8Array([7]));
    expect(p.request(a, 0, 0, [[0, 1]]).result).toBe(7);
    expect(p.request(b, 0, 0).result).toBe(0);
  });
});

describe("lines of a module", () => {
  const say = (level: number, at: number, size: number): number[] => [...constant(level), ...constant(at), ...constant(size), 0x10, 0];

  it("come with its name and their level, fit for one line", () => {
    const p = play();
    const s = p.start(assemble({ take: [...say(2, 128, 6), ...say(99, -1, 4), ...constant(0)] }));
    p.put(8192, "a\n\u001b[\u00e9");
    expect(p.request(s, 0, 0, [[0, 6]]).status).toBe(0);
    expect(p.lines).toEqual([["policy", "warning", "a  [\u00e9"], ["policy", "error", "(a line that cannot be read)"]]);
  });

  it("are cut, and few of them pass in a second", () => {
    const p = play();
    const many = [0x20, 0, 0x04, 0x40, ...say(0, 0, 60_000), 0x20, 0, ...constant(1), 0x6b, 0x10, 3, 0x1a, 0x0b, ...constant(0)];
    const s = p.start(assemble({ take: many }));
    expect(p.request(s, 0, 100).status).toBe(0);
    expect(p.lines.length).toBe(20);
    expect(p.lines[0]?.[2].length).toBe(512);
  });

  it("may be taken by something that throws", () => {
    const p = play(() => { throw new Error("full"); });
    const s = p.start(assemble({ take: [...say(2, 128, 6), ...constant(0)] }));
    expect(p.request(s, 0, 0).status).toBe(11);
    expect(p.reason()).toBe("full");
    expect(p.request(p.start(assemble({ take: [...argument, 0x10, 3] })), 0, 0).status).toBe(11);
  });

  it("say that calls went too deep", () => {
    const p = play();
    p.request(p.start(assemble({ take: [...argument, 0x10, 3] })), 0, 0);
    expect(p.lines.map(([, level]) => level)).toEqual(["warning"]);
    expect(p.lines[0]?.[2]).toContain("too deep");
  });
});
