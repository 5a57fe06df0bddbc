/** Reads the sections of a WebAssembly module: what is needed to leave one out, and to find functions. */

export interface Section {
  readonly id: number;
  /** Where it begins, with its id. */
  readonly start: number;
  /** Where its content begins. */
  readonly from: number;
  readonly end: number;
}

/** An unsigned number in LEB128, and where it ends. */
export function unsigned(bytes: Uint8Array, at: number): readonly [value: number, end: number] {
  let value = 0;
  for (let shift = 0, i = at; i < bytes.length; i++, shift += 7) {
    const byte = bytes[i] ?? 0;
    value += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) return [value, i + 1];
  }
  throw new Error(`expected a number at byte ${String(at)}, found the end of the module`);
}

/** The sections of a module, in their order. */
export function sections(bytes: Uint8Array): Section[] {
  const list: Section[] = [];
  for (let at = 8; at < bytes.length;) {
    const [size, from] = unsigned(bytes, at + 1);
    list.push({ id: bytes[at] ?? 0, start: at, from, end: from + size });
    at = from + size;
  }
  return list;
}

/** A module without its custom sections of a name. */
export function withoutSection(bytes: Uint8Array, name: string): Uint8Array<ArrayBuffer> {
  const gone = sections(bytes).filter((one) => one.id === 0 && nameOf(bytes, one) === name);
  const kept = new Uint8Array(bytes.length - gone.reduce((sum, { start, end }) => sum + end - start, 0));
  let to = 0;
  let from = 0;
  for (const { start, end } of [...gone, { start: bytes.length, end: bytes.length }]) {
    kept.set(bytes.subarray(from, start), to);
    to += start - from;
    from = end;
  }
  return kept;
}

function nameOf(bytes: Uint8Array, { from }: Section): string {
  const [length, at] = unsigned(bytes, from);
  return new TextDecoder().decode(bytes.subarray(at, at + length));
}
