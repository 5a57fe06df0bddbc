/** The figures of two runs side by side, for the table and for export. */

import { typesOf } from "../model/quantities";
import { duration } from "../ui/format";
import type { Figures } from "./metrics";
import { second } from "../model/times";

export interface Row {
  readonly label: string;
  /** What the figure is, for those who have not met it. */
  readonly meaning?: string;
  readonly unit: "count" | "seconds" | "share" | "index";
  readonly a: number;
  readonly b: number;
  /** Which way is better for users; undefined: it depends. */
  readonly better?: "less" | "more";
}

const whole = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 0 });

export function rowsOf(a: Figures, b: Figures): readonly Row[] {
  const row = (label: string, unit: Row["unit"], of: (f: Figures) => number, better?: Row["better"], meaning?: string): Row =>
    ({ label, unit, a: of(a), b: of(b), better, meaning });
  const types = typesOf(a.used, b.used);
  return [
    row("Allocated", "count", (f) => f.allocated, "more", "asks that were placed"),
    row("Pending at the end", "count", (f) => f.pending, "less"),
    row("Preempted", "count", (f) => f.preempted, undefined, "allocations that were told to leave"),
    row("Wait, mean", "seconds", (f) => f.waits.mean, "less", "of the asks that were placed"),
    row("Wait, half of all", "seconds", (f) => f.waits.p50, "less", "half of the asks waited at most so long"),
    row("Wait, 95 of 100", "seconds", (f) => f.waits.p95, "less"),
    row("Wait, 99 of 100", "seconds", (f) => f.waits.p99, "less"),
    row("Wait, longest", "seconds", (f) => f.waits.most, "less"),
    row("Makespan", "seconds", (f) => f.makespan, "less", "from the start to the last allocation that was made or ended"),
    ...types.map((type) => row(`Used, ${type}`, "share", (f) => f.used[type] ?? 0, undefined, "part of the capacity, mean over time")),
    ...types.map((type) => row(`Stranded, ${type}`, "share", (f) => f.stranded[type] ?? 0, "less", "part of the capacity that is free where no waiting ask fits, mean over time")),
    row("Fairness", "index", (f) => f.fairness, "more", "1: every leaf queue got the same part of what it wanted (Jain's index)"),
    ...(a.faults + b.faults > 0 ? [row("Policy faults", "count", (f) => f.faults, "less", "calls that a module did not answer properly")] : []),
  ];
}

export function valueText({ unit }: Row, value: number): string {
  switch (unit) {
    case "count": return whole.format(value);
    case "seconds": return duration(value * second);
    case "share": return `${(100 * value).toFixed(1)}%`;
    case "index": return value.toFixed(3);
  }
}

/** B against A, as the two read: "+12", "−3.4 points"; "=" where they read the same. */
export function differenceText(row: Row): string {
  const by = row.unit === "share" || row.unit === "index" ? (Math.round(row.b * 1000) - Math.round(row.a * 1000)) / 1000 : row.b - row.a;
  if (valueText(row, row.a) === valueText(row, row.b)) return "=";
  const size = row.unit === "share" ? `${(100 * Math.abs(by)).toFixed(1)} points` : valueText(row, Math.abs(by));
  return `${by > 0 ? "+" : "−"}${size}`;
}

/** Whether B is better than A in this; undefined: neither. */
export function verdict(row: Row): "better" | "worse" | undefined {
  if (!row.better || differenceText(row) === "=") return undefined;
  return row.b > row.a === (row.better === "more") ? "better" : "worse";
}
