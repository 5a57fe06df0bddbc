// Spreads over the domains of an attribute: the least used domain first, and in it the least used node. README.md has
// the formula.
import { BAD_FRAME, Frame, OK, Text, Value, fail, manifest, parameters } from "quern";
export * from "quern/module";

manifest(`{
  "name": "zone-spread",
  "version": "1.0.0",
  "abi": "1.0",
  "description": "Nodes of the least used domain first, zones say; in a domain the least used node",
  "parameters": {
    "domain": {
      "type": "text", "default": "zone",
      "description": "the attribute whose texts are the domains; nodes without it come last"
    }
  },
  "points": {
    "node.score": {
      "columns": ["attribute_code:$domain", "used:*", "capacity:*"], "keys": 1, "depends": "siblings", "fallback": "fair"
    }
  }
}`);

parameters((_name: Text, _value: Value): u32 => OK); // the domain is a matter of columns

const MOST_DOMAINS: u32 = 1024;
const MOST_TYPES: u32 = 31; // of 64 columns
const LARGEST: u64 = 1 << 53;
const MOST: u64 = 1 << 62; // sums stop here

// A domain: what its nodes have and use of each type, one pair behind the other, and the place of the domain.
@unmanaged @final
class Domain {
  code: f64;
  usage: f64;
  place: u32;
  spare: u32;
}

const SIZE: u32 = <u32>offsetof<Domain>() + MOST_TYPES * 16;
const domains = heap.alloc(MOST_DOMAINS * SIZE);
const SLOTS: u32 = 4096; // a power of two, above MOST_DOMAINS
const slots = heap.alloc(SLOTS * 4); // number of the domain + 1, by hash of its code; 0: none
let count: u32 = 0;

@inline
function domain(i: u32): Domain {
  return changetype<Domain>(domains + i * SIZE);
}

// What domain i has (offset 0) or uses (offset 8) of a type.
@inline
function sum(i: u32, type: u32, offset: usize): usize {
  return domains + i * SIZE + offsetof<Domain>() + type * 16 + offset;
}

// Whole numbers from 0 to 2^53; what is no number counts as 0. Sums of them do not depend on the order of the rows.
@inline
function whole(v: f64): u64 {
  return v > 0 ? (v < <f64>LARGEST ? <u64>v : LARGEST) : 0;
}

@inline
function add(at: usize, v: f64): void {
  store<u64>(at, min(load<u64>(at) + whole(v), MOST));
}

// The slot of a code: that of its domain, or an empty one.
function slotOf(code: f64): usize {
  let i = (<u32>whole(code) * 0x9e3779b1) >> 20;
  let known = load<u32>(slots + (i << 2));
  while (known != 0 && domain(known - 1).code != code) {
    i = (i + 1) & (SLOTS - 1);
    known = load<u32>(slots + (i << 2));
  }
  return slots + (i << 2);
}

// The number of the domain of a node, from 0; below 0 where it is in none.
@inline
function domainOf(code: f64): i32 {
  return code > 0 ? <i32>load<u32>(slotOf(code)) - 1 : -1;
}

// Adds the domain of a node, if it is new.
function enter(code: f64): bool {
  const at = slotOf(code);
  if (load<u32>(at) != 0) return true;
  if (count == MOST_DOMAINS) return false;
  memory.fill(domains + count * SIZE, 0, SIZE);
  domain(count).code = code;
  store<u32>(at, ++count);
  return true;
}

// The largest share of a type that is in use, of `types` pairs.
function usageOf(i: u32, types: u32): f64 {
  let most: f64 = 0;
  for (let t: u32 = 0; t < types; t++) {
    const has = load<u64>(sum(i, t, 0));
    if (has) most = max(most, <f64>load<u64>(sum(i, t, 8)) / <f64>has);
  }
  return most;
}

// Reads the frame into domains. False where there are too many.
function gather(frame: Frame, types: u32): bool {
  memory.fill(slots, 0, SLOTS * 4);
  count = 0;
  const code = frame.column(0);
  for (let i: u32 = 0; i < frame.asked; i++) {
    const row = frame.row(i);
    const c = code.at(row);
    if (!(c > 0)) continue;
    if (!enter(c)) return false;
    const d = <u32>domainOf(c);
    for (let t: u32 = 0; t < types; t++) {
      add(sum(d, t, 0), frame.column(1 + types + t).at(row));
      add(sum(d, t, 8), frame.column(1 + t).at(row));
    }
  }
  return true;
}

// Gives every domain its place: how many are used less.
function rank(types: u32): void {
  for (let i: u32 = 0; i < count; i++) domain(i).usage = usageOf(i, types);
  for (let i: u32 = 0; i < count; i++) {
    let place: u32 = 0;
    for (let j: u32 = 0; j < count; j++) {
      if (domain(j).usage < domain(i).usage) place++;
    }
    domain(i).place = place;
  }
}

// The largest share of a type that a node uses, squeezed below 1.
function usedOf(frame: Frame, types: u32, row: u32): f64 {
  let most: f64 = 0;
  for (let t: u32 = 0; t < types; t++) {
    const has = whole(frame.column(1 + types + t).at(row));
    if (has) most = max(most, <f64>whole(frame.column(1 + t).at(row)) / <f64>has);
  }
  return most / (1 + most);
}

export function node_score(at: usize): u32 {
  const frame = Frame.open(at, 1);
  if (frame == null) return BAD_FRAME;
  const types = (frame.columns - 1) / 2;
  if (types > MOST_TYPES) return fail(BAD_FRAME, "expected at most 31 types");
  if (!gather(frame, types)) return fail(BAD_FRAME, "expected at most 1024 domains");
  rank(types);
  const code = frame.column(0);
  for (let i: u32 = 0; i < frame.asked; i++) {
    const row = frame.row(i);
    const d = domainOf(code.at(row));
    const place = d < 0 ? count : domain(d).place;
    frame.answer(row, 0, -(<f64>place + usedOf(frame, types, row)));
  }
  return OK;
}
