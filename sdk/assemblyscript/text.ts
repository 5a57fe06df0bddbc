// Texts, in UTF-8, where a host wrote them. They live no longer than the call that they came with.

@unmanaged @final
export class Text {
  start: usize;
  bytes: u32;

  // Whether it is that text.
  is(other: string): bool {
    let at = this.start;
    const end = at + this.bytes;
    for (let i = 0; i < other.length; i++) {
      const code = <u32>other.codePointAt(i);
      if (code > 0xffff) i++;
      const size = utf8Size(code);
      if (at + size > end || !utf8Is(at, code, size)) return false;
      at += size;
    }
    return at == end;
  }
}

function utf8Size(code: u32): usize {
  return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
}

function utf8Is(at: usize, code: u32, size: usize): bool {
  if (size == 1) return load<u8>(at) == code;
  for (let i = size - 1; i > 0; i--) {
    if (load<u8>(at + i) != (0x80 | (code & 0x3f))) return false;
    code >>= 6;
  }
  return load<u8>(at) == (((0xf00 >> <u32>size) & 0xff) | code);
}

const one = memory.data(8, 8);

// The one text there is at a time.
export function text(start: usize, bytes: u32): Text {
  const t = changetype<Text>(one);
  t.start = start;
  t.bytes = bytes;
  return t;
}
