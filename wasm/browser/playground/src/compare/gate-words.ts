/** What the gate's codes mean (wasm/module/gate/error.go), and what to do about them. */

import type { RpcError } from "../engine/types";

/** By code: what is wrong in a few words, and what helps. */
const words: Readonly<Record<string, readonly [wrong: string, help: string]>> = {
  "too-large": ["The file is too large", "A module may have 8 MiB: build it optimised for size, without debug information."],
  "bad-magic": ["This is not WebAssembly", "Check that it is the right file, and that it is not compressed."],
  "bad-version": ["An unknown version of the binary format", "Only version 1 core modules are read, no components."],
  truncated: ["The file ends too early", "It may have been cut when it was copied: build or copy it again."],
  "bad-number": ["A number is too long, or out of its range", "The file is damaged: build it again."],
  "bad-name": ["A name is not UTF-8", "Rename the item at the offset."],
  "section-order": ["A section is unknown, duplicated or out of order", "The file is damaged, or was made for another version of the format."],
  "section-size": ["A section does not end where it says", "The file is damaged: build it again."],
  "bad-count": ["Two sections disagree about a count", "The file is damaged: build it again."],
  "bad-type": ["A type is unknown or not allowed", "Build for the plain 32-bit target, without garbage-collected types."],
  "bad-index": ["An index refers to nothing", "The file is damaged, or a tool that rewrote it made a mistake."],
  "bad-expression": ["An initial value is no constant", "Initial values and offsets of segments have to be constants."],
  "bad-nesting": ["Blocks do not match", "The file is damaged, or a tool that rewrote it made a mistake."],
  "forbidden-instruction": ["An instruction that is not allowed", "Threads, relaxed SIMD, exceptions and tail calls are refused, since they are not deterministic or not bounded: turn them off in the compiler."],
  "forbidden-import": ["An import that is not allowed", "A module may import quern.log and the WASI functions that the contract lists; it has no files, no network and no clock."],
  "forbidden-memory": ["A memory that is not allowed", "One 32-bit memory that is not shared."],
  "memory-too-large": ["The memory starts too large", "Lower its initial size, or raise the limit of the memory."],
  "table-too-large": ["The tables start too large", "65,536 elements at most, all tables together."],
  "too-many-types": ["Too many types", "4,096 at most."],
  "too-many-parameters": ["A function with too many parameters or results", "64 at most of each."],
  "too-many-imports": ["Too many imports", "64 at most."],
  "too-many-functions": ["Too many functions", "16,384 at most: leave out what is not used."],
  "too-many-tables": ["Too many tables", "4 at most."],
  "too-many-globals": ["Too many globals", "4,096 at most."],
  "too-many-exports": ["Too many exports", "1,024 at most: export only what the contract asks for."],
  "too-many-elements": ["Too many elements in segments", "65,536 at most."],
  "too-many-data": ["Too many data segments", "131,072 at most."],
  "too-many-locals": ["A function with too many locals", "2,048 at most, parameters included."],
  "too-many-targets": ["A branch with too many targets", "4,096 at most in one br_table."],
  "too-deep": ["Blocks are nested too deep", "4,096 inside each other at most."],
  "code-too-large": ["Too much code", "4 MiB at most, all functions together: build optimised for size."],
  "body-too-large": ["A function is too large", "256 KiB at most: turn inlining down."],
  "too-complex": ["A function would take too long to compile", "Split the function that is named."],
  "duplicate-export": ["Two exports have the same name", "Use every name once."],
  "reserved-name": ["An export has a name that the host needs", "quern_fuel is the counter that the host adds: rename the export."],
  "missing-export": ["An export of the contract is missing", "The contract asks for memory, quern_abi, quern_manifest, quern_reserve, quern_configure and a function for each point."],
  "bad-signature": ["An export has another kind or signature than the contract says", "Addresses and sizes are i32; the answer of a point is an i32."],
};

/** Why a module was refused, in the order in which a reader wants it. */
interface RefusalWords {
  readonly wrong: string;
  /** In which section, at which byte; empty where a whole module is meant. */
  readonly where: string;
  /** What was found and what was expected, as the gate says it. */
  readonly detail: string;
  readonly help: string;
  readonly code: string;
}

/** Explains the refusal of a module. */
export function refusalWords(e: RpcError): RefusalWords {
  const known = e.reason === undefined ? undefined : words[e.reason];
  if (!known) return { wrong: stage(e), where: "", detail: e.message, help: "", code: e.reason ?? e.code };
  const [wrong, help] = known;
  return { wrong, where: place(e), detail: detail(e), help, code: e.reason ?? e.code };
}

/** Past the gate a refusal has no code of its own: its message begins with what was tried. */
function stage(e: RpcError): string {
  if (e.code === "bad-request") return "A limit cannot be";
  if (e.message.startsWith("trial")) return "It failed its trial";
  if (e.message.includes("manifest")) return "Its manifest cannot be used";
  if (e.message.includes("quern_configure") || e.message.includes("configure")) return "It rejected its configuration";
  return "It did not start";
}

function place(e: RpcError): string {
  const parts = [];
  if (e.section) parts.push(`${e.section} section`);
  const inside = /function (\d+),/.exec(e.message);
  if (inside) parts.push(`function ${inside[1] ?? ""}`);
  if (e.offset) parts.push(`byte ${e.offset} (0x${e.offset.toString(16)})`);
  return parts.join(", ");
}

/** The message without the place and the code before it. */
function detail(e: RpcError): string {
  const mark = `${e.reason ?? ""}: `;
  const at = e.message.indexOf(mark);
  return at < 0 ? e.message : e.message.slice(at + mark.length);
}
