// Parameters: the values that an operator set, read from the JSON that a host writes, where it wrote it.
import { decimal } from "./number";
import { Text, text } from "./text";

// The value of a parameter, or an item of one. Which of the methods fits is what the manifest says.
@unmanaged @final
export class Value {
  start: usize;
  end: usize;

  // A number, or an integer.
  number(): f64 {
    return decimal(this.start, this.end);
  }

  boolean(): bool {
    return this.start < this.end && load<u8>(this.start) == 0x74;
  }

  // A text, with its escapes undone in place: a value can be read so once.
  text(): Text {
    return unescaped(this.start, this.end);
  }

  // The numbers of a list, or the weights by name. Allocates.
  items(): Items {
    return items(this.start, this.end);
  }
}

// The members of an object, or the items of a list (whose names are empty): next() until it is false.
@unmanaged @final
export class Items {
  at: usize;
  end: usize;
  object: bool;
  started: bool;
  nameStart: usize;
  nameEnd: usize;
  item: Value;

  name(): Text {
    return unescaped(this.nameStart, this.nameEnd);
  }

  value(): Value {
    return this.item;
  }

  next(): bool {
    if (!this.started) {
      this.started = true;
      this.object = this.take(0x7b);
      if (!this.object && !this.take(0x5b)) return false;
    } else if (!this.take(0x2c)) {
      return false;
    }
    if (this.take(this.object ? 0x7d : 0x5d)) return false;
    if (this.object) {
      this.nameStart = this.at;
      this.skip();
      this.nameEnd = this.at;
      if (!this.take(0x3a)) return false;
    }
    this.item.start = this.at;
    this.skip();
    this.item.end = this.at;
    return this.item.end > this.item.start;
  }

  // Takes one character, if it comes next.
  private take(c: u8): bool {
    while (this.at < this.end && load<u8>(this.at) <= 0x20) this.at++;
    if (this.at >= this.end || load<u8>(this.at) != c) return false;
    this.at++;
    while (this.at < this.end && load<u8>(this.at) <= 0x20) this.at++;
    return true;
  }

  // Takes the value that comes next.
  private skip(): void {
    let depth = 0, quoted = false;
    for (; this.at < this.end; this.at++) {
      const c = load<u8>(this.at);
      if (quoted) {
        if (c == 0x5c) this.at++;
        else if (c == 0x22) quoted = false;
      } else if (c == 0x22) {
        quoted = true;
      } else if (c == 0x7b || c == 0x5b) {
        depth++;
      } else if (depth == 0 && (c == 0x2c || c == 0x3a || c == 0x7d || c == 0x5d)) {
        break;
      } else if (c == 0x7d || c == 0x5d) {
        depth--;
      }
    }
    if (this.at > this.end) this.at = this.end;
  }
}

// The items of the JSON from start to end.
export function items(start: usize, end: usize): Items {
  const i = changetype<Items>(heap.alloc(offsetof<Items>()));
  memory.fill(changetype<usize>(i), 0, offsetof<Items>());
  i.at = start;
  i.end = end;
  i.item = changetype<Value>(heap.alloc(offsetof<Value>()));
  return i;
}

function unescaped(start: usize, end: usize): Text {
  if (start >= end || load<u8>(start) != 0x22) return text(start, 0);
  let to = start + 1;
  let at = to;
  end--;
  while (at < end) {
    let c = <u32>load<u8>(at++);
    if (c != 0x5c || at >= end) {
      store<u8>(to++, <u8>c);
      continue;
    }
    c = load<u8>(at++);
    if (c != 0x75) {
      store<u8>(to++, control(<u8>c));
      continue;
    }
    c = four(at);
    at += 4;
    if (c >> 10 == 0x36 && load<u8>(at, 1) == 0x75) {
      c = 0x10000 + ((c & 0x3ff) << 10) + (four(at + 2) & 0x3ff);
      at += 6;
    }
    to = utf8(to, c);
  }
  return text(start + 1, <u32>(to - start - 1));
}

function control(c: u8): u8 {
  switch (c) {
    case 0x6e: return 0x0a;
    case 0x74: return 0x09;
    case 0x72: return 0x0d;
    case 0x62: return 0x08;
    case 0x66: return 0x0c;
    default: return c;
  }
}

function four(at: usize): u32 {
  let code: u32 = 0;
  for (let i: usize = 0; i < 4; i++) {
    const c = <u32>load<u8>(at + i);
    code = (code << 4) | (c <= 0x39 ? c - 0x30 : (c | 0x20) - 0x57);
  }
  return code;
}

function utf8(to: usize, c: u32): usize {
  if (c < 0x80) {
    store<u8>(to, <u8>c);
    return to + 1;
  }
  const n: usize = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
  for (let i = n - 1; i > 0; i--) {
    store<u8>(to + i, <u8>(0x80 | (c & 0x3f)));
    c >>= 6;
  }
  store<u8>(to, <u8>((0xf00 >> <u32>n) | c));
  return to + n;
}
