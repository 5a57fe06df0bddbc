/** Finds the place in the text from which bytes of a module come, by the module's source map. */

import { sections, unsigned } from "./sections";
import { sourceName } from "./compile";

/** A byte of the module and the line of the text, from 1, that it comes from; 0: it comes from elsewhere. */
interface Mark {
  readonly offset: number;
  readonly line: number;
}

const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** The numbers of one segment, each in base 64 with its sign in the lowest bit. */
function numbers(segment: string): number[] {
  const list: number[] = [];
  let value = 0;
  let scale = 1;
  for (const letter of segment) {
    const digit = digits.indexOf(letter);
    value += (digit & 31) * scale;
    scale *= 32;
    if (digit >= 32) continue;
    list.push(value % 2 === 1 ? -((value - 1) / 2) : value / 2);
    value = 0;
    scale = 1;
  }
  return list;
}

/** The marks of a source map, in the order of the module. A module is one line to it. */
export function marksOf(map: string): readonly Mark[] {
  if (map === "") return [];
  const { sources, mappings } = JSON.parse(map) as { sources: readonly string[]; mappings: string };
  const own = sources.indexOf(sourceName);
  let [offset, source, line] = [0, 0, 0];
  return mappings.split(",").filter((segment) => segment !== "").map((segment) => {
    const [byBytes = 0, bySource = 0, byLines = 0] = numbers(segment);
    offset += byBytes;
    source += bySource;
    line += byLines;
    return { offset, line: source === own ? line + 1 : 0 };
  });
}

/** The line that a byte of the module comes from; undefined: from no line of the text. */
export function lineAt(marks: readonly Mark[], offset: number): number | undefined {
  const line = marks.findLast((mark) => mark.offset <= offset)?.line ?? 0;
  return line > 0 ? line : undefined;
}

/** The first and the last line of the text that a function of the module comes from; undefined: none does. */
export function linesOfFunction(module: Uint8Array, marks: readonly Mark[], index: number): readonly [first: number, last: number] | undefined {
  const body = bodies(module)[index - importedFunctions(module)];
  if (!body) return undefined;
  const lines = marks.filter(({ offset, line }) => line > 0 && offset >= body[0] && offset < body[1]).map(({ line }) => line);
  return lines.length > 0 ? [Math.min(...lines), Math.max(...lines)] : undefined;
}

/** Where the body of each function begins and ends. */
function bodies(module: Uint8Array): (readonly [number, number])[] {
  const code = sections(module).find(({ id }) => id === 10);
  if (!code) return [];
  let [, at] = unsigned(module, code.from);
  const list: (readonly [number, number])[] = [];
  while (at < code.end) {
    const [size, from] = unsigned(module, at);
    list.push([from, from + size]);
    at = from + size;
  }
  return list;
}

/** Functions that are imported come first in the numbering. */
function importedFunctions(module: Uint8Array): number {
  try {
    return WebAssembly.Module.imports(new WebAssembly.Module(module as Uint8Array<ArrayBuffer>)).filter(({ kind }) => kind === "function").length;
  } catch {
    return 0; // no module that an engine takes: nothing runs of it, either
  }
}
