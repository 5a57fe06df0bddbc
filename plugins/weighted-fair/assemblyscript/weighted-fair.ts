// Queues by what they use for each unit of weight. README.md has the formula.
import { BAD_CONFIG, BAD_FRAME, Frame, OK, Text, Value, fail, manifest, parameters, texts } from "quern";
export * from "quern/module";

manifest(`{
  "name": "weighted-fair",
  "version": "1.0.0",
  "abi": "1.0",
  "description": "Queues by what they use for each unit of weight; of equals the one with more pending first",
  "parameters": {
    "costs": {
      "type": "weights", "default": {"vcore": 1}, "min": 0, "max": 1000000000,
      "description": "what use costs: of a vcore, of a GiB of memory, of one of any other type; types that are not named cost nothing"
    }
  },
  "points": {
    "queue.order": {"columns": ["property:weight=1", "pending_share", "used:*"], "keys": 2, "depends": "row", "fallback": "fair"}
  }
}`);

const MOST_COSTS = 64;
const MOST_NAMES: u32 = 4096;

// A cost of a stored unit. The name is at the address; a code of 0 has not come up.
@unmanaged @final
class Cost {
  unit: f64;
  name: usize;
  bytes: u32;
  code: u32;
}

const costs = heap.alloc(MOST_COSTS * offsetof<Cost>());
const names = heap.alloc(MOST_NAMES);
let count = 0;

@inline
function cost(i: i32): Cost {
  return changetype<Cost>(costs + <usize>i * offsetof<Cost>());
}

// How many stored units the cost of a type is for.
function unitsOf(type: Text): f64 {
  return type.is("vcore") ? 1000 : type.is("memory") ? 1073741824 : 1;
}

function configure(value: Value): u32 {
  const items = value.items();
  let named: u32 = 0;
  while (items.next()) {
    const price = items.value().number();
    const name = items.name();
    if (count == MOST_COSTS || named + name.bytes > MOST_NAMES) return fail(BAD_CONFIG, "costs: expected at most 64, with 4096 bytes of names");
    const c = cost(count++);
    c.unit = price / unitsOf(name);
    c.name = names + named;
    c.bytes = name.bytes;
    c.code = 0;
    memory.copy(c.name, name.start, name.bytes);
    named += name.bytes;
  }
  return OK;
}

parameters((name: Text, value: Value): u32 => (name.is("costs") ? configure(value) : OK));

texts((code: u32, text: Text): void => {
  for (let i = 0; i < count; i++) {
    const c = cost(i);
    if (c.bytes == text.bytes && memory.compare(c.name, text.start, text.bytes) == 0) c.code = code;
  }
});

function unitCost(code: u32): f64 {
  for (let i = 0; i < count; i++) {
    if (code != 0 && cost(i).code == code) return cost(i).unit;
  }
  return 0;
}

// What is no number counts as nothing, and what is larger than any amount as the largest.
@inline
function amount(v: f64): f64 {
  return v > 0 ? min(v, 9007199254740992) : 0;
}

@inline
function weightOf(v: f64): f64 {
  return v > 0 && v < Infinity ? v : 1;
}

const prices = memory.data(64 * 8, 8);

export function queue_order(at: usize): u32 {
  const frame = Frame.open(at, 2);
  if (frame == null) return BAD_FRAME;
  for (let i: u32 = 2; i < frame.columns; i++) store<f64>(prices + (i << 3), unitCost(frame.column(i).argument));
  const weight = frame.column(0), pending = frame.column(1);
  for (let i: u32 = 0; i < frame.asked; i++) {
    const row = frame.row(i);
    frame.answer(row, 0, used(frame, row) / weightOf(weight.at(row)));
    frame.answer(row, 1, -amount(pending.at(row)));
  }
  return OK;
}

// What the queue uses comes to, at the prices.
function used(frame: Frame, row: u32): f64 {
  let sum: f64 = 0;
  for (let i: u32 = 2; i < frame.columns; i++) {
    const price = load<f64>(prices + (i << 3));
    if (price > 0) sum += price * amount(frame.column(i).at(row));
  }
  return sum;
}
