/** A memory, seen as bytes and as words; looked up again where it grew, since that leaves the old views empty. */
export class Bytes {
  private readonly memory: WebAssembly.Memory;
  private bytes = new Uint8Array(0);
  private ints = new Int32Array(0);

  constructor(memory: WebAssembly.Memory) {
    this.memory = memory;
  }

  get all(): Uint8Array {
    this.look();
    return this.bytes;
  }

  get words(): Int32Array {
    this.look();
    return this.ints;
  }

  private look(): void {
    if (this.bytes.length > 0) return;
    this.bytes = new Uint8Array(this.memory.buffer);
    this.ints = new Int32Array(this.memory.buffer);
  }

  /** A copy of these bytes, as far as there are any. */
  cut(at: number, size: number): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.all.subarray(at, at + size));
  }

  text(at: number, size: number): string {
    return new TextDecoder().decode(this.cut(at, size));
  }
}

/** Below this many bytes a loop over words is faster than a copy by the engine. */
const fewBytes = 64;

/** Copies bytes from one memory to another. */
export function copy(from: Bytes, at: number, to: Bytes, there: number, size: number): void {
  if (size > fewBytes || ((at | there | size) & 3) !== 0) {
    to.all.set(from.all.subarray(at, at + size), there);
    return;
  }
  const source = from.words;
  const target = to.words;
  for (let i = at >> 2, j = there >> 2, end = (at + size) >> 2; i < end; i++, j++) target[j] = source[i] ?? 0;
}
