// Frames: the rows that a point is asked about, and where its answers go.
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
