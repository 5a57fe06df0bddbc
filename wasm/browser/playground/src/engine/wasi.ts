/**
 * The functions of WASI that modules of the stock Go compiler import, served without a world behind them: a clock that
 * counts its readings, random bytes that are the same in each instance, no files, no arguments. They answer as the
 * host's engine does, so that a module takes the same steps here and there.
 */

/** What a module that ended itself (proc_exit) throws. Nothing of it is to be called any more. */
export class Exit extends Error {
  /** What it ended with. */
  readonly code: number;

  constructor(code: number) {
    super(`it exited with ${String(code)}`);
    this.name = "Exit";
    this.code = code;
  }
}

/** Takes what a module writes: fd 1 is its output, 2 its errors. The bytes are the callback's own. */
type Write = (fd: number, bytes: Uint8Array) => void;

/** The functions, for one instance. The memory is known only once the instance is there: attach it. */
export interface Wasi {
  readonly imports: WebAssembly.ModuleImports;
  attach(memory: WebAssembly.Memory): void;
}

/** The module that the functions are imported from. */
export const wasiModule = "wasi_snapshot_preview1";

/** Error numbers, as WASI counts them. */
const Errno = { none: 0, badFile: 8, fault: 21, invalid: 28, notSupported: 58 } as const;

const millisecond = 1_000_000n;
const beginning = 1_640_995_200_000n * millisecond; // of the clock, in ns: 2022 begins
const word = (1n << 64n) - 1n;

/** Makes the functions for one instance. What is longer than most bytes in one write is cut. */
export function wasi(write: Write, most = 64 << 10): Wasi {
  const world = new World(write, most);
  return { imports: world.imports(), attach: (memory) => { world.memory = memory; } };
}

class World {
  memory: WebAssembly.Memory | undefined;
  private view = new DataView(new ArrayBuffer(0));
  private wall = beginning - millisecond;
  private monotonic = -millisecond;
  private dice = 0n;
  private readonly open = new Set([0, 1, 2]);
  private readonly write: Write;
  private readonly most: number;

  constructor(write: Write, most: number) {
    this.write = write;
    this.most = most;
  }

  imports(): WebAssembly.ModuleImports {
    const none = (): number => Errno.none;
    const noFile = (): number => Errno.badFile;
    return {
      args_get: none,
      args_sizes_get: (count: number, bytes: number) => this.sizes(count, bytes),
      clock_time_get: (clock: number, _precision: bigint, at: number) => this.clock(clock, at >>> 0),
      environ_get: none,
      environ_sizes_get: (count: number, bytes: number) => this.sizes(count, bytes),
      fd_close: (fd: number) => (this.open.delete(fd) ? Errno.none : Errno.badFile),
      fd_fdstat_get: (fd: number, at: number) => this.describe(fd, at >>> 0),
      fd_fdstat_set_flags: (fd: number) => (this.open.has(fd) ? Errno.none : Errno.badFile),
      fd_prestat_dir_name: noFile,
      fd_prestat_get: noFile,
      fd_read: (fd: number, list: number, count: number, at: number) => this.readNothing(fd, list >>> 0, count >>> 0, at >>> 0),
      fd_write: (fd: number, list: number, count: number, at: number) => this.writeAll(fd, list >>> 0, count >>> 0, at >>> 0),
      poll_oneoff: (from: number, to: number, count: number, at: number) => this.poll(from >>> 0, to >>> 0, count >>> 0, at >>> 0),
      proc_exit: (code: number) => { throw new Exit(code); },
      random_get: (at: number, size: number) => this.roll(at >>> 0, size >>> 0),
      sched_yield: none,
    };
  }

  /** Reports whether the memory has these bytes, and looks it up again where it grew. */
  private has(at: number, size: number): boolean {
    if (!this.memory) return false;
    if (this.view.buffer !== this.memory.buffer) this.view = new DataView(this.memory.buffer);
    return at + size <= this.view.byteLength;
  }

  private sizes(count: number, bytes: number): number {
    return this.put32(count >>> 0, 0) && this.put32(bytes >>> 0, 0) ? Errno.none : Errno.fault;
  }

  private put32(at: number, value: number): boolean {
    if (!this.has(at, 4)) return false;
    this.view.setUint32(at, value, true);
    return true;
  }

  /** Each look at a clock finds a millisecond more. */
  private clock(clock: number, at: number): number {
    let now: bigint;
    if (clock === 0) now = this.wall += millisecond;
    else if (clock === 1) now = this.monotonic += millisecond;
    else return Errno.invalid;
    if (!this.has(at, 8)) return Errno.fault;
    this.view.setBigUint64(at, now, true);
    return Errno.none;
  }

  /** The three files that are open are character devices without flags. */
  private describe(fd: number, at: number): number {
    if (!this.has(at, 24)) return Errno.fault;
    if (!this.open.has(fd)) return Errno.badFile;
    for (let i = 0; i < 24; i++) this.view.setUint8(at + i, 0);
    this.view.setUint8(at, 2);
    return Errno.none;
  }

  private readNothing(fd: number, list: number, count: number, at: number): number {
    if (!this.open.has(fd)) return Errno.badFile;
    if (!this.has(list, count * 8)) return Errno.fault;
    for (let i = 0; i < count; i++) {
      const size = this.view.getUint32(list + 8 * i + 4, true);
      if (size === 0) continue;
      if (!this.has(this.view.getUint32(list + 8 * i, true), size)) return Errno.fault;
      if (fd !== 0) return Errno.badFile;
      break;
    }
    return this.put32(at, 0) ? Errno.none : Errno.fault;
  }

  private writeAll(fd: number, list: number, count: number, at: number): number {
    if (!this.open.has(fd)) return Errno.badFile;
    if (!this.has(list, count * 8)) return Errno.fault;
    let written = 0;
    for (let i = 0; i < count; i++) {
      const from = this.view.getUint32(list + 8 * i, true);
      const size = this.view.getUint32(list + 8 * i + 4, true);
      if (!this.has(from, size)) return Errno.fault;
      if (fd === 0) return Errno.badFile;
      this.write(fd, new Uint8Array(this.view.buffer, from, Math.min(size, this.most)).slice());
      written += size;
    }
    return this.put32(at, written >>> 0) ? Errno.none : Errno.fault;
  }

  /** Never sleeps: what is waited for is there. */
  private poll(from: number, to: number, count: number, at: number): number {
    if (count === 0) return Errno.invalid;
    if (!this.has(from, count * 48) || !this.has(to, count * 32) || !this.has(at, 4)) return Errno.fault;
    new Uint8Array(this.view.buffer, to, count * 32).fill(0);
    this.put32(at, count);
    const late: number[] = [];
    let events = 0;
    for (let i = 0; i < count; i++) {
      const errno = this.subscription(from + 48 * i);
      if (typeof errno === "object") return errno.fails;
      if (errno === undefined) late.push(i);
      else this.event(to + 32 * events++, from + 48 * i, errno);
    }
    for (const i of late) this.event(to + 32 * events++, from + 48 * i, Errno.none);
    return Errno.none;
  }

  /** What comes of a subscription; undefined: it is told behind the others, since it waits for input. */
  private subscription(at: number): number | undefined | { fails: number } {
    const kind = this.view.getUint8(at + 8);
    if (kind === 0) {
      const flags = this.view.getUint16(at + 40, true);
      if (flags === 0) return Errno.none;
      return { fails: flags === 1 ? Errno.notSupported : Errno.invalid };
    }
    if (kind > 2) return { fails: Errno.invalid };
    const fd = this.view.getInt32(at + 16, true);
    if (fd < 0) return { fails: Errno.badFile };
    if (!this.open.has(fd)) return Errno.badFile;
    return kind === 1 ? undefined : Errno.notSupported;
  }

  private event(to: number, from: number, errno: number): void {
    this.view.setBigUint64(to, this.view.getBigUint64(from, true), true);
    this.view.setUint16(to + 8, errno, true);
    this.view.setUint32(to + 10, this.view.getUint8(from + 8), true);
  }

  /** The generator of the host: what is not a whole number of 8 bytes drops the rest of the last ones. */
  private roll(at: number, size: number): number {
    if (!this.has(at, size)) return Errno.fault;
    for (let i = 0; i < size; i += 8) {
      this.dice = (this.dice + 0x9e3779b97f4a7c15n) & word;
      let bits = ((this.dice ^ (this.dice >> 30n)) * 0xbf58476d1ce4e5b9n) & word;
      bits ^= bits >> 31n;
      if (size - i >= 8) {
        this.view.setBigUint64(at + i, bits, true);
        continue;
      }
      for (let j = i; j < size; j++, bits >>= 8n) this.view.setUint8(at + j, Number(bits & 255n));
    }
    return Errno.none;
  }
}
