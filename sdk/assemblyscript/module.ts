// What every module exports beside its points: export * from "quern/module".
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
