// The weighted mean that the scheduler's own orders of nodes go by.
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
