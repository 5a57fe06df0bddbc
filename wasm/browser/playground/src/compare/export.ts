/** The outcome of a comparison as files. */

import { median, paired } from "./evidence";
import type { Figures } from "./metrics";
import { figuresFor, judgement, rowsOf } from "./rows";
import type { Outcome } from "./run";
import { verdictText } from "./verdict";

export interface Named {
  readonly workload: string;
  /** From seeds, so that there is noise to be told from differences; otherwise it was recorded. */
  readonly generated: boolean;
  readonly a: string;
  readonly b: string;
}

/** The verdict of a comparison, in the words of the page. */
export function verdictOf({ pairs }: Outcome): string {
  return verdictText("A", "B", figuresFor(rowsOf(pairs)));
}

/** One row a figure: medians, the median difference, and its range; seconds, parts of 1 and counts, as the unit says. */
export function toCsv({ pairs }: Outcome, names: Named): string {
  const rows = rowsOf(pairs).map((row) => {
    const by = paired(row);
    return [row.label, row.unit, median(row.a), median(row.b), median(by), Math.min(...by), Math.max(...by), pairs.length, judgement(row) ?? ""];
  });
  return [["figure", "unit", `A: ${names.a}`, `B: ${names.b}`, "B - A", "least", "most", "runs", "judgement"], ...rows].map((row) => `${row.map(field).join(",")}\r\n`).join("");
}

function field(value: string | number): string {
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The verdict, the figures of every pair of runs, and of the pair that is shown the curves and where it parts; times in seconds. */
export function toJson(outcome: Outcome, names: Named): string {
  const { a, b, pairs, parting, same, differ } = outcome;
  const side = (setup: string, figures: Figures) => ({ setup, ...figures, placed: undefined });
  const all = {
    workload: names.workload, verdict: verdictOf(outcome), a: side(names.a, a.figures), b: side(names.b, b.figures), runs: pairs,
    same_decisions: same, parting: parting ?? null, asks: differ,
  };
  return `${JSON.stringify(all, null, 2)}\n`;
}
