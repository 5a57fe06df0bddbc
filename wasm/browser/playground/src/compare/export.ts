/** The outcome of a comparison as files. */

import type { Figures } from "./metrics";
import { rowsOf } from "./rows";
import type { Outcome } from "./run";

export interface Named {
  readonly workload: string;
  readonly a: string;
  readonly b: string;
}

/** One row a figure; seconds, parts of 1 and counts, as the unit says. */
export function toCsv({ a, b }: Outcome, names: Named): string {
  const rows = rowsOf(a.figures, b.figures).map((row) => [row.label, row.unit, row.a, row.b, row.b - row.a]);
  return [["figure", "unit", `A: ${names.a}`, `B: ${names.b}`, "B - A"], ...rows].map((row) => `${row.map(field).join(",")}\r\n`).join("");
}

function field(value: string | number): string {
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Figures, curves and the decisions where the two part; times in seconds. */
export function toJson({ a, b, parting, same, differ }: Outcome, names: Named): string {
  const side = (setup: string, figures: Figures) => ({ setup, ...figures, placed: undefined });
  return `${JSON.stringify({ workload: names.workload, a: side(names.a, a.figures), b: side(names.b, b.figures), same_decisions: same, parting: parting ?? null, asks: differ }, null, 2)}\n`;
}
