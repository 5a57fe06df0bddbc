var e=`// Frames: the rows that a point is asked about, and where its answers go.
import { BAD_FRAME, fail } from "./policy";

const MOST_COLUMNS: u32 = 64;

// A column of the frame that was opened last.
@unmanaged @final
export class Column {
  base: usize;
  stride: u32;
  argument: u32; // code, in the dictionary, of what the column is about; 0 where it takes no argument

  // The number of a row, which must be one that the frame has.
  @inline
  at(row: u32): f64 {
    return load<f64>(this.base + row * this.stride);
  }
}

// A frame: n rows there are, some of them asked about. There is one at a time.
@unmanaged @final
export class Frame {
  rows: u32;
  asked: u32;
  columns: u32; // a column about * stands for several
  keys: u32;
  index: usize; // 0: the rows to answer are 0 to rows-1
  answers: usize;

  // The frame at an address that a host gave; null where it is of a version or shape that is not understood. keys must be
  // those of the manifest.
  @inline
  static open(at: usize, keys: u32): Frame | null {
    return opened(at, keys);
  }

  // Column i, in the order of the manifest. Stops the module where there is none.
  @inline
  column(i: u32): Column {
    if (i >= this.columns) unreachable();
    return changetype<Column>(views + i * offsetof<Column>());
  }

  // The i-th row to answer.
  @inline
  row(i: u32): u32 {
    return this.index ? load<u32>(this.index + (i << 2)) : i;
  }

  // Writes key j, from 0, of a row's answer.
  @inline
  answer(row: u32, j: u32, value: f64): void {
    store<f64>(this.answers + ((row * this.keys + j) << 3), value);
  }
}

const views = memory.data(1024, 8); // 16 bytes for each
const frame = memory.data(32, 8);

function opened(at: usize, keys: u32): Frame | null {
  if (load<u32>(at, 4) >> 16 != 1) {
    fail(BAD_FRAME, "expected a frame of version 1, found one of another");
    return null;
  }
  if (load<u32>(at, 24) != keys || load<u32>(at, 28) > MOST_COLUMNS) {
    fail(BAD_FRAME, "expected frames with as many keys as the point has: the manifest differs");
    return null;
  }
  const f = changetype<Frame>(frame);
  f.rows = load<u32>(at, 8);
  f.asked = load<u32>(at, 12);
  f.columns = load<u32>(at, 28);
  f.keys = keys;
  const dense = (load<u32>(at, 20) & 1) != 0 && f.rows == f.asked;
  f.index = dense ? 0 : at + load<u32>(at, 32);
  f.answers = at + load<u32>(at, 36);
  let descriptor = at + load<u32>(at);
  for (let i: u32 = 0; i < f.columns; i++) {
    const c = changetype<Column>(views + i * offsetof<Column>());
    c.base = at + load<u32>(descriptor, 8);
    c.stride = load<u32>(descriptor, 12);
    c.argument = load<u32>(descriptor, 4);
    descriptor += load<u32>(at, 40);
  }
  return f;
}
`,t=`// What a policy module of Quern written in AssemblyScript is made of:
//
//   import { Frame, manifest } from "quern";
//   export * from "quern/module";
//
//   manifest(\`{"name":"biggest","version":"1.0.0","abi":"1.0","points":
//     {"node.score":{"columns":["free:vcore"],"keys":1,"depends":"row"}}}\`);
//
//   export function node_score(at: usize): u32 {
//     const frame = Frame.open(at, 1);
//     if (frame == null) return BAD_FRAME;
//     const free = frame.column(0);
//     for (let i: u32 = 0; i < frame.asked; i++) {
//       const row = frame.row(i);
//       frame.answer(row, 0, free.at(row));
//     }
//     return OK;
//   }
//
// asc --runtime stub --use abort= --exportStart _initialize: nothing is ever freed, so points must not allocate.
export { Column, Frame } from "./frame";
export { WeightedMean } from "./mean";
export { Text } from "./text";
export { Items, Value } from "./parameters";
export { BAD_CONFIG, BAD_FRAME, CANNOT_SERVE, OK, fail, manifest, parameters, texts } from "./policy";
`,n=`// The weighted mean that the scheduler's own orders of nodes go by.
import { BAD_CONFIG, OK, fail } from "./policy";
import { Column, Frame } from "./frame";
import { Text } from "./text";
import { Value } from "./parameters";

const MOST_WEIGHTS = 64;
const MOST_NAME_BYTES: u32 = 4096;

// A weight. Its name is at the address; a code of 0 has not come up.
@unmanaged @final
class Weight {
  code: u32;
  thousandths: u32;
  name: usize;
  bytes: u32;
}

// A column that counts, of the open frame.
@unmanaged @final
class Weighted {
  base: usize;
  stride: u32;
  weight: u32;
}

// The weighted mean of columns about types, such as share:*: for a row, the sum of weight * value over the sum of weights,
// rounded down, exact for values below 2^53. Values below 0 do not count, nor do types without a weight. Weights
// count in thousandths.
//
// Configure it with a parameter of type weights, hand it all texts, and open it for each frame.
@final
export class WeightedMean {
  private weights: usize = heap.alloc(MOST_WEIGHTS * offsetof<Weight>());
  private columns: usize = heap.alloc(MOST_WEIGHTS * offsetof<Weighted>());
  private names: usize = heap.alloc(MOST_NAME_BYTES);
  private end: usize = 0; // of the columns
  private count: i32 = 0;

  // Sets the weights. Fails where one is below 0 or above a million, and where there are more than 64.
  configure(weights: Value): u32 {
    const items = weights.items();
    let named: u32 = 0;
    this.count = 0;
    while (items.next()) {
      const thousandths = items.value().number() * 1000 + 0.5;
      if (!(thousandths >= 0 && thousandths < <f64>(1 << 30))) return fail(BAD_CONFIG, "weights: expected 0 to 1000000");
      if (thousandths < 1) continue;
      const name = items.name();
      if (this.count == MOST_WEIGHTS || named + name.bytes >= MOST_NAME_BYTES) {
        return fail(BAD_CONFIG, "weights: expected at most 64, with 4095 bytes of names");
      }
      const w = this.weight(this.count++);
      w.code = 0;
      w.thousandths = <u32>thousandths;
      w.name = this.names + named;
      w.bytes = name.bytes;
      memory.copy(w.name, name.start, name.bytes);
      named += name.bytes;
    }
    return OK;
  }

  // Takes a text, which may be a type's name.
  text(code: u32, text: Text): void {
    for (let i = 0; i < this.count; i++) {
      const w = this.weight(i);
      if (w.bytes == text.bytes && memory.compare(w.name, text.start, w.bytes) == 0) w.code = code;
    }
  }

  // Takes a frame whose columns from first on are the ones that the mean is of.
  open(frame: Frame, first: u32): void {
    const full = this.columns + MOST_WEIGHTS * offsetof<Weighted>();
    this.end = this.columns;
    for (let i = first; i < frame.columns; i++) {
      const column = frame.column(i);
      for (let j = 0; j < this.count; j++) {
        const w = this.weight(j);
        if (column.argument != 0 && column.argument == w.code && this.end < full) this.choose(column, w);
      }
    }
  }

  private choose(column: Column, w: Weight): void {
    const c = changetype<Weighted>(this.end);
    c.base = column.base;
    c.stride = column.stride;
    c.weight = w.thousandths;
    this.end += offsetof<Weighted>();
  }

  @inline
  private weight(i: i32): Weight {
    return changetype<Weight>(this.weights + <usize>i * offsetof<Weight>());
  }

  // The mean for a row, 0 where nothing counts.
  at(row: u32): f64 {
    let sum: u64 = 0, weights: u64 = 0, all: u64 = 0;
    for (let at = this.columns, end = this.end; at < end; at += offsetof<Weighted>()) {
      const c = changetype<Weighted>(at);
      const v = <i64>load<f64>(c.base + row * c.stride);
      if (v < 0) continue;
      sum += <u64>v * c.weight;
      weights += c.weight;
      all |= <u64>v;
    }
    if (weights == 0) return 0;
    if ((all | weights) >> 32) return <f64>this.large(row, weights);
    return <f64>(sum / weights); // below 2^64, since weights and values are below 2^32
  }

  // The mean of values that may be as large as they get: weights are below 2^36 together and values below 2^53, so that
  // sums of the upper 27 bits and of the lower 26 bits of values are below 2^63.
  private large(row: u32, weights: u64): u64 {
    let high: u64 = 0, low: u64 = 0;
    for (let at = this.columns; at < this.end; at += offsetof<Weighted>()) {
      const c = changetype<Weighted>(at);
      const v = <i64>load<f64>(c.base + row * c.stride);
      if (v < 0) continue;
      high += (<u64>v >> 26) * c.weight;
      low += (<u64>v & 0x3ffffff) * c.weight;
    }
    return ((high / weights) << 26) + (((high % weights) << 26) + low) / weights;
  }
}
`,r=`// What every module exports beside its points: export * from "quern/module".
import { BAD_FRAME, OK, fail, failure, manifestText, minorVersion, onParameter, onText } from "./policy";
import { items } from "./parameters";
import { text } from "./text";

let arena: usize = 0;
let room: usize = 0;

export function quern_abi(): u32 {
  return 1 << 16 | minorVersion();
}

export function quern_manifest(): usize {
  if (manifestText == null) unreachable();
  return changetype<usize>(manifestText);
}

export function quern_error(): usize {
  return failure;
}

// What the arena has outgrown is lost, half of what there is at most, since it grows to twice its size at least.
export function quern_reserve(bytes: u32): usize {
  if (bytes > 0x3fff0000) return 0;
  if (arena == 0 || <usize>bytes > room) {
    const wanted = max<usize>(bytes, min<usize>(room * 2, 0x3fff0000)) + 64;
    const end = heap.alloc(0) + wanted + 32;
    const have = <usize>memory.size() << 16;
    if (end > have && memory.grow(<i32>((end - have + 0xffff) >> 16)) < 0) return 0;
    arena = (heap.alloc(wanted) + 63) & ~63;
    room = wanted - 64;
  }
  return arena;
}

export function quern_configure(at: usize, bytes: u32): u32 {
  const all = items(at, at + bytes);
  while (all.next()) {
    const code = onParameter(all.name(), all.value());
    if (code != OK) return code;
  }
  return OK;
}

export function quern_dictionary(at: usize, bytes: u32): u32 {
  const first = load<u32>(at), n = load<u32>(at, 4);
  if (bytes < 8 || n > (bytes - 8) / 4) return fail(BAD_FRAME, "expected texts, found too few bytes");
  const body = at + 8 + 4 * n;
  const most = bytes - 8 - 4 * n;
  let start: u32 = 0;
  for (let i: u32 = 0; i < n; i++) {
    const end = load<u32>(at + 8 + 4 * i);
    if (end < start || end > most) return fail(BAD_FRAME, "expected texts one behind the other");
    onText(first + i, text(body + start, end - start));
    start = end;
  }
  return OK;
}
`,i=`// The f64 nearest to a decimal number, ties to even, as every SDK reads it (the standard library's parseFloat is off by a
// bit at times). The decimal is doubled and halved digit by digit: slow (configurations are read once), small and exact.

const DIGITS: i32 = 1200; // the longest decimal that any halving of 17 digits to the least f64 comes by

// 0.d0d1d2… * 10^point
const d = memory.data(1201, 1);
let n: i32 = 0;
let point: i32 = 0;

function trim(): void {
  let zeros = 0;
  while (zeros < n && load<u8>(d + zeros) == 0) zeros++;
  n -= zeros;
  point -= zeros;
  if (zeros) memory.copy(d, d + zeros, n);
  while (n > 0 && load<u8>(d + n - 1) == 0) n--;
}

function halve(): void {
  let rest: u32 = 0;
  for (let i = 0; i < n; i++) {
    const v = rest * 10 + load<u8>(d + i);
    store<u8>(d + i, v / 2);
    rest = v % 2;
  }
  if (rest && n < DIGITS) store<u8>(d + n++, 5);
  trim();
}

function double(): void {
  let carry: u32 = 0;
  if (n == DIGITS) n--;
  for (let i = n - 1; i >= 0; i--) {
    const v = <u32>load<u8>(d + i) * 2 + carry;
    store<u8>(d + i + 1, v % 10);
    carry = v / 10;
  }
  store<u8>(d, carry);
  n++;
  point++;
  trim();
}

@inline
function isDigit(c: u8): bool {
  return c >= 0x30 && c <= 0x39;
}

function readDigits(at: usize, end: usize): void {
  let fraction = false;
  n = point = 0;
  for (; at < end && (load<u8>(at) == 0x2e || isDigit(load<u8>(at))); at++) {
    if (load<u8>(at) == 0x2e) {
      fraction = true;
      continue;
    }
    if (n < DIGITS) store<u8>(d + n++, load<u8>(at) - 0x30);
    if (!fraction) point++;
  }
  let power = 0;
  const below = at + 1 < end && load<u8>(at, 1) == 0x2d;
  for (; at < end; at++) {
    if (isDigit(load<u8>(at)) && power < 10000) power = power * 10 + load<u8>(at) - 0x30;
  }
  point += below ? -power : power;
  trim();
}

// The nearest whole number, below 2^54.
function rounded(): u64 {
  let whole: u64 = 0;
  for (let i = 0; i < point; i++) whole = whole * 10 + (i < n ? load<u8>(d + i) : 0);
  if (point < 0 || point >= n) return whole;
  const next = load<u8>(d + point);
  const half = next == 5 && point + 1 == n;
  return whole + (half ? whole & 1 : <u64>(next >= 5));
}

// 15 digits or fewer with a small power of ten: both are exact, so one operation rounds once. NaN where there are more.
function short(): f64 {
  const power = point - n;
  if (n > 15 || power > 22 || power < -22) return NaN;
  let whole: f64 = 0, ten: f64 = 1;
  for (let i = 0; i < n; i++) whole = whole * 10 + load<u8>(d + i);
  for (let i = power < 0 ? -power : power; i > 0; i--) ten *= 10;
  return power < 0 ? whole / ten : whole * ten;
}

function scaled(): f64 {
  let power = 0, bits = 53;
  for (; point > 0; power++) halve();
  for (; point < 0 || load<u8>(d) < 5; power--) double(); // until it is from 1/2 to below 1
  if (power < -1021) bits += power + 1021; // what is tiny has fewer bits
  for (let i = 0; i < bits; i++) double();
  for (let i = 0; i > bits; i--) halve();
  let v = <f64>rounded();
  for (let p = power - bits; p > 0; p--) v *= 2;
  for (let p = power - bits; p < 0; p++) v /= 2;
  return v;
}

export function decimal(start: usize, end: usize): f64 {
  const negative = start < end && load<u8>(start) == 0x2d;
  readDigits(negative ? start + 1 : start, end);
  let v: f64 = short();
  if (!isNaN(v)) return negative ? -v : v;
  v = 0;
  if (n && point > 310) v = Infinity;
  else if (n && point > -330) v = scaled();
  return negative ? -v : v;
}
`,a=`// Parameters: the values that an operator set, read from the JSON that a host writes, where it wrote it.
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
`,o=`// What a policy declares, and how it fails.
import { Value } from "./parameters";
import { Text } from "./text";

export const OK: u32 = 0;
export const BAD_FRAME: u32 = 1; // the frame is of a version or shape that the module does not understand
export const BAD_CONFIG: u32 = 2; // the configuration cannot be used
export const CANNOT_SERVE: u32 = 3; // the module cannot answer

const MOST_ERROR = 255;

export const failure = memory.data(MOST_ERROR + 1, 1);
export let manifestText: ArrayBuffer | null = null;
export let onParameter: (name: Text, value: Value) => u32 = noParameter;
export let onText: (code: u32, text: Text) => void = noText;

function noParameter(_name: Text, _value: Value): u32 {
  return OK;
}

function noText(_code: u32, _text: Text): void {}

// Declares the manifest, JSON. Every module does it once, outside of any function.
export function manifest(json: string): void {
  manifestText = String.UTF8.encode(json, true);
}

// The minor version that "abi" in the manifest says; 0 where it says none, which the host refuses.
export function minorVersion(): u32 {
  const text = manifestText;
  if (text == null) return 0;
  const start = changetype<usize>(text), end = start + text.byteLength;
  let at = start;
  while (at + 5 < end && (load<u32>(at) != 0x69626122 || load<u8>(at, 4) != 0x22)) at++; // "abi"
  while (at < end && load<u8>(at) != 0x2e) at++; // the dot between major and minor
  let minor: u32 = 0;
  for (at++; at < end && load<u8>(at) - 0x30 < 10; at++) minor = minor * 10 + load<u8>(at) - 0x30;
  return minor;
}

// Names the function that is called once for each parameter, before anything else; it returns OK or the code of a
// failure. The host has checked type and range.
export function parameters(f: (name: Text, value: Value) => u32): void {
  onParameter = f;
}

// Names the function that is called once for each text that comes up, before the first frame with its code.
export function texts(f: (code: u32, text: Text) => void): void {
  onText = f;
}

// Keeps a text (ASCII) for the operator, and is the code.
export function fail(code: u32, text: string): u32 {
  const n = min(text.length, MOST_ERROR);
  for (let i = 0; i < n; i++) store<u8>(failure + i, <u8>text.charCodeAt(i));
  store<u8>(failure + n, 0);
  return code;
}
`,s=`// Texts, in UTF-8, where a host wrote them. They live no longer than the call that they came with.

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
`;function c(e,t){let n=0;for(let r=0,i=t;i<e.length;i++,r+=7){let t=e[i]??0;if(n+=(t&127)*2**r,t<128)return[n,i+1]}throw Error(`expected a number at byte ${String(t)}, found the end of the module`)}function l(e){let t=[];for(let n=8;n<e.length;){let[r,i]=c(e,n+1);t.push({id:e[n]??0,start:n,from:i,end:i+r}),n=i+r}return t}function u(e,t){let n=l(e).filter(n=>n.id===0&&d(e,n)===t),r=new Uint8Array(e.length-n.reduce((e,{start:t,end:n})=>e+n-t,0)),i=0,a=0;for(let{start:t,end:o}of[...n,{start:e.length,end:e.length}])r.set(e.subarray(a,t),i),i+=t-a,a=o;return r}function d(e,{from:t}){let[n,r]=c(e,t);return new TextDecoder().decode(e.subarray(r,r+n))}const f=`policy.ts`,p=[`--runtime`,`stub`,`--use`,`abort=`,`--exportStart`,`_initialize`,`-O3`,`--noAssert`,`--sourceMap`,`--outFile`,`policy.wasm`],m=/* #__PURE__ */ Object.assign({"../../../../../../sdk/assemblyscript/frame.ts":e,"../../../../../../sdk/assemblyscript/index.ts":t,"../../../../../../sdk/assemblyscript/mean.ts":n,"../../../../../../sdk/assemblyscript/module.ts":r,"../../../../../../sdk/assemblyscript/number.ts":i,"../../../../../../sdk/assemblyscript/parameters.ts":a,"../../../../../../sdk/assemblyscript/policy.ts":o,"../../../../../../sdk/assemblyscript/text.ts":s});function h(e){let t=/* @__PURE__ */ new Map([[f,e],[`node_modules/quern/package.json`,`{"name":"quern","main":"index.ts"}`]]);for(let[e,n]of Object.entries(m))t.set(`node_modules/quern/${e.slice(e.lastIndexOf(`/`)+1)}`,n);return t}async function g(e){let t=await import(`../later/asc.js`),n=h(e),r=/* @__PURE__ */ new Map,i=[],a=t.createMemoryStream(),o=performance.now(),{error:s}=await t.main([f,...p],{readFile:e=>n.get(e.replace(/^\//,``))??null,writeFile:(e,t)=>{r.set(e,t)},listFiles:()=>[],reportDiagnostic:e=>{i.push(..._(e))},stdout:a,stderr:a}),c=performance.now()-o,l=r.get(`policy.wasm`),d=r.get(`policy.wasm.map`);if(s||!(l instanceof Uint8Array)){if(!i.some(({severity:e})=>e===`error`))throw s??/* @__PURE__ */ Error(`the compiler wrote no module`);return{map:``,remarks:i,took:c}}return{module:u(l,`sourceMappingURL`),map:typeof d==`string`?d:``,remarks:i,took:c}}function _({category:e,code:t,message:n,range:r}){let i={2:`warning`,3:`error`}[e];if(!i)return[];let a=r?.source.normalizedPath,o=r&&a===`policy.ts`?{from:r.start,to:Math.max(r.end,r.start)}:void 0;return[{severity:i,text:n,code:`${t<1e3?`AS`:`TS`}${t}`,at:o,file:o?void 0:a}]}self.onmessage=({data:{id:e,text:t}})=>{g(t).then(t=>v({kind:`compiled`,id:e,compiled:t}),t=>v({kind:`failed`,id:e,why:t instanceof Error?t.message:String(t)}))};function v(e){self.postMessage(e)}import(`../later/asc.js`).then(()=>v({kind:`ready`}),e=>{throw e});