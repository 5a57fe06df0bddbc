import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

import { Exit, wasi, wasiModule } from "./wasi";

/** The functions with one page of memory, and what was written. */
function world(most?: number) {
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 4 });
  const written: { fd: number; text: string }[] = [];
  const w = wasi((fd, bytes) => written.push({ fd, text: new TextDecoder().decode(bytes) }), most);
  w.attach(memory);
  const call = (name: string, ...args: (number | bigint)[]): number => (w.imports[name] as (...a: (number | bigint)[]) => number)(...args);
  return { memory, written, call, view: () => new DataView(memory.buffer), bytes: () => new Uint8Array(memory.buffer) };
}

const badFile = 8;
const fault = 21;
const invalid = 28;

describe("the clock", () => {
  it("finds a millisecond more at each look, from the same beginning in each instance", () => {
    for (const clock of [0, 1]) {
      const looks = [0, 1].map(() => {
        const w = world();
        return [1, 2, 3].map(() => {
          expect(w.call("clock_time_get", clock, 0n, 64)).toBe(0);
          return w.view().getBigUint64(64, true);
        });
      });
      expect(looks[0]).toEqual(looks[1]);
      const [first = 0n, second = 0n] = looks[0] ?? [];
      expect(second - first).toBe(1_000_000n);
      expect(first).toBe(clock === 0 ? 1_640_995_200_000_000_000n : 0n);
    }
  });

  it("knows two clocks, and addresses within the memory", () => {
    const w = world();
    expect(w.call("clock_time_get", 2, 0n, 64)).toBe(invalid);
    expect(w.call("clock_time_get", 0, 0n, -8)).toBe(fault);
  });
});

describe("random bytes", () => {
  it("are those of the host, the same in each instance", () => {
    const [a, b] = [world(), world()];
    for (const w of [a, b]) expect(w.call("random_get", 16, 20)).toBe(0);
    expect(a.bytes().slice(16, 36)).toEqual(b.bytes().slice(16, 36));
    const z = ((0x9e3779b97f4a7c15n ^ (0x9e3779b97f4a7c15n >> 30n)) * 0xbf58476d1ce4e5b9n) & ((1n << 64n) - 1n);
    expect(a.view().getBigUint64(16, true)).toBe(z ^ (z >> 31n));
    expect(a.bytes()[36]).toBe(0);
    expect(a.call("random_get", 65530, 20)).toBe(fault);
    expect(a.call("random_get", 0, -1)).toBe(fault);
  });
});

describe("files", () => {
  const list = (w: ReturnType<typeof world>, at: number, ...parts: [number, number][]): void => {
    parts.forEach(([from, size], i) => {
      w.view().setUint32(at + 8 * i, from, true);
      w.view().setUint32(at + 8 * i + 4, size, true);
    });
  };

  it("are three, of which two can be written", () => {
    const w = world();
    w.bytes().set(new TextEncoder().encode("hello"), 100);
    list(w, 0, [100, 2], [102, 3]);
    expect(w.call("fd_write", 2, 0, 2, 64)).toBe(0);
    expect(w.view().getUint32(64, true)).toBe(5);
    expect(w.call("fd_write", 1, 0, 1, 64)).toBe(0);
    expect(w.written).toEqual([{ fd: 2, text: "he" }, { fd: 2, text: "llo" }, { fd: 1, text: "he" }]);
    for (const fd of [0, 3, -1]) expect(w.call("fd_write", fd, 0, 1, 64)).toBe(badFile);
    expect(w.call("fd_close", 2)).toBe(0);
    expect(w.call("fd_write", 2, 0, 1, 64)).toBe(badFile);
    expect(w.call("fd_close", 2)).toBe(badFile);
  });

  it("take no more of a write than a line may have", () => {
    const w = world(4);
    list(w, 0, [100, 60_000]);
    expect(w.call("fd_write", 1, 0, 1, 64)).toBe(0);
    expect(w.view().getUint32(64, true)).toBe(60_000);
    expect(w.written[0]?.text.length).toBe(4);
  });

  it("refuse what is outside of the memory", () => {
    const w = world();
    list(w, 0, [0x7fffffff, -1]);
    expect(w.call("fd_write", 1, 0, 1, 64)).toBe(fault);
    expect(w.call("fd_read", 0, 0, 1, 64)).toBe(fault);
    expect(w.call("fd_write", 1, -8, 1, 64)).toBe(fault);
    expect(w.call("fd_write", 1, 0, -1, 64)).toBe(fault);
    list(w, 0, [100, 1]);
    expect(w.call("fd_write", 1, 0, 1, -2)).toBe(fault);
    expect(w.call("fd_fdstat_get", 0, -4)).toBe(fault);
  });

  it("hold nothing to read, and no folder", () => {
    const w = world();
    list(w, 0, [100, 10]);
    w.view().setUint32(64, 7, true);
    expect(w.call("fd_read", 0, 0, 1, 64)).toBe(0);
    expect(w.view().getUint32(64, true)).toBe(0);
    expect(w.call("fd_read", 2, 0, 1, 64)).toBe(badFile);
    expect(w.call("fd_prestat_get", 3, 64)).toBe(badFile);
    expect(w.call("fd_prestat_dir_name", 3, 64, 10)).toBe(badFile);
    expect(w.call("fd_fdstat_get", 1, 64)).toBe(0);
    expect(w.view().getUint8(64)).toBe(2);
    expect(w.call("fd_fdstat_get", 9, 64)).toBe(badFile);
    expect(w.call("fd_fdstat_set_flags", 1, 4)).toBe(0);
  });
});

describe("the rest", () => {
  it("sleeps for no time", () => {
    const w = world();
    const subscription = (i: number, user: bigint, kind: number): void => {
      w.view().setBigUint64(48 * i, user, true);
      w.view().setUint8(48 * i + 8, kind);
      w.view().setBigUint64(48 * i + 24, 3_600_000_000_000n, true);
    };
    subscription(0, 11n, 1); // of standard input: told last
    w.view().setInt32(16, 0, true);
    subscription(1, 12n, 0);
    expect(w.call("poll_oneoff", 0, 1024, 2, 512)).toBe(0);
    expect(w.view().getUint32(512, true)).toBe(2);
    expect([w.view().getBigUint64(1024, true), w.view().getBigUint64(1056, true)]).toEqual([12n, 11n]);
    expect(w.call("poll_oneoff", 0, 1024, 0, 512)).toBe(invalid);
    expect(w.call("poll_oneoff", 0, 1024, -1, 512)).toBe(fault);
    w.view().setUint16(48 + 40, 1, true); // at a time of a clock
    expect(w.call("poll_oneoff", 48, 1024, 1, 512)).toBe(58);
  });

  it("has no arguments and no environment", () => {
    const w = world();
    for (const name of ["args", "environ"]) {
      w.view().setUint32(0, 9, true);
      expect(w.call(`${name}_sizes_get`, 0, 4)).toBe(0);
      expect(w.view().getUint32(0, true)).toBe(0);
      expect(w.call(`${name}_get`, 0, 4)).toBe(0);
      expect(w.call(`${name}_sizes_get`, -1, 4)).toBe(fault);
    }
    expect(w.call("sched_yield")).toBe(0);
  });

  it("ends with what was asked for, as something that can be told from other errors", () => {
    const w = world();
    expect(() => w.call("proc_exit", 3)).toThrow(Exit);
    try {
      w.call("proc_exit", 3);
    } catch (thrown) {
      expect(thrown).toMatchObject({ code: 3, name: "Exit" });
    }
  });

  it("sees the memory after it grew", () => {
    const w = world();
    expect(w.call("random_get", 65_536, 8)).toBe(fault);
    w.memory.grow(1);
    expect(w.call("random_get", 65_536, 8)).toBe(0);
    expect(w.view().getBigUint64(65_536, true)).not.toBe(0n);
  });

  it("faults while there is no memory", () => {
    const { random_get: roll } = wasi(() => undefined).imports;
    expect((roll as (at: number, size: number) => number)(0, 8)).toBe(fault);
  });
});

describe("what modules of the stock Go compiler import", () => {
  const root = fileURLToPath(new URL("../../../../../", import.meta.url));
  for (const file of ["build/core.wasm", "build/policies/drf.wasm", "build/policies/binpacking-go.wasm"]) {
    it.skipIf(!existsSync(root + file))(`is there for ${file} (needs it to be built)`, () => {
      const there = Object.keys(wasi(() => undefined).imports);
      const wanted = WebAssembly.Module.imports(new WebAssembly.Module(readFileSync(root + file))).filter((i) => i.module === wasiModule);
      expect(wanted.length).toBeGreaterThan(5);
      for (const i of wanted) expect(there).toContain(i.name);
    });
  }
});
