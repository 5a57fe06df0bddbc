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

const MOST_DOMAINS: u32 = 4096; // what is beyond counts as none
const SLOTS: u32 = 8192; // a power of two, well above that
const MOST_TYPES: u32 = 31; // of 64 columns
const LARGEST: u64 = 1 << 53;
const MOST: u64 = 1 << 62; // sums stop here
const FINE: f64 = 1073741824; // parts that shares of domains are told apart by

// A domain. Behind it stand, for each type, what its nodes have and what they use.
@unmanaged @final
class Domain {
  code: f64;
  place: f64; // from 0, of the least used, to below FINE
}

let types: u32 = 0; // of the open frame
let count: u32 = 0; // domains in it
const slots = heap.alloc(SLOTS * 4); // number of the domain + 1, by its code; 0: none
let domains: usize = 0;
let room: u32 = 0; // types that domains have room for

@inline
function domain(i: u32): Domain {
  return changetype<Domain>(domains + i * (<u32>offsetof<Domain>() + types * 16));
}

// Where the sums of domain i about a type are.
@inline
function sums(i: u32, type: u32): usize {
  return changetype<usize>(domain(i)) + offsetof<Domain>() + type * 16;
}

// Whole numbers from 0 to 2^53; what is no number counts as 0. Sums of them do not depend on the order of the rows.
@inline
function whole(v: f64): u64 {
  return v > 0 ? (v < <f64>LARGEST ? <u64>v : LARGEST) : 0;
}

// Shares from 0 on, in order, below 1.
@inline
function squeezed(share: f64): f64 {
  return share / (1 + share);
}

// The slot of a code: that of its domain, or an empty one. Codes are small and count from 1, so few share a slot.
@inline
function slotOf(code: f64): usize {
  let i = <u32>whole(code) & (SLOTS - 1);
  let known = load<u32>(slots + (i << 2));
  while (known != 0 && domain(known - 1).code != code) {
    i = (i + 1) & (SLOTS - 1);
    known = load<u32>(slots + (i << 2));
  }
  return slots + (i << 2);
}

// The number of the domain of a code, from 0; MOST_DOMAINS where there is none.
@inline
function domainOf(code: f64): u32 {
  const known = code > 0 ? load<u32>(slotOf(code)) : 0;
  return known ? known - 1 : MOST_DOMAINS;
}

// The same, and the domain is there afterwards, if there is room for one more.
function entered(code: f64): u32 {
  if (!(code > 0)) return MOST_DOMAINS;
  const at = slotOf(code);
  if (load<u32>(at)) return load<u32>(at) - 1;
  if (count == MOST_DOMAINS) return MOST_DOMAINS;
  const d = domain(count);
  memory.fill(changetype<usize>(d), 0, offsetof<Domain>() + types * 16);
  d.code = code;
  store<u32>(at, ++count);
  return count - 1;
}

// Makes room for a frame with so many types.
function begin(n: u32): void {
  types = n;
  if (n > room || domains == 0) {
    room = min(max(n, 2 * room), MOST_TYPES); // what is outgrown is lost
    domains = heap.alloc((MOST_DOMAINS + 1) * (<u32>offsetof<Domain>() + room * 16)); // the last is that of nodes in none
  }
  memory.fill(slots, 0, SLOTS * 4);
  count = 0;
}

// Adds a node to its domain, and returns the largest share of a type that the node uses, squeezed.
function gather(frame: Frame, row: u32): f64 {
  const n = types;
  let at = sums(entered(frame.column(0).at(row)), 0);
  let most: f64 = 0;
  for (let t: u32 = 0; t < n; t++) {
    const has = whole(frame.column(1 + n + t).at(row));
    if (has) {
      const used = whole(frame.column(1 + t).at(row));
      const share = <f64>used / <f64>has;
      if (share > most) most = share;
      store<u64>(at, min(load<u64>(at) + has, MOST));
      store<u64>(at, min(load<u64>(at, 8) + used, MOST), 8);
    }
    at += 16;
  }
  return squeezed(most);
}

// Places a domain by the largest share of a type that is in use.
function place(i: u32): void {
  let most: f64 = 0;
  for (let t: u32 = 0; t < types; t++) {
    const has = load<u64>(sums(i, t));
    if (has) most = max(most, <f64>load<u64>(sums(i, t), 8) / <f64>has);
  }
  domain(i).place = Math.floor(FINE * squeezed(most));
}

export function node_score(at: usize): u32 {
  const frame = Frame.open(at, 1);
  if (frame == null) return BAD_FRAME;
  const n = (frame.columns - 1) / 2;
  if (n > MOST_TYPES) return fail(BAD_FRAME, "expected at most 31 types");
  begin(n);
  for (let i: u32 = 0; i < frame.asked; i++) {
    const row = frame.row(i);
    frame.answer(row, 0, gather(frame, row));
  }
  for (let i: u32 = 0; i < count; i++) place(i);
  const code = frame.column(0);
  for (let i: u32 = 0; i < frame.asked; i++) {
    const row = frame.row(i);
    const d = domainOf(code.at(row));
    const first = d == MOST_DOMAINS ? FINE : domain(d).place;
    frame.answer(row, 0, -(first + load<f64>(frame.answers + (row << 3))));
  }
  return OK;
}
