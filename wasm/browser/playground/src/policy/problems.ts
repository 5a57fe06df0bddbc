/** What is wrong with a policy, in words and with its place in the text, whoever found it. */

import type { RpcError } from "../engine/types";
import { refusalWords } from "../compare/gate-words";
import type { Compiled, Remark } from "./compiler/compile";
import { lineAt, linesOfFunction, marksOf } from "./compiler/source-map";
import type { Check } from "./tester";

export interface Problem {
  readonly severity: "error" | "warning";
  /** Who found it: "Compiler", "Gate", "Trial", "Contract". */
  readonly by: string;
  readonly text: string;
  /** Undefined: it is nowhere in the text. */
  readonly at?: { readonly from: number; readonly to: number };
  /** Of the text, from 1. */
  readonly line?: number;
}

/** The number of the line, from 1, in which a position is. */
export function lineOf(text: string, at: number): number {
  return text.slice(0, at).split("\n").length;
}

/** A line of the text without its indentation; as far as there are lines. */
function stretchOf(text: string, line: number): { from: number; to: number } {
  const lines = text.split("\n");
  const row = Math.min(Math.max(line, 1), lines.length) - 1;
  const from = lines.slice(0, row).reduce((sum, one) => sum + one.length + 1, 0);
  const own = lines[row] ?? "";
  return { from: from + own.length - own.trimStart().length, to: from + own.length };
}

/** What the compiler said. */
export function ofRemark({ severity, text: words, code, at, file }: Remark, text: string): Problem {
  const elsewhere = file === undefined ? "" : ` (in ${file})`;
  return { severity, by: "Compiler", text: `${words} [${code}]${elsewhere}`, at: at && { from: at.from, to: Math.max(at.to, at.from + 1) }, line: at && lineOf(text, at.from) };
}

/** Why gate or trial refused a module. Lines are what its policy wrote meanwhile, a trap among them. */
export function ofRefusal(error: RpcError, text: string, compiled: Compiled, lines: readonly string[]): Problem {
  const { wrong, detail, help, where } = refusalWords(error);
  const trap = trapLines(lines, compiled);
  const words = [`${wrong}: ${sentence(detail)}`, where && `Place in the module: ${where}.`, help, trapWords(trap), fuelAdvice(error.message)].filter(Boolean).join(" ");
  const by = error.reason === undefined ? "Trial" : "Gate";
  return { severity: "error", by, text: words, ...place(manifestLine(error.message, text) ?? moduleLine(error, compiled) ?? trap?.[0], text) };
}

/** A check of the contract that failed. */
export function ofCheck({ check, expected, found }: Check, text: string, compiled: Compiled, lines: readonly string[]): Problem {
  const trap = trapLines(lines, compiled);
  const words = [`${check}: expected ${expected ?? "it to hold"}, found ${sentence(found ?? "that it does not")}`, trapWords(trap), fuelAdvice(found ?? "")].filter(Boolean).join(" ");
  return { severity: "error", by: "Contract", text: words, ...place(trap?.[0], text) };
}

const sentence = (words: string): string => (words.endsWith(".") ? words : `${words}.`);

function place(line: number | undefined, text: string): Pick<Problem, "at" | "line"> {
  return line === undefined ? {} : { at: stretchOf(text, line), line };
}

/** A loop without an end is what uses up the fuel of a call most often. */
function fuelAdvice(message: string): string {
  return message.includes("fuel") ? "A loop without an end, or too much work for each row: a call may use 1,000,000 units of fuel, and 2,000 for each row." : "";
}

/** The line of an error whose place is told in the text of the manifest: "manifest:4:7: …". */
function manifestLine(message: string, text: string): number | undefined {
  const begins = /\bmanifest\(\s*[`"']/.exec(text);
  if (!begins) return undefined;
  const at = /manifest:(\d+):\d+/.exec(message)?.[1];
  const first = lineOf(text, begins.index + begins[0].length);
  if (at !== undefined) return first + Number(at) - 1;
  if (message.includes("no point is exported")) return lineOf(text, Math.max(text.indexOf('"points"'), begins.index));
  return message.startsWith("manifest") ? lineOf(text, keyNamed(message, text, begins.index + begins[0].length)) : undefined;
}

/** Where the innermost key stands that a message leads to, as "manifest: points: node.score: …" does. */
function keyNamed(message: string, text: string, from: number): number {
  let at = from;
  for (const key of message.split(": ").slice(1)) {
    const next = text.indexOf(`"${key}"`, at);
    if (next < 0) break;
    at = next;
  }
  return at;
}

function moduleLine({ offset, message }: RpcError, { module, map }: Compiled): number | undefined {
  const marks = marksOf(map);
  const inside = /function (\d+)/.exec(message)?.[1];
  const byByte = offset === undefined ? undefined : lineAt(marks, offset);
  return byByte ?? (inside === undefined || !module ? undefined : linesOfFunction(module, marks, Number(inside))?.[0]);
}

/** The lines of the innermost function of the text in which a call ended, as the engine told it. */
function trapLines(lines: readonly string[], { module, map }: Compiled): readonly [first: number, last: number] | undefined {
  const told = lines.findLast((line) => line.includes("a call ended in function"));
  if (told === undefined || !module) return undefined;
  const marks = marksOf(map);
  for (const [, index] of told.matchAll(/function (\d+)/g)) {
    const found = linesOfFunction(module, marks, Number(index));
    if (found) return found;
  }
  return undefined;
}

function trapWords(trap: readonly [first: number, last: number] | undefined): string {
  return trap ? `The call ended in the code of lines ${trap[0]} to ${trap[1]}.` : "";
}
