/** What is wrong with a text, and where. */

import type { CheckAnswer, ConfigError, ConfigWarning } from "../engine/types";
import { find, type Outline, type Range } from "./outline/outline";

export interface Problem {
  readonly severity: "error" | "warning";
  /** "root.prod: resources.max.vcore". */
  readonly about: string;
  readonly text: string;
  /** Undefined: it is nowhere in the text. */
  readonly at?: Range;
  /** Of the text, from 1. */
  readonly line?: number;
}

/** Errors, then warnings, each in the order of the text. */
export function problems({ errors, warnings }: CheckAnswer, text: string, outline: Outline): readonly Problem[] {
  const lines = text.split("\n");
  return [...errors.map((e) => ofError(e, lines)), ...warnings.map((w) => ofWarning(w, text, outline))];
}

function ofError({ line = 1, column = 1, queue = "", key = "", expected = "", found = "" }: ConfigError, lines: readonly string[]): Problem {
  return { severity: "error", about: about(queue, key), text: `expected ${expected}, found ${found}`, line, at: tokenAt(lines, line, column) };
}

function ofWarning({ queue = "", key = "", text: words = "" }: ConfigWarning, text: string, { file }: Outline): Problem {
  const at = find(file, queue, key);
  return { severity: "warning", about: about(queue, key), text: words, at, line: at && text.slice(0, at.from).split("\n").length };
}

/** The file and the partition need no name: there is one of each. */
export const about = (queue: string, key: string): string => (queue === "file" || queue === "partition" || queue === "" ? key : `${queue}: ${key}`);

const token = /"(?:[^"\\]|\\.)*"|'[^']*'|[^\s,{}[\]#:="']+|./uy;

/** The word, or the text in quotes, that begins at a line and column; columns count characters. */
export function tokenAt(lines: readonly string[], line: number, column: number): Range {
  const row = Math.min(line, lines.length) - 1;
  const text = lines[row] ?? "";
  const start = lines.slice(0, row).reduce((sum, l) => sum + l.length + 1, 0);
  const skipped = Array.from(text).slice(0, column - 1).join("").length;
  token.lastIndex = skipped;
  const length = token.exec(text)?.[0].length ?? 0;
  // At the end of a line there is nothing to underline but what comes before.
  const from = length === 0 ? Math.max(skipped - 1, 0) : skipped;
  return { from: start + from, to: start + Math.min(skipped + length, text.length) };
}
