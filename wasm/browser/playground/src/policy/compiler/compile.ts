/**
 * Compiles a policy in AssemblyScript with the project's own package, as plugins/build.sh and the Makefile of `quern policy
 * new` do: the same text gives the same bytes. It needs no page, so that tests call it as the worker does.
 */

import type { Diagnostic } from "assemblyscript/asc";
import { withoutSection } from "./sections";

/** What the compiler says of a stretch of text. Positions count characters from the start. */
export interface Remark {
  readonly severity: "error" | "warning";
  readonly text: string;
  /** The compiler's own number of it, as TS2322. */
  readonly code: string;
  /** Undefined: it is about the whole. */
  readonly at?: { readonly from: number; readonly to: number };
  /** Where it is in another file: its name. */
  readonly file?: string;
}

export interface Compiled {
  /** Undefined: there are errors. */
  readonly module?: Uint8Array<ArrayBuffer>;
  /** The source map of the module, in JSON; empty where there is none. */
  readonly map: string;
  readonly remarks: readonly Remark[];
  /** Of the compiler alone, in milliseconds. */
  readonly took: number;
}

/** The name of the text in messages and in the source map. */
export const sourceName = "policy.ts";

const options = ["--runtime", "stub", "--use", "abort=", "--exportStart", "_initialize", "-O3", "--noAssert", "--sourceMap", "--outFile", "policy.wasm"];

const library = import.meta.glob<string>("../../../../../../sdk/assemblyscript/*.ts", { query: "?raw", import: "default", eager: true });

/** The files that the compiler may read, by the name that it asks for. */
function filesWith(text: string): ReadonlyMap<string, string> {
  const files = new Map([[sourceName, text], ["node_modules/quern/package.json", '{"name":"quern","main":"index.ts"}']]);
  for (const [path, content] of Object.entries(library)) files.set(`node_modules/quern/${path.slice(path.lastIndexOf("/") + 1)}`, content);
  return files;
}

/** Compiles a text. What the compiler itself cannot do throws. */
export async function compile(text: string): Promise<Compiled> {
  const asc = await import("assemblyscript/asc");
  const files = filesWith(text);
  const written = new Map<string, string | Uint8Array>();
  const remarks: Remark[] = [];
  const silent = asc.createMemoryStream();
  const begun = performance.now();
  const { error } = await asc.main([sourceName, ...options], {
    readFile: (name) => files.get(name.replace(/^\//, "")) ?? null, // from the root, where there is no folder to begin from
    writeFile: (name, content) => { written.set(name, content); },
    listFiles: () => [],
    reportDiagnostic: (one) => { remarks.push(...remarkOf(one)); },
    stdout: silent, stderr: silent,
  });
  const took = performance.now() - begun;
  const module = written.get("policy.wasm");
  const map = written.get("policy.wasm.map");
  if (error || !(module instanceof Uint8Array)) {
    if (!remarks.some(({ severity }) => severity === "error")) throw error ?? new Error("the compiler wrote no module");
    return { map: "", remarks, took };
  }
  return { module: withoutSection(module, "sourceMappingURL"), map: typeof map === "string" ? map : "", remarks, took };
}

/** Advice of the compiler about speed is left out: only warnings and errors. */
function remarkOf({ category, code, message, range }: Diagnostic): Remark[] {
  const severity = ({ 2: "warning", 3: "error" } as const)[category];
  if (!severity) return [];
  const file = range?.source.normalizedPath;
  const at = range && file === sourceName ? { from: range.start, to: Math.max(range.end, range.start) } : undefined;
  return [{ severity, text: message, code: `${code < 1000 ? "AS" : "TS"}${code}`, at, file: at ? undefined : file }];
}
